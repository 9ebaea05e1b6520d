import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { IndexedDocument } from '../../../../../src/contracts/search-index.ts';
import { type IndexDisk, nodeIndexDisk } from '../../../../../src/index/store/index-disk.ts';
import { feedMaster } from '../../../../../src/search/indexing/master/feed-master.ts';
import { readMaster } from '../../../../../src/search/indexing/master/master-place.ts';
import { openSearcher } from '../../../../../src/search/open-searcher.ts';
import { quickOrLong } from '../../../../property-runs.ts';
import { FedFolders, heldIn, rememberAnchors, Texts } from './fed-folders.ts';

const QUERIES = quickOrLong(50, 200);
/** Equal scores come in the order of documents, which is another in another index: these are unlike by far more. */
const LEAST_GAP = 1e-6;

describe('a master index of three sources', () => {
  const folders = new FedFolders();
  const texts = new Texts(17);
  const master = folders.of('master');
  const from = ['a', 'b', 'c'].map((name) => folders.of(name));
  const all = Array.from({ length: 600 }, (_, number) => texts.document(number));
  const inSource = (at: number): IndexedDocument[] => all.filter((_, number) => [0, 0, 0, 1, 1, 2][number % 6] === at);
  /** Of each URL the copy that was visited last. */
  const union = new Map(all.map((one) => [one.id, one]));
  let first: readonly number[];
  let times = 0;

  before(async () => {
    rememberAnchors(all);
    for (const [at, name] of ['a', 'b', 'c'].entries()) await folders.change(name, inSource(at));
    const { sources, documents } = await feedMaster(master, from);
    assert.equal(documents, all.length);
    first = sources.map(({ bytes }) => bytes);
    assert.deepEqual(
      sources.map(({ sent, whole }) => [sent, whole]),
      [300, 200, 100].map((sent) => [sent, true]),
    );
  });
  after(() => folders[Symbol.dispose]());

  async function compare(): Promise<void> {
    const whole = await folders.change(`whole-${times++}`, [...union.values()], [], true);
    const options = { texts: { texts: async () => [] }, now: () => 0 };
    await using one = await openSearcher(whole, options);
    await using fed = await openSearcher(master, options);
    assert.equal(fed.documents, one.documents);
    let compared = 0;
    for (let number = 0; number < QUERIES; number++) {
      const query = number % 5 === 4 ? `"${texts.words(2)}" OR ${texts.words(1)}` : texts.words(1 + (number % 4));
      // All matches are asked for: of hundreds that are equal by words alone, others would be looked at closer.
      const expected = one.rank(query, union.size).slice(0, 11);
      const found = fed.rank(query, union.size).slice(0, 11);
      assert.deepEqual(
        found.map(({ score }) => score),
        expected.map(({ score }) => score),
        query,
      );
      if (expected.some(({ score }, at) => at > 0 && expected[at - 1].score - score < LEAST_GAP)) continue;
      compared++;
      assert.deepEqual(found.slice(0, 10), expected.slice(0, 10), query);
    }
    assert.ok(compared > QUERIES * 0.9, `${compared} without ties`);
  }

  test(`the ten best of ${QUERIES} queries, and their scores, are those of one index`, compare);

  test('an update takes what has changed, though merges have written every segment again', async () => {
    await folders.change('a', [], [], true);
    const still = await feedMaster(master, from);
    assert.deepEqual(
      still.sources.map(({ bytes, sent }) => [bytes, sent]),
      [0, 0, 0].map(() => [0, 0]),
    );
    const changed = [3, 9, 12].map((number) => texts.document(number * 2, 9));
    const fresh = [700, 701].map((number) => texts.document(number, 9));
    rememberAnchors([...changed, ...fresh]);
    const gone = inSource(0)
      .slice(-2)
      .map(({ id }) => id);
    await folders.change('a', [...changed, ...fresh], gone, true);
    for (const one of [...changed, ...fresh]) union.set(one.id, one);
    for (const id of gone) union.delete(id);
    const { sources, documents } = await feedMaster(master, from);
    assert.equal(documents, union.size);
    const [{ bytes, sent, removed, restamped, whole }] = sources;
    assert.deepEqual({ sent, removed, restamped, whole }, { sent: 5, removed: 2, restamped: 0, whole: false });
    assert.ok(bytes < first[0] / 10, `${bytes} of ${first[0]} bytes`);
    assert.deepEqual(
      heldIn(master),
      new Map(
        [...union]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(
            ([
              id,
              {
                facts: { fetchedAt, rank },
              },
            ]) => [id, { fetchedAt, rank }],
          ),
      ),
    );
  });

  test('ranks that are computed again come without the documents', async () => {
    const rankOf = (id: string): number => (id.length % 7) / 7;
    await folders.rankAgain('b', rankOf);
    for (const { id } of inSource(1)) {
      const one = union.get(id)!;
      union.set(id, { ...one, facts: { ...one.facts, rank: rankOf(id) } });
    }
    const { sources } = await feedMaster(master, from);
    const { sent, removed, restamped, bytes } = sources[1];
    assert.deepEqual({ sent, removed }, { sent: 0, removed: 0 });
    assert.ok(restamped > 150, `${restamped}`);
    assert.ok(bytes < first[1] / 10, `${bytes} of ${first[1]} bytes`);
    await compare();
  });

  test('without names it is fed from all folders that it knows; one that is gone is told, and its documents stay', async () => {
    renameSync(from[2], `${from[2]}-elsewhere`);
    const missing: string[] = [];
    const { sources, documents } = await feedMaster(master, [], { onMissing: ({ folder }) => missing.push(folder) });
    assert.deepEqual([sources.length, missing.length, documents], [2, 1, union.size]);
    // It moved: it is the same source, wherever it lies.
    const moved = await feedMaster(master, [`${from[2]}-elsewhere`]);
    assert.deepEqual([moved.sources[0].sent, moved.documents], [0, union.size]);
    assert.equal(readMaster(master)?.sources.length, 3);
    renameSync(`${from[2]}-elsewhere`, from[2]);
    await feedMaster(master, from);
  });

  test('hits have snippets from the folder that they came from, and none where it is gone', async () => {
    const [{ id, title, body }] = inSource(1);
    const snippet = async (): Promise<string> => {
      await using searcher = await openSearcher(master);
      const { hits } = await searcher.search({ query: title, unfolded: true, perPage: 50 });
      const hit = hits.find((one) => one.id === id);
      assert.ok(hit !== undefined);
      return hit.snippet.map(({ text }) => text).join('');
    };
    assert.ok(body.includes((await snippet()).replaceAll('…', '').trim().split(' ').slice(0, 3).join(' ')));
    renameSync(from[1], `${from[1]}-gone`);
    assert.equal(await snippet(), '');
    renameSync(`${from[1]}-gone`, from[1]);
    assert.notEqual(await snippet(), '');
  });
});

