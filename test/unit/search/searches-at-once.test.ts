import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { SearchRequest } from '../../../src/contracts/search-service.ts';
import { createAnalyzer } from '../../../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../../../src/index/segment-index.ts';
import { openSearcher } from '../../../src/search/open-searcher.ts';
import type { TextSource } from '../../../src/search/text-source.ts';

const DAY = Date.UTC(2026, 4, 4);
// Of two languages, with words that both stem, each in its own way: they are looked for as several terms.
const WORDS = ['house', 'houses', 'hand', 'hands', 'winter', 'arm', 'arms', 'wind', 'winds', 'sand', 'name', 'names'];
const DOCUMENTS = 1_200;
const SEGMENTS = 3;
const AT_ONCE = 8;

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function textOf(document: number): string {
  const random = numbers(document + 1);
  const length = 5 + Math.floor(random() * 40);
  return Array.from({ length }, () => WORDS[Math.floor(random() ** 2 * WORDS.length)]).join(' ');
}

/** Every text takes a few turns of the event loop, so that all searches under way go on between. */
const slowTexts: TextSource = {
  async texts(copies) {
    for (let turn = 0; turn < copies[0]?.id.length % 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    return copies.map(({ id }) => textOf(Number(id.split('/').at(-1))));
  },
};

function requests(): SearchRequest[] {
  const random = numbers(7);
  const word = (): string => WORDS[Math.floor(random() * WORDS.length)];
  return Array.from({ length: 64 }, (_, at): SearchRequest => {
    const forms = [
      () => word(),
      () => `${word()} ${word()}`,
      () => `"${word()} ${word()}"`,
      () => `${word().slice(0, 3)}*`,
      () => `${word()} -${word()}`,
      () => `${word()} ${word()} missing`,
      () => `${word()} OR "${word()}"`,
      () => `intitle:${word()} ${word()}`,
    ];
    return { query: forms[at % forms.length](), facets: at % 5 > 0, page: 1 + (at % 2), perPage: 10 };
  });
}

describe('searches at once', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'at-once-'));
    const { analyze } = createAnalyzer();
    await using index = await openSegmentIndex({ folder: join(folder, 'index'), analyze });
    for (let document = 0; document < DOCUMENTS; document++) {
      const body = textOf(document);
      index.add({
        id: `https://h${document % 40}.example/${document}`,
        title: body.split(' ', 2).join(' '),
        ...{ headings: '', body, description: '', anchors: [] },
        facts: {
          host: `h${document % 40}.example`,
          mediaType: 'text/html',
          language: document % 2 === 0 ? 'en' : 'de',
          date: DAY - (document % 5) * 400 * 86_400_000,
          fetchedAt: DAY,
          cluster: document % 7 === 0 ? 1 + (document % 30) : 0,
          spam: 0,
          rank: 0,
        },
      });
      if (document % (DOCUMENTS / SEGMENTS) === 0) await index.commit();
    }
    await index.commit();
  });
  after(async () => await rm(folder, { recursive: true, force: true }));

  it('are answered as each is that has a searcher to itself', async () => {
    const asked = requests();
    const alone: string[] = [];
    for (const request of asked) {
      await using searcher = await openSearcher(folder, { texts: slowTexts, now: () => 0 });
      alone.push(JSON.stringify(await searcher.search(request)));
    }
    assert.ok(alone.filter((answer) => JSON.parse(answer).total > 100).length > asked.length / 2);
    await using shared = await openSearcher(folder, { texts: slowTexts, now: () => 0 });
    const together: string[] = [];
    for (let from = 0; from < asked.length; from += AT_ONCE) {
      const answers = await Promise.all(asked.slice(from, from + AT_ONCE).map((request) => shared.search(request)));
      together.push(...answers.map((answer) => JSON.stringify(answer)));
    }
    for (const [at, answer] of alone.entries()) assert.equal(together[at], answer, asked[at].query);
  });
});
