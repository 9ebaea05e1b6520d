import { mkdirSync } from 'node:fs';
import { seededRandom } from '../../src/base/seeded-random.ts';
import type { DocumentFacts } from '../../src/contracts/search-index.ts';
import { DocumentStore } from '../../src/search/indexing/imports/document-store.ts';
import { openIndexOf } from '../../src/search/indexing/open-index.ts';
import type { ZipfWords } from './zipf-words.ts';

export interface SearchFolderOptions {
  readonly documents: number;
  readonly wordsPerDocument: number;
}

const COMMIT_DOCUMENTS = 20_000;
const SENTENCE_WORDS = 12;
const TITLE_WORDS = 6;
const HOSTS = 400;
const LANGUAGES = ['en', 'en', 'en', 'de', 'fr', ''];
const TYPES = [...Array<string>(8).fill('text/html'), 'application/pdf', 'text/plain'];
const FIRST_DAY = Date.UTC(2016, 0, 1);
const DAY_MS = 24 * 3600 * 1000;
const DAYS = 3_900;
/** One document of 20 says nearly what the one before it says. */
const CLUSTERED = 0.05;

/**
 * Fills a folder as an import does, but with hosts, languages, types, dates and clusters, so that facets have values to count. One that was
 * filled before is used as it is, and one whose filling was cut off is filled up: the documents are the same in every run.
 */
export async function buildSearchFolder(
  folder: string,
  { words, drawRank }: ZipfWords,
  { documents, wordsPerDocument }: SearchFolderOptions,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await using opened = await openIndexOf(folder);
  const { index } = opened;
  const { documents: filled = 0 } = (index.place ?? {}) as { documents?: number };
  if (filled === documents) return;
  if (filled > documents) throw new Error(`${folder} holds ${filled} documents; name another folder for ${documents}.`);
  using store = new DocumentStore(folder);
  const random = seededRandom(1);
  const drawWord = (): string => words[drawRank(random)];
  let cluster = 1;
  for (let at = 0; at < documents; at++) {
    const host = `www${Math.floor(HOSTS ** random())}.example.org`;
    const id = `https://${host}/${drawWord()}/page-${at}.html`;
    const title = Array.from({ length: TITLE_WORDS }, drawWord).join(' ');
    const text = drawText(drawWord, wordsPerDocument);
    if (random() >= CLUSTERED) cluster++;
    const date = FIRST_DAY + Math.floor(random() * DAYS) * DAY_MS;
    const facts: DocumentFacts = {
      host,
      mediaType: TYPES[Math.floor(random() * TYPES.length)],
      language: LANGUAGES[Math.floor(random() * LANGUAGES.length)],
      date: random() < 0.1 ? 0 : date,
      fetchedAt: date + DAY_MS,
      cluster,
      spam: 0,
      rank: random(),
    };
    if (at < filled) continue;
    store.put({ id, title, text });
    index.add({ id, title, headings: '', body: text, description: '', anchors: [], facts });
    if (at % COMMIT_DOCUMENTS === COMMIT_DOCUMENTS - 1) {
      store.commit();
      await index.commit({ documents: at + 1 });
    }
  }
  store.commit();
  await index.commit({ documents });
}

function drawText(drawWord: () => string, count: number): string {
  let text = '';
  for (let at = 1; at <= count; at++) {
    const ends = at % SENTENCE_WORDS === 0;
    text += drawWord() + (ends ? '. ' : ' ');
  }
  return text.trimEnd();
}