test('of two sources with the same URL the later visit counts; when it is gone the other comes back', async () => {
  using folders = new FedFolders();
  const texts = new Texts(3);
  const master = folders.of('master');
  const early = texts.document(1, 2);
  const late = texts.document(1, 5);
  const shared = early.id;
  const a = await folders.change('a', [early, texts.document(2)]);
  const b = await folders.change('b', [late, texts.document(3)]);
  const shown = (): number | undefined => heldIn(master).get(shared)?.fetchedAt;

  // In either order.
  for (const from of [
    [a, b],
    [b, a],
  ]) {
    const other = folders.of(`master-${from[0] === a}`);
    const { documents } = await feedMaster(other, from);
    assert.equal(documents, 3);
    assert.equal(heldIn(other).get(shared)?.fetchedAt, late.facts.fetchedAt);
  }
  await feedMaster(master, [a, b]);
  assert.equal(shown(), late.facts.fetchedAt);

  // The earlier one leaves its source: nothing happens. It comes again, and again has the earlier visit.
  await folders.change('a', [], [shared]);
  await feedMaster(master, [a]);
  assert.equal(shown(), late.facts.fetchedAt);
  await folders.change('a', [early]);
  assert.equal((await feedMaster(master, [a])).sources[0].superseded, 1);
  assert.equal(shown(), late.facts.fetchedAt);

  // The later one leaves: the earlier comes back, whichever is named first.
  await folders.change('b', [], [shared]);
  const { sources } = await feedMaster(master, [a, b]);
  assert.deepEqual(
    sources.map(({ from, sent, removed, wanted }) => [from, sent, removed, wanted]),
    [
      [a, 0, 0, 0],
      [b, 0, 1, 1],
      [a, 1, 0, 0],
    ],
  );
  assert.equal(shown(), early.facts.fetchedAt);

  // A later visit of either wins.
  await folders.change('b', [texts.document(1, 7)]);
  await feedMaster(master, [b]);
  assert.equal(shown(), Date.UTC(2026, 9, 7));
  await folders.change('a', [texts.document(1, 8)]);
  await feedMaster(master, [a]);
  assert.equal(shown(), Date.UTC(2026, 9, 8));
  assert.deepEqual(
    (await feedMaster(master, [a, b])).sources.map(({ bytes }) => bytes),
    [0, 0],
  );
});

