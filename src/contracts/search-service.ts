import type { ScorePart } from './search-index.ts';

/** What a reader asks. */
export interface SearchRequest {
  /** As typed: words, "phrases", -not, OR, site: inurl: intitle: filetype: type:image lang: before: after:, prefix*. */
  readonly query: string;
  /** From 1. */
  readonly page?: number;
  readonly perPage?: number;
  /** Show near-duplicates, and all hits of one host. Default: they are folded. */
  readonly unfolded?: boolean;
  readonly facets?: boolean;
  /** Search for the words as typed. Default: words that are misspelt beyond doubt are corrected. */
  readonly exactWords?: boolean;
}

/** A piece of a snippet; `match` marks what was asked for. */
export interface SnippetPart {
  readonly text: string;
  readonly match: boolean;
}

/** The page that shows a picture, a film or a sound. */
export interface ShownOn {
  readonly url: string;
  readonly title: string;
  /** In CSS pixels, where the page says so. */
  readonly width?: number;
  readonly height?: number;
}

export interface SearchHit {
  /** URL, or the id of an imported document. */
  readonly id: string;
  /** Absent for documents that have none. */
  readonly url?: string;
  readonly title: readonly SnippetPart[];
  readonly snippet: readonly SnippetPart[];
  readonly host: string;
  readonly mediaType: string;
  readonly language: string;
  /** ms since the epoch; 0 where unknown. */
  readonly date: number;
  readonly fetchedAt: number;
  readonly score: number;
  /** Near-duplicates that were folded into this hit. */
  readonly similar: number;
  /** Further hits of the same host that were folded. */
  readonly moreFromHost: number;
  /** Of a picture, a film or a sound, as `type:image` finds them. */
  readonly shownOn?: ShownOn;
}

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export interface SearchAnswer {
  readonly query: string;
  readonly page: number;
  readonly perPage: number;
  /** Matches in all. */
  readonly total: number;
  /** Those of them that have all the words; the others have some. Absent where one word was asked for, or a question in whole sentences. */
  readonly withAllWords?: number;
  /** False: "about". */
  readonly exact: boolean;
  readonly ms: number;
  readonly hits: readonly SearchHit[];
  readonly facets?: {
    readonly host: readonly FacetValue[];
    readonly language: readonly FacetValue[];
    readonly type: readonly FacetValue[];
    readonly year: readonly FacetValue[];
  };
  /** The query that was run instead of `query`, with its misspelt words corrected. */
  readonly correctedQuery?: string;
  /** A spelling that finds more. */
  readonly suggestion?: string;
  /** Words that were given up because no document has them all. */
  readonly dropped?: readonly string[];
  /** What was wrong with the query and how it was read, in words. */
  readonly notes: readonly string[];
}

/** Search over one crawl folder, as pages, commands and libraries use it. Sees what was committed last, without being opened again. */
export interface SearchService extends AsyncDisposable {
  /** `signal`: nobody waits for the answer any more; the promise is rejected with its reason. */
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>;
  /** Completions of what was typed so far, the likeliest first. */
  complete(typed: string, limit: number, signal?: AbortSignal): Promise<readonly string[]>;
  explainScore(query: string, id: string, signal?: AbortSignal): Promise<ScorePart | undefined>;
  /** When the copy of a document that is searched was fetched, ms; undefined where it is not in the index. */
  indexedAt(id: string, signal?: AbortSignal): Promise<number | undefined>;
  /** Documents that can be found. */
  readonly documents: number;
}
