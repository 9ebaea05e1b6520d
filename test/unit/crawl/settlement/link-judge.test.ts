import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlTask } from '../../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { LinkJudge } from '../../../../src/crawl/settlement/link-judge.ts';
import type { PageWork } from '../../../../src/crawl/visit/page-work.ts';
import { packLinks } from '../../../../src/crawl/workers/packed-links.ts';
import { breadthFirst } from '../../../../src/rank/orders/plain-orders.ts';

const PLAIN = { text: '', rel: '', nofollow: false, ugc: false, sponsored: false } as const;

function pageWith(...urls: readonly string[]) {
  const links = packLinks(
    urls.map((url) => ({ ...PLAIN, kind: 'a' as const, url })),
    100,
  );
  return { kind: 'refused', by: 'directive', rule: 'noindex', links } as const satisfies PageWork;
}

/** A judge that notes what it is asked. URLs that end in "known" are known, "depth" is out of depth below one page. */
function judgeOf() {
  const asked: CanonicalUrl[] = [];
  const learnt: CanonicalUrl[] = [];
  const questions: number[] = [];
  const known = packLinks([{ ...PLAIN, kind: 'a', url: 'http://b.test/known' }], 0).fingerprints[0];
  const judge = new LinkJudge(
    {
      unknown: async (pages) => {
        questions.push(pages.length);
        return pages.map(({ fingerprints }) => ({
          unknown: [...fingerprints.keys()].filter((place) => fingerprints[place] !== known),
          foreign: [],
        }));
      },
    },
    {
      order: breadthFirst(1),
      filter: {
        judge: ({ url, depth }: CrawlTask) => {
          asked.push(url);
          return url.endsWith('depth') && depth > 1
            ? { admit: false, by: 'depth', rule: 'max-depth 1' }
            : { admit: true };
        },
      },
      learnt: ({ url }) => {
        learnt.push(url);
        return undefined;
      },
    },
  );
  return { judge, asked, learnt, questions };
}

const page = (url: string, depth = 0) => ({ url: url as CanonicalUrl, depth });
const urlsOf = (tasks: readonly CrawlTask[]) => tasks.map(({ url }) => url);

test('a batch of pages asks once which of their links are unknown, each page by its own places', async () => {
  const { judge, questions } = judgeOf();
  const works: PageWork[] = [
    pageWith('http://b.test/known', 'http://b.test/1'),
    { kind: 'awaiting-robots' },
    pageWith(),
    pageWith('http://b.test/2', 'http://b.test/known', 'http://b.test/3'),
  ];
  assert.deepEqual(await judge.openBatch(works), [[1], [], [], [0, 2]]);
  assert.deepEqual(await judge.openBatch([{ kind: 'awaiting-robots' }]), [[]]);
  assert.deepEqual(questions, [3]);
});

test('links of hosts of other partitions are judged with the unknown', async () => {
  const asked: string[][] = [];
  const judge = new LinkJudge(
    {
      unknown: async (pages) => {
        asked.push(pages.map(({ fingerprints, host }) => [...fingerprints.keys()].map(host).join(' ')));
        return pages.map(({ fingerprints }) => ({ unknown: fingerprints.length > 1 ? [1] : [], foreign: [0] }));
      },
    },
    { order: breadthFirst(1), filter: { judge: () => ({ admit: true }) } },
  );
  const works: PageWork[] = [
    pageWith('http://b.test/1', 'http://c.test:8080/1', 'https://d.test/'),
    { kind: 'awaiting-robots' },
    pageWith('http://b.test/2'),
  ];
  assert.deepEqual(await judge.openBatch(works), [[0, 1], [], [0]]);
  assert.deepEqual(asked, [['b.test c.test:8080 d.test', 'b.test']]);
});

test('a link on two pages of a batch is judged once; both settlements name it, for one of them may come too late', async () => {
  const { judge, asked, learnt } = judgeOf();
  const [first, second] = [pageWith('http://b.test/1'), pageWith('http://b.test/1', 'http://b.test/2')];
  await judge.openBatch([first, second]);
  const one = judge.ofPage({ page: page('http://a.test/'), links: first.links, standing: {} }, [0]);
  const two = judge.ofPage({ page: page('http://c.test/', 4), links: second.links, standing: {} }, [0, 1]);
  assert.deepEqual(
    [urlsOf(one.links), urlsOf(two.links)],
    [['http://b.test/1'], ['http://b.test/1', 'http://b.test/2']],
  );
  assert.equal(two.links[0], one.links[0]);
  assert.deepEqual([asked, learnt], [urlsOf(two.links), urlsOf(two.links)]);
  // Of another batch nothing is remembered: the link may have been refused or forgotten since.
  await judge.openBatch([first]);
  judge.ofPage({ page: page('http://a.test/'), links: first.links, standing: {} }, [0]);
  assert.equal(asked.length, 3);
});

test('a link that one page may not follow is judged again for the next', async () => {
  const { judge } = judgeOf();
  const both = pageWith('http://b.test/depth');
  await judge.openBatch([both, both, both]);
  const deep = judge.ofPage({ page: page('http://a.test/', 1), links: both.links, standing: {} }, [0]);
  const closed = judge.ofPage(
    { page: page('http://c.test/'), links: both.links, nofollow: 'nofollow', standing: {} },
    [0],
  );
  const open = judge.ofPage({ page: page('http://d.test/'), links: both.links, standing: {} }, [0]);
  assert.deepEqual([deep.refusals[0].by, closed.refusals[0].by], ['depth', 'directive']);
  assert.deepEqual([deep.links.length, closed.links.length, urlsOf(open.links)], [0, 0, ['http://b.test/depth']]);
});