test('near-duplicates of one source are not taken for those of another', async () => {
  using folders = new FedFolders();
  const texts = new Texts(4);
  const master = folders.of('master');
  const withCluster = (number: number, cluster: number): IndexedDocument => {
    const one = texts.document(number);
    return { ...one, title: `spider ${one.title}`, facts: { ...one.facts, cluster } };
  };
  const a = await folders.change('a', [withCluster(1, 5), withCluster(2, 5), withCluster(3, 6)]);
  const b = await folders.change('b', [withCluster(4, 5), withCluster(5, 6)]);
  await feedMaster(master, [a, b]);
  await using searcher = await openSearcher(master);
  const { hits } = await searcher.search({ query: 'spider' });
  assert.deepEqual(hits.map(({ similar }) => similar).sort(), [0, 0, 0, 1]);
});

test('killed at any moment: what is there can be searched, and the same call completes it', async () => {
  using folders = new FedFolders();
  const texts = new Texts(5);
  const from = [folders.of('a'), folders.of('b')];
  const documents = Array.from({ length: 60 }, (_, number) => texts.document(number));
  rememberAnchors(documents);
  await folders.change('a', documents.slice(0, 40));
  await folders.change('b', documents.slice(30));
  const master = folders.of('master');
  await feedMaster(master, from);
  const before = [...heldIn(master).keys()];
  const later = [1, 35, 70].map((number) => texts.document(number, 9));
  rememberAnchors(later);
  await folders.change('a', later, [documents[2].id, documents[32].id]);
  await folders.rankAgain('a', (id) => id.length / 100);
  await folders.change('b', [texts.document(71, 9)], [documents[50].id]);

  const cuts: string[] = [];
  mkdirSync(folders.of('cuts'));
  const look = (): void => {
    const cut = folders.of(`cuts/${cuts.length}`);
    cpSync(folders.of('master'), cut, { recursive: true });
    cuts.push(cut);
  };
  await feedMaster(master, from, { disk: watched(look) });
  const expected = heldIn(master);
  assert.ok(cuts.length > 30, `${cuts.length} moments`);
  const seen = new Set<string>();
  for (const cut of cuts.filter((_, at) => at % quickOrLong(7, 1) === 0)) {
    const held = heldIn(cut);
    seen.add(JSON.stringify([...held]));
    assert.ok(held.size >= before.length - 3 && held.size <= expected.size + 2);
    await feedMaster(cut, from);
    assert.deepEqual(heldIn(cut), expected);
    assert.deepEqual(
      filesOf(cut),
      filesOf(cut, /^(?:manifest-\d+\.json|segment-\d+\.|source-\d+\.ledger-\d+|state\.lock)/),
    );
  }
  assert.deepEqual(
    (await feedMaster(cuts[0], from)).sources.map(({ bytes }) => bytes),
    [0, 0],
  );
  assert.ok(seen.size >= 3, 'before, between and after the two commits');
});

test('a full disk fails the update with DISK_FULL; the master stays as it is, and takes it when there is room', async () => {
  using folders = new FedFolders();
  const texts = new Texts(6);
  const master = folders.of('master');
  const source = await folders.change('a', [texts.document(1), texts.document(2)]);
  await feedMaster(master, [source]);
  const before = heldIn(master);
  const fresh = Array.from({ length: 40 }, (_, number) => texts.document(number + 10));
  await folders.change('a', fresh, [texts.document(1).id]);
  const expected = heldIn(source);
  let isDone = false;
  for (let room = 0; !isDone; room += 10_000) {
    try {
      await feedMaster(master, [source], { disk: smallDisk(room) });
      isDone = true;
    } catch (error) {
      assert.equal((error as { code: string }).code, 'DISK_FULL', String(error));
      const held = heldIn(master);
      // All or nothing: what failed may be the merge after the commit.
      assert.deepEqual(held, held.size === expected.size ? expected : before);
    }
  }
  assert.deepEqual(heldIn(master), expected);
});

/** A real disk that has `room` bytes left and then says ENOSPC. */
function smallDisk(room: number): IndexDisk {
  let left = room;
  return {
    ...nodeIndexDisk,
    create(path) {
      const file = nodeIndexDisk.create(path);
      return {
        ...file,
        append(bytes) {
          left -= bytes.length;
          if (left < 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
          file.append(bytes);
        },
      };
    },
  };
}

function filesOf(folder: string, like = /./): string[] {
  return readdirSync(`${folder}/index`).filter((name) => like.test(name) && !name.endsWith('.new'));
}

/** A disk with a look at the folder before each step. */
function watched(look: () => void): IndexDisk {
  return {
    ...nodeIndexDisk,
    create(path) {
      look();
      return nodeIndexDisk.create(path);
    },
    async link(from, to) {
      look();
      await nodeIndexDisk.link(from, to);
    },
    rename(from, to) {
      look();
      nodeIndexDisk.rename(from, to);
      look();
    },
    remove(path) {
      if (existsSync(path)) look();
      nodeIndexDisk.remove(path);
    },
  };
}
