import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SketchMethod } from '../../src/contracts/content/content-sketch.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { duplicateClusters } from '../../src/crawl/report/duplicate-clusters.ts';
import { methodOfCrawl, searchNear, textOfPage } from '../../src/crawl/report/near-search.ts';
import { methodOf } from '../../src/dedupe/near/sketch-method.ts';
import type { CreateCrawlSettings } from '../../src/index.ts';
import { quickOrLong } from '../property-runs.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

const HOME = 'http://site.test/';
const words = textOf('a', 200).split(' ');
const PAGES: Readonly<Record<string, string>> = {
  '/a': words.join(' '),
  '/near': words.with(100, 'changed').join(' '),
  // So large that another thread reads it.
  '/large': words.with(50, 'changed').join(' '),
  // 59 % of its shingles, of any length.
  '/part': [...words.slice(0, 150), ...textOf('b', 50).split(' ')].join(' '),
  '/other': textOf('c', 200),
};

type NearSettings = Partial<
  Pick<CreateCrawlSettings, 'nearSketch' | 'nearShingle' | 'nearThreshold' | 'nearDuplicates'>
>;

async function crawlPages(
  folder: string,
  near: NearSettings,
  more: Partial<CreateCrawlSettings> = {},
  also: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const pages = { ...PAGES, ...also };
  const { asked } = await crawlAnyHosts(
    ({ pathname }) => {
      if (pathname === '/') return pageOf('Home', textOf('home', 60), Object.keys(pages));
      const text = pages[pathname];
      if (text === undefined) return undefined;
      return pageOf('The same title', text, [], pathname === '/large' ? `<!--${' '.repeat(1_100_000)}-->` : '');
    },
    folder,
    [HOME],
    { softNotFound: false, trapLearning: false, ...near, ...more },
  );
  return asked;
}

function clustersIn(folder: string): string[][] {
  using reader = new CrawlReader(folder);
  return duplicateClusters(reader.duplicateListing).map(({ members }) =>
    members.map(({ url }) => new URL(url).pathname).sort(),
  );
}

interface SketchCase {
  readonly name: string;
  readonly near: NearSettings;
  readonly method: SketchMethod;
  readonly workers?: number;
}

const CASES: readonly SketchCase[] = [
  { name: 'one permutation in bins, the default', near: {}, method: { shingle: 5 } },
  ...quickOrLong<readonly SketchCase[]>(
    [],
    [
      { name: 'bins over 4-grams', near: { nearShingle: 4 }, method: { shingle: 4 } },
      { name: '200 permutations', near: { nearSketch: 200 }, method: { shingle: 5, permutations: 200 } },
    ],
  ),
  {
    name: 'as taught: 200 permutations over 4-grams, in a thread',
    near: { nearSketch: 200, nearShingle: 4 },
    method: { shingle: 4, permutations: 200 },
    workers: 1,
  },
];

describe('near-duplicates by each sketch', () => {
  for (const { name, near, method, workers = 0 } of CASES) {
    test(name, async () => {
      using folder = temporaryFolder();
      await crawlPages(folder.path, near, { workers });
      assert.deepEqual(clustersIn(folder.path), [['/a', '/large', '/near']]);
      using reader = new CrawlReader(folder.path);
      const sketches = [...reader.duplicateListing.sketches()];
      assert.equal(sketches.length, Object.keys(PAGES).length + 1);
      for (const [, { sketch }] of sketches) assert.deepEqual(methodOf(sketch), method);
      // The estimates that the crawl has noted: one or two words of 200 were changed.
      for (const { jaccard = 1 } of reader.duplicateListing.edges())
        assert.ok(jaccard > 0.82 && jaccard < 1, String(jaccard));
      assert.equal((await reader.status(0)).totals.nearDuplicates, 2);

      assert.deepEqual(methodOfCrawl(reader), method);
      const asked = await textOfPage(reader, `${HOME}a`);
      const search = await searchNear(reader, asked, { threshold: 0.4, limit: 20 });
      const shingles = words.length - method.shingle + 1;
      assert.deepEqual([search.method, search.shingles], [method, shingles]);
      assert.deepEqual(search.pages.map(({ url }) => new URL(url).pathname).sort(), ['/large', '/near', '/part']);
      // A changed word is in as many shingles as each has words.
      const expected = (shingles - method.shingle) / (shingles + method.shingle);
      assert.equal(search.pages[0].evidence?.jaccard, expected);
      assert.ok(Math.abs((search.pages[0].sketchJaccard ?? 0) - expected) < 0.07);
    });
  }

  test('near-threshold: pages with less in common are near-duplicates too, or fewer are', async () => {
    using wide = temporaryFolder();
    await crawlPages(wide.path, { nearThreshold: 0.5, nearSketch: 200 });
    assert.deepEqual(clustersIn(wide.path), [['/a', '/large', '/near', '/part']]);
    using narrow = temporaryFolder();
    await crawlPages(narrow.path, { nearThreshold: 1 });
    assert.deepEqual(clustersIn(narrow.path), []);
  });
});

describe('a folder with sketches of another method', () => {
  test('is refused, by name; goes on with its own, or without comparing', async () => {
    using folder = temporaryFolder();
    const taught = { nearSketch: 200, nearShingle: 4 };
    await crawlPages(folder.path, taught);
    for (const [other, told] of [
      [{}, 'near-sketch was 200, is bins; near-shingle was 4, is 5'],
      [{ nearShingle: 4 }, 'near-sketch was 200, is bins'],
      [{ nearSketch: 200 }, 'near-shingle was 4, is 5'],
      [{ ...taught, nearSketch: 199 }, 'near-sketch was 200, is 199'],
    ] as const) {
      await assert.rejects(crawlPages(folder.path, other), (error: Error & { code?: string; remedy?: string }) => {
        assert.equal(error.code, 'SETTING_INVALID');
        assert.ok(error.message.endsWith(`compares texts by other sketches: ${told}.`), error.message);
        assert.match(error.remedy ?? '', /Use the settings it began with/);
        return true;
      });
    }
    const later = { '/later': words.with(150, 'changed').join(' ') };
    await crawlPages(folder.path, { nearDuplicates: false }, { again: true }, later);
    assert.deepEqual(clustersIn(folder.path), [['/a', '/large', '/near']]);
    const last = { ...later, '/last': words.with(10, 'changed').join(' ') };
    await crawlPages(folder.path, { ...taught, nearThreshold: 0.85 }, { again: true }, last);
    assert.deepEqual(clustersIn(folder.path), [['/a', '/large', '/last', '/near']]);
  });
});
