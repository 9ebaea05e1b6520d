import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { OrbweaverError } from '../../../src/base/errors.ts';
import type { DocumentFacts, IndexedDocument } from '../../../src/contracts/search-index.ts';
import { createAnalyzer } from '../../../src/index/analysis/analyzer.ts';
import { openSegmentIndex, type SegmentIndex } from '../../../src/index/segment-index.ts';
import { openSearcher } from '../../../src/search/open-searcher.ts';
import { formatScore } from '../../../src/search/results/format-score.ts';
import type { Searcher } from '../../../src/search/searcher.ts';

const DAY = Date.UTC(2026, 4, 4);

function page(id: string, title: string, body: string, facts: Partial<DocumentFacts> = {}): IndexedDocument {
  const host = URL.canParse(id) ? new URL(id).host : '';
  const known = { mediaType: 'text/html', language: 'en', date: DAY, fetchedAt: DAY, cluster: 0, spam: 0, rank: 0 };
  return { id, title, headings: '', body, description: '', anchors: [], facts: { host, ...known, ...facts } };
}

const PAGES = [
  page('https://birds.example/owl', 'Owls', 'The owl is a bird of the night. Owls hunt mice in the forest.'),
  page('https://birds.example/eagle', 'Eagles', 'The eagle is a bird of prey. Eagles hunt fish and mice.'),
  page('https://birds.example/hawk', 'Hawks', 'The hawk is a bird of prey that hunts by day.'),
  page('https://birds.example/wren', 'Wrens', 'The wren is a small bird with a loud song.'),
  page('https://cats.example/cat', 'Cats', 'A cat hunts mice at night. Cats are not birds.', {
    date: Date.UTC(2020, 0, 1),
  }),
  page('https://copy.example/owl', 'Owls', 'The owl is a bird of the night. Owls hunt mice in the forest today.', {
    cluster: 5,
  }),
  page('https://mirror.example/owl', 'Owls', 'The owl is a bird of the night. Owls hunt mice in the forest now.', {
    cluster: 5,
  }),
  page('https://papers.example/bird.pdf', 'Flight', 'How a bird flies: wings and feathers.', {
    mediaType: 'application/pdf',
  }),
  page('https://vogel.example/eule', 'Eulen', 'Die Eule ist ein Vogel der Nacht und jagt Mäuse.', { language: 'de' }),
];

const JOINED = ['near-duplicate', 'near duplicate', 'nearduplicate', 'near\u2011duplicate', 'near-duplicates'].map(
  (words, at) => page(`https://words.example/${at}`, 'Words', `The ${words} method of this page.`),
);
const APART = page('https://words.example/apart', 'Words', 'A duplicate lies somewhere, and another page is near it.');

