import { seededRandom } from '../../src/base/seeded-random.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';

const WORD = /\p{L}{3,20}/gu;
/** Words of a text that are drawn from. */
const FIRST_WORDS = 400;

/** Queries of one to three words that stand in one page of a crawl; no query twice. */
export async function crawlQueries(folder: string, count: number, seed: number): Promise<string[]> {
  using reader = new CrawlReader(folder);
  const pages: string[][] = [];
  for await (const { text } of reader.texts()) {
    const words = text.toLowerCase().match(WORD)?.slice(0, FIRST_WORDS) ?? [];
    if (words.length > 0) pages.push([...new Set(words)]);
  }
  const random = seededRandom(seed);
  const drawn = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)];
  const queries = new Set<string>();
  // A small crawl may not have so many.
  for (let tries = 0; queries.size < count && tries < 20 * count; tries++) {
    const words = drawn(pages);
    queries.add([...new Set(Array.from({ length: 1 + Math.floor(random() * 3) }, () => drawn(words)))].join(' '));
  }
  return [...queries];
}
