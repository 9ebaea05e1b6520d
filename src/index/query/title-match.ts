import type { QueryNode } from '../../contracts/search-index.ts';
import { FIELDS } from '../fields.ts';
import { lengthOfByte } from '../format/quantise.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { PostingReader, PostingReaders } from './posting-reader.ts';
import { type QueryPlan, wantedWords } from './query-plan.ts';
import type { SearchedSegment } from './searched-segment.ts';

const TITLE = FIELDS.indexOf('title');
/** A query and a title with less in common are about different things. */
const LEAST_SHARE = 0.75;
/** Longer ones are sentences: what they claim or ask is seldom a title. */
const MOST_WORDS = 6;

/**
 * Tells what it adds to a document's score that its title is the query. Words alone cannot say that: a page that has them often
 * reaches the most that they are worth, whatever its title is.
 */
export class TitleMatch {
  readonly #words: readonly { readonly weight: number; readonly terms: readonly string[] }[];
  readonly #titleMatch: number;
  readonly #shared: PostingReaders;
  readonly #readers = new Map<SearchedSegment, PostingReader[][]>();

  constructor(query: QueryNode, plan: QueryPlan, { titleMatch }: RankingOptions, readers: PostingReaders) {
    this.#shared = readers;
    this.#titleMatch = titleMatch;
    const words = wantedWords(query);
    this.#words = titleMatch > 0 && words.length <= MOST_WORDS ? words.map((node) => plan.leaf(node)) : [];
  }

  bonus(searched: SearchedSegment, document: number): number {
    const asked = this.#words.length;
    const length = lengthOfByte(searched.segment.columns.lengths[TITLE][document]);
    if (length === 0 || Math.min(asked, length) < LEAST_SHARE * Math.max(asked, length)) return 0;
    let found = 0;
    let weight = 0;
    for (const [at, readers] of this.#readersOf(searched).entries()) {
      if (!readers.some((reader) => isInTitle(searched, document, reader))) continue;
      found++;
      weight += this.#words[at].weight;
    }
    const share = found / Math.max(asked, length);
    return share < LEAST_SHARE ? 0 : this.#titleMatch * weight * share;
  }

  #readersOf(searched: SearchedSegment): PostingReader[][] {
    let readers = this.#readers.get(searched);
    if (readers === undefined) {
      readers = this.#words.map(({ terms }) => this.#shared.ofAll(searched, terms));
      this.#readers.set(searched, readers);
    }
    return readers;
  }
}

function isInTitle({ segment }: SearchedSegment, document: number, reader: PostingReader): boolean {
  return reader.seek(document) === document && segment.codes.frequency(reader.code, TITLE) > 0;
}