test('a hyphenated word is found however it is written, and its parts elsewhere only after that', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hyphens-'));
  try {
    await using index = await openSegmentIndex({ folder: join(folder, 'index'), analyze: createAnalyzer().analyze });
    for (const document of [APART, ...JOINED]) index.add(document);
    await index.commit();
    await using searcher = await openSearcher(folder, { texts: { texts: async () => [] }, now: () => 0 });
    const found = async (query: string) => (await searcher.search({ query, unfolded: true })).hits.map(({ id }) => id);
    const joined = JOINED.map(({ id }) => id);
    for (const query of ['near-duplicate', 'near-duplicates', 'near\u2010duplicate']) {
      const ids = await found(query);
      assert.deepEqual(ids.slice(0, joined.length).sort(), joined, query);
      assert.equal(ids.at(-1), APART.id);
    }
    assert.deepEqual((await found('"near-duplicate"')).sort(), joined);
    assert.deepEqual(await found('words -near-duplicate'), [APART.id]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a name or flag is found as typed first, its words elsewhere after that', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'names-'));
  const filler = 'Lorem ipsum dolor sit amet consectetur adipiscing elit. '.repeat(5);
  try {
    await using index = await openSegmentIndex({ folder: join(folder, 'index'), analyze: createAnalyzer().analyze });
    const prose = 'Select related rows: select related. An init py, init. Git rebase onto main, onto it, onto all.';
    index.add(page('https://prose.example/', 'Select related init onto', prose));
    const code = 'Use select_related() in __init__.py or git rebase --onto main.';
    index.add(page('https://code.example/', 'Code', `${filler}${code}`));
    index.add(page('https://joined.example/', 'Select-related', 'The select-related words.'));
    await index.commit();
    await using searcher = await openSearcher(folder, { texts: { texts: async () => [] }, now: () => 0 });
    for (const query of ['select_related', '__init__.py', '__init__', 'git rebase --onto', '"select_related"']) {
      const { hits } = await searcher.search({ query });
      assert.equal(hits[0].id, 'https://code.example/', query);
      assert.ok(hits.length > 1, query);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a document is found though its language was guessed wrong', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'languages-'));
  try {
    await using index = await openSegmentIndex({ folder: join(folder, 'index'), analyze: createAnalyzer().analyze });
    for (let at = 0; at < 200; at++)
      index.add(page(`https://page.example/${at}`, 'Page', `A page about number ${at}.`));
    const text = 'piece 18 piece 19 slowpoke ends here';
    index.add(page('file:///notes/polish.txt', 'Note', text, { language: 'pl' }));
    index.add(page('file:///notes/unknown.txt', 'Note', 'the houses and hedgehogs of Eisenach', { language: '' }));
    await index.commit();
    await using searcher = await openSearcher(folder, { texts: { texts: async () => [] }, now: () => 0 });
    const found = async (query: string) => (await searcher.search({ query })).hits.map(({ id }) => id);
    for (const query of ['slowpoke', 'slowpoke ends', '"slowpoke ends here"', 'slowpoke -page'])
      assert.deepEqual(await found(query), ['file:///notes/polish.txt'], query);
    assert.deepEqual(await found('hedgehog'), ['file:///notes/unknown.txt']);
    assert.deepEqual((await searcher.search({ query: 'slowpoke' })).dropped, undefined);
    assert.ok(((await searcher.explainScore('slowpoke', 'file:///notes/polish.txt'))?.value ?? 0) > 0);
    assert.deepEqual(await searcher.matching('slowpoke'), ['file:///notes/polish.txt']);
    assert.deepEqual(await found('is this what ends here of slowpoke'), ['file:///notes/polish.txt']);
    const { hits } = await searcher.search({ query: 'number 19 ends' });
    assert.ok(hits.length > 1);
    for (const { id, score } of hits.slice(0, 2))
      assert.equal((await searcher.explainScore('number 19 ends', id))?.value.toFixed(6), score.toFixed(6), id);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

describe('Searcher', () => {
  let folder = '';
  let index: SegmentIndex;
  let searcher: Searcher;
  const texts = new Map(PAGES.map(({ id, body }) => [id, body]));
  const find = async (query: string, more = {}) => await searcher.search({ query, ...more });
  const ids = async (query: string, more = {}) => (await find(query, more)).hits.map(({ id }) => id).sort();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'searcher-'));
    index = await openSegmentIndex({ folder: join(folder, 'index'), analyze: createAnalyzer().analyze });
    for (const document of PAGES) index.add(document);
    await index.commit();
    searcher = await openSearcher(folder, {
      texts: { texts: async (copies) => copies.map(({ id }) => texts.get(id)) },
      now: () => 0,
    });
  });

  after(async () => {
    await searcher[Symbol.asyncDispose]();
    await index[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it('finds documents with all words, with title and passage marked', async () => {
    const { hits, exact, dropped } = await find('eagle fishes');
    assert.equal(hits[0].id, 'https://birds.example/eagle');
    assert.equal(hits[0].url, hits[0].id);
    assert.deepEqual(hits[0].title, [{ text: 'Eagles', match: true }]);
    assert.deepEqual(
      hits[0].snippet.filter(({ match }) => match).map(({ text }) => text),
      ['eagle', 'Eagles', 'fish'],
    );
    assert.equal(exact, true);
    assert.equal(dropped, undefined);
  });

  it('gives up words that no document has, and says which', async () => {
    const { hits, dropped } = await find('eagle zyzzyva');
    assert.equal(hits[0].id, 'https://birds.example/eagle');
    assert.deepEqual(dropped, ['zyzzyva']);
    const some = await find('eagle wren');
    assert.equal(some.hits.length, 2);
    assert.equal(some.withAllWords, 0);
    assert.deepEqual(some.notes, []);
    assert.deepEqual((await find('zyzzyva')).hits, []);
  });

  it('counts documents with all words apart from those with some', async () => {
    const counts = async (query: string, more = {}) => {
      const { total, withAllWords } = await find(query, { unfolded: true, ...more });
      return [withAllWords, total];
    };
    assert.deepEqual(await counts('eagle bird'), [1, 8]);
    assert.deepEqual(await counts('eagle bird -filetype:pdf'), [1, 7]);
    assert.deepEqual(await counts('eagle bird -inurl:eagle'), [0, 7]);
    assert.deepEqual(await counts('bird night', { perPage: 3 }), [4, 4]);
    assert.deepEqual(await counts('eagle zyzzyva'), [0, 1]);
    assert.deepEqual(await counts('bird'), [undefined, 8]);
    assert.deepEqual(await counts('site:birds.example'), [undefined, 4]);
    assert.deepEqual(await counts('which eagle wren hawk owl cat bird hunts mice'), [undefined, 8]);
  });

  it('gives up a phrase only where nothing has it', async () => {
    assert.deepEqual(await ids('"bird of prey"'), ['https://birds.example/eagle', 'https://birds.example/hawk']);
    const { hits, dropped } = await find('"prey of bird"');
    assert.ok(hits.length > 2);
    assert.deepEqual(dropped, ['prey of bird']);
  });

  it('keeps to operators', async () => {
    assert.deepEqual(await ids('bird filetype:pdf'), ['https://papers.example/bird.pdf']);
    assert.deepEqual(await ids('site:cats.example'), ['https://cats.example/cat']);
    assert.deepEqual(await ids('mice -owl lang:en'), ['https://birds.example/eagle', 'https://cats.example/cat']);
    assert.deepEqual(await ids('night before:2021'), ['https://cats.example/cat']);
    assert.deepEqual(await ids('bird inurl:wren'), ['https://birds.example/wren']);
    assert.deepEqual(await ids('intitle:flight'), ['https://papers.example/bird.pdf']);
    assert.equal((await ids('bird -lang:en -filetype:pdf')).length, 0);
    assert.ok(!(await ids('bird -filetype:pdf', { unfolded: true })).includes('https://papers.example/bird.pdf'));
    assert.deepEqual(await ids('feath*'), ['https://papers.example/bird.pdf']);
  });

  it('folds near-duplicates and hosts', async () => {
    const folded = await find('owl');
    const clustered = folded.hits.find(({ host }) => host === 'copy.example' || host === 'mirror.example');
    assert.equal(clustered?.similar, 1);
    assert.equal((await find('owl', { unfolded: true })).hits.length, folded.hits.length + 1);
    const birds = await find('bird', { perPage: 3 });
    assert.ok(birds.hits.filter(({ host }) => host === 'birds.example').length <= 2);
  });

  it('lists every hit on exactly one page', async () => {
    const all = await ids('bird OR cat OR vogel', { perPage: 100 });
    const paged: string[] = [];
    for (let at = 1; at <= 8; at++) paged.push(...(await ids('bird OR cat OR vogel', { perPage: 2, page: at })));
    assert.deepEqual(paged.sort(), all);
    assert.match((await find('bird', { page: 9_999_999 })).notes.join(), /Only the first 10000/);
  });

  it('counts by host, language, type and year', async () => {
    const { facets } = await find('night OR nacht', { facets: true, unfolded: true });
    assert.deepEqual(facets?.language, [
      { value: 'en', count: 4 },
      { value: 'de', count: 1 },
    ]);
    assert.deepEqual(facets?.year, [
      { value: '2026', count: 4 },
      { value: '2020', count: 1 },
    ]);
    assert.deepEqual(facets?.type, [{ value: 'html', count: 5 }]);
    assert.equal(facets?.host.length, 5);
  });

  it('suggests real words for slips', async () => {
    assert.equal((await find('eagel fsih')).suggestion, 'eagle fish');
    assert.equal((await find('feathres site:papers.example')).suggestion, 'feathers site:papers.example');
    assert.equal((await find('eagle')).suggestion, undefined);
    assert.equal((await find('zyzzyva')).suggestion, undefined);
  });

  it('completes the last word with words that occur', async () => {
    assert.deepEqual(await searcher.complete('feat', 5), ['feathers']);
    assert.deepEqual(await searcher.complete('bird of pr', 5), ['bird of prey']);
    assert.deepEqual(await searcher.complete('site:bi', 5), []);
    assert.deepEqual(await searcher.complete('', 5), []);
  });

  it('tells what a score is made of', async () => {
    const score = await searcher.explainScore('owl night', 'https://birds.example/owl');
    assert.ok(score !== undefined && score.value > 0);
    assert.match(formatScore(score), /^\s+\d+\.\d{3} {2}\S/);
    assert.equal(await searcher.explainScore('owl', 'https://nowhere.example/'), undefined);
  });

  it('ranks plain text for test collections, signs and all', () => {
    const ranked = searcher.rank('What does the "eagle" (a bird) -hunt, site:x?', 100);
    assert.equal(ranked[0].id, 'https://birds.example/eagle');
    assert.ok(ranked.every(({ score }, at) => at === 0 || score <= ranked[at - 1].score));
    assert.deepEqual(searcher.rank('', 10), []);
  });

  it('answers whatever is typed', async () => {
    for (const query of ['', '"', '-', '()', 'a'.repeat(20_000), '*', 'site:', '\u0000', '-bird'])
      assert.ok(Array.isArray((await find(query)).hits), query);
    assert.match((await find('')).notes.join(), /no word/);
  });

  it('sees what is committed while it is open', async () => {
    const count = searcher.documents;
    const waiting = find('quokka');
    index.add(page('https://new.example/', 'Quokka', 'The quokka smiles.'));
    await index.commit();
    assert.deepEqual((await waiting).hits, []);
    assert.deepEqual(await ids('quokka'), ['https://new.example/']);
    assert.equal(searcher.documents, count + 1);
  });

  it('says what to do where there is no index', async () => {
    const empty = join(folder, 'nothing');
    await assert.rejects(openSearcher(empty), (error) => {
      assert.ok(error instanceof OrbweaverError && error.code === 'FOLDER_NOT_A_CRAWL');
      assert.match(error.remedy ?? '', /orbweaver crawl URL --dir /);
      return true;
    });
    await mkdir(empty);
    await assert.rejects(openSearcher(empty), (error) => {
      assert.ok(error instanceof OrbweaverError && error.code === 'INDEX_MISSING');
      assert.match(error.remedy ?? '', /orbweaver index --dir /);
      return true;
    });
  });
});
