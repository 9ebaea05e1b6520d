import type { Field } from '../contracts/search-index.ts';

/** How documents are ranked. Weights of words are read at query time: changing them asks for no new index. */
export interface RankingOptions {
  /** How soon further occurrences of a word stop counting. */
  readonly k1: number;
  /** What an occurrence in a field is worth, before its length is taken into account. */
  readonly weights: Readonly<Record<Field, number>>;
  /** 0: the length of a field does not matter; 1: only the share of the word in it does. */
  readonly b: Readonly<Record<Field, number>>;
  /** The length of a field whose average is as many words says half as much: of short fields it says little. */
  readonly lengthPivot: number;
  /** Bonus for query words that stand side by side, as a share of the rarer word's weight. */
  readonly proximity: number;
  /** Words farther apart than this earn no bonus. */
  readonly proximityWindow: number;
  /** Bonus for a title that is the query, as a share of what its words are worth; half of it earns half. */
  readonly titleMatch: number;
  /** Taken away where a document has a word in other forms than the one asked for, as a share of what the word is worth; half of it for another ending. */
  readonly form: number;
  /** The same for a title that has it in other forms, besides. */
  readonly titleForm: number;
  /** Added for the best link rank there is. */
  readonly rank: number;
  /** Taken away for certain spam. */
  readonly spam: number;
  /** Added for a home page; deeper pages get less. */
  readonly urlForm: number;
  /** Added for the newest document of the index; halves with each `freshnessHalfLifeMs`. */
  readonly freshness: number;
  readonly freshnessHalfLifeMs: number;
  /** This many of the best by words alone have proximity and priors added. */
  readonly candidates: number;
  /** Up to this many postings all matches are counted; beyond, what cannot get among the best is passed over. */
  readonly countedPostings: number;
  /** Segments of as many documents list which of them hold two common words side by side; in smaller ones phrases are soon found without. */
  readonly pairedDocuments: number;
}

export const DEFAULT_RANKING: RankingOptions = {
  k1: 1.4,
  weights: { title: 3, headings: 5, body: 1, anchors: 5, url: 1, description: 1.2 },
  b: { title: 0.75, headings: 0.2, body: 0.75, anchors: 0.2, url: 0.75, description: 0.75 },
  lengthPivot: 40,
  proximity: 0.06,
  proximityWindow: 8,
  titleMatch: 0.5,
  form: 0.1,
  titleForm: 0.1,
  rank: 2,
  spam: 4,
  urlForm: 0.4,
  freshness: 0.2,
  freshnessHalfLifeMs: 365 * 24 * 3600 * 1000,
  candidates: 100,
  countedPostings: 50_000,
  pairedDocuments: 10_000,
};
