import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexedDocument } from '../../../../src/contracts/search-index.ts';
import { BundleSearch } from '../../../../src/export/site-search/browser/bundle-search.ts';
import { browserModules } from '../../../../src/export/site-search/browser-modules.ts';
import { siteSearchFormat } from '../../../../src/export/site-search/site-search-format.ts';
import { openSearcher } from '../../../../src/search/open-searcher.ts';
import { documentOf, HeldFolder, IndexedFolder, jobOf } from '../indexed-documents.ts';

interface Bundle {
  readonly search: BundleSearch;
  /** Paths that were loaded, in order. */
  readonly loaded: string[];
  readonly files: HeldFolder['files'];
}

async function bundleOf(folder: IndexedFolder, urls?: readonly string[]): Promise<Bundle> {
  const held = new HeldFolder();
  assert.ok(siteSearchFormat.target === 'folder');
  await siteSearchFormat.write(folder.source(urls), held, jobOf({ title: 'A site' }));
  const loaded: string[] = [];
  const search = await BundleSearch.open(async (path) => {
    loaded.push(path);
    const { contents } = held.files.get(path) ?? assert.fail(`there is no ${path}`);
    return new Uint8Array(contents).buffer;
  });
  return { search, loaded, files: held.files };
}

/** A generator of numbers from 0 to 1, the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function collection(count: number): IndexedDocument[] {
  const random = numbers(7);
  const vocabulary = Array.from(
    { length: 500 },
    (_, at) => `w${'bcdfgklmnp'[at % 10]}${'aeiou'[at % 5]}${at.toString(36)}z`,
  );
  const words = (length: number): string =>
    Array.from({ length }, () => vocabulary[Math.floor(500 * random() ** 2)]).join(' ');
  return Array.from({ length: count }, (_, at) =>
    documentOf(`https://a.example/${at}`, {
      ...{ title: words(3), headings: words(5), body: words(20 + Math.floor(100 * random())), description: words(6) },
      facts: {
        ...{ host: 'a.example', mediaType: 'text/html', language: 'en', date: 0, fetchedAt: 0, cluster: 0, spam: 0 },
        rank: random(),
      },
    }),
  );
}

test('a bundle finds what the search finds, nearly in the same order', async () => {
  using folder = new IndexedFolder();
  const documents = collection(300);
  await folder.add(documents.slice(0, 200), documents.slice(200));
  const { search } = await bundleOf(folder);
  await using searcher = await openSearcher(folder.folder);
  let agreed = 0;
  let first = 0;
  const queries = documents.slice(0, 40).map(({ title }) => title.split(' ').slice(0, 2).join(' '));
  for (const query of queries) {
    const { hits } = await search.search(query, 0, 10);
    const ours = (await searcher.search({ query })).hits.map(({ id }) => id);
    const theirs = hits.map(({ url }) => url);
    agreed += theirs.filter((url) => ours.includes(url)).length / Math.max(1, ours.length);
    if (theirs[0] === ours[0]) first++;
  }
  // Nearness and titles that are the query count in the search alone.
  assert.ok(agreed / queries.length > 0.7, `${agreed / queries.length} of the first ten are the same`);
  assert.ok(first / queries.length > 0.7, `${first / queries.length} of the first are the same`);
});

test('only the parts that a query needs are loaded', async () => {
  using folder = new IndexedFolder();
  await folder.add(collection(400));
  const { search, loaded, files } = await bundleOf(folder);
  const { title } = collection(1)[0];
  await search.search(title, 0, 10);
  const terms = loaded.filter((path) => path.startsWith('terms/'));
  assert.ok(terms.length <= 3 && terms.length >= 1, String(terms));
  assert.ok(loaded.length <= 2 + 3 + 10);
  assert.equal([...files.keys()].filter((path) => path.startsWith('pages/')).length, 50);
  const before = loaded.length;
  await search.search(title, 0, 10);
  assert.equal(loaded.length, before, 'and once');
  for (const [path, { contents }] of files) if (path.startsWith('terms/')) assert.ok(contents.length < 100_000, path);
});

test('words are found by their stems; titles count more; all words come before some', async () => {
  using folder = new IndexedFolder();
  const filler = ' of other things that pages are about, at some length'.repeat(4);
  await folder.add([
    documentOf('https://a.example/title', { title: 'Spiders', body: `A page${filler}` }),
    documentOf('https://a.example/body', { title: 'A page', body: `a spider is mentioned${filler}` }),
    documentOf('https://a.example/both', { title: 'A page', body: `spider webs${filler}` }),
    documentOf('https://a.example/none', { title: 'A page', body: filler }),
  ]);
  const { search } = await bundleOf(folder);
  const found = async (query: string): Promise<string[]> =>
    (await search.search(query, 0, 10)).hits.map(({ url }) => url.slice('https://a.example/'.length));
  assert.equal((await found('spiders'))[0], 'title');
  assert.deepEqual((await found('spiders')).sort(), ['body', 'both', 'title']);
  assert.equal((await found('web spider'))[0], 'both');
  assert.deepEqual(await found('xylophone'), []);
  assert.deepEqual(await found(''), []);
  assert.deepEqual((await found('the spider unknownword')).sort(), ['body', 'both', 'title']);
});

test('a filter and deletions leave pages out', async () => {
  using folder = new IndexedFolder();
  const of = (name: string): IndexedDocument => documentOf(`https://a.example/${name}`, { body: 'spider' });
  await folder.add([of('a'), of('b'), of('c')], ['https://a.example/b']);
  const all = await (await bundleOf(folder)).search.search('spider', 0, 10);
  assert.deepEqual(all.hits.map(({ url }) => url).sort(), ['https://a.example/a', 'https://a.example/c']);
  const some = await (await bundleOf(folder, ['https://a.example/c'])).search.search('spider', 0, 10);
  assert.deepEqual([some.total, some.hits[0].url], [1, 'https://a.example/c']);
});

test('an empty index is a bundle as well', async () => {
  using folder = new IndexedFolder();
  await folder.add([documentOf('https://a.example/', { body: 'spider' })]);
  const { search } = await bundleOf(folder, []);
  assert.deepEqual(await search.search('spider', 0, 10), { total: 0, hits: [] });
});

test('the modules of the browser name nothing of Node.js', async () => {
  const modules = await browserModules();
  assert.ok(modules.some(({ path }) => path === 'base/code-units.js'));
  for (const { path, source } of modules) {
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    assert.doesNotMatch(code, /(?<![.\w])(?:Buffer|process|require|global|setImmediate)\b(?!:)|['"]node:/, path);
  }
});
