import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NeighbourChanges } from '../../../src/revisit/neighbour-changes.ts';

const DAY = 86_400_000;

/** Five pages in each of 20 folders, visited in turn; in every third round a folder has changed, as a whole or in one page. */
function learnt(together: boolean): NeighbourChanges {
  const neighbours = new NeighbourChanges();
  for (let round = 0; round < 30; round++)
    for (let page = 0; page < 5; page++)
      for (let folder = 0; folder < 20; folder++) {
        const turn = (round + folder) % 3 === 0;
        neighbours.visited({
          url: `http://site.test/${folder}/${page}`,
          at: (round * 10 + page) * DAY,
          ...(round === 0 ? {} : { before: { visitedAt: ((round - 1) * 10 + page) * DAY, rate: 1 / 100 } }),
          changed: round > 0 && turn && (together || page === round % 5),
        });
      }
  return neighbours;
}

/** Four pages, and what is said of three when the first is found changed on day 20. */
function hintsOf(neighbours: NeighbourChanges, folder = 'http://new.test/a/') {
  for (const [page, day] of [
    ['1', 0],
    ['2', 0],
    ['3', 15],
    ['4', 20],
  ] as const)
    neighbours.visited({ url: `${folder}${page}`, at: day * DAY, changed: false });
  const before = { visitedAt: 0, rate: 0.01 };
  return neighbours.visited({ url: `${folder}1`, at: 20 * DAY, before, changed: true });
}

describe('changes of neighbours', () => {
  it('says nothing before it has seen that they mean something', () => {
    assert.deepEqual(hintsOf(new NeighbourChanges()), []);
    assert.deepEqual(hintsOf(learnt(false)), []);
  });

  it('believes them where pages of a folder change together, the less the later they were looked at', () => {
    const hints = hintsOf(learnt(true));
    assert.deepEqual(
      hints.map(({ url }) => url),
      ['http://new.test/a/2', 'http://new.test/a/3'],
    );
    assert.ok(hints[0].trust > 0.4, String(hints[0].trust));
    assert.ok(hints[1].trust < 0.4 * hints[0].trust);
  });

  it('says nothing of pages of other folders, of those visited since, and of those forgotten', () => {
    const neighbours = learnt(true);
    neighbours.visited({ url: 'http://new.test/b/1', at: 0, changed: false });
    assert.ok(hintsOf(neighbours).every(({ url }) => url.startsWith('http://new.test/a/')));
    const again = learnt(true);
    again.visited({ url: 'http://new.test/a/6', at: 20 * DAY, changed: false });
    again.visited({ url: 'http://new.test/a/5', at: 0, changed: false });
    again.forget('http://new.test/a/5');
    assert.deepEqual(
      hintsOf(again).map(({ url }) => url.slice(-1)),
      ['2', '3'],
    );
  });

  it('takes a heap of pages for no neighbourhood', () => {
    const neighbours = learnt(true);
    for (let page = 10; page < 100; page++)
      neighbours.visited({ url: `http://new.test/a/${page}`, at: 0, changed: false });
    assert.deepEqual(hintsOf(neighbours), []);
  });

  it('tells the front pages of sites apart', () => {
    const neighbours = learnt(true);
    neighbours.visited({ url: 'http://one.test/', at: 0, changed: false });
    neighbours.visited({ url: 'http://two.test/', at: 0, changed: false });
    const before = { visitedAt: 0, rate: 0.01 };
    assert.deepEqual(neighbours.visited({ url: 'http://one.test/', at: 20 * DAY, before, changed: true }), []);
  });

  it('keeps what it has learnt', () => {
    const kept = new NeighbourChanges(JSON.parse(JSON.stringify(learnt(true))));
    assert.deepEqual(hintsOf(kept), hintsOf(learnt(true)));
    assert.deepEqual(hintsOf(new NeighbourChanges({ excess: [], weight: [] })), []);
  });
});
