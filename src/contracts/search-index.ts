/** The fields of a document, each with its own weight; index/fields.ts has them in the order of the index format. */
export type Field = 'title' | 'headings' | 'body' | 'anchors' | 'url' | 'description';

/** The text of a link to a document; its weight says how much it is worth (another host > the same host > nofollow). */
export interface AnchorText {
  readonly text: string;
  readonly weight: number;
}

/** What is known of a document besides its words: for filters, facets, folding and priors. */
export interface DocumentFacts {
  /** Host, in lower case, with its port where that is not the usual one; '' for imported documents. */
  readonly host: string;
  readonly mediaType: string;
  /** BCP 47, the main tag only; '' where unknown. */
  readonly language: string;
  /** ms since the epoch: when it was published or changed, else when it was fetched; 0 where unknown. */
  readonly date: number;
  /** When this copy was fetched, ms. */
  readonly fetchedAt: number;
  /** Number of the cluster of near-duplicates; 0: it has none. Of one cluster only the best is shown. */
  readonly cluster: number;
  /** 0 (honest) to 1. */
  readonly spam: number;
  /** Link rank as a prior, 0 to 1: log-scaled PageRank. */
  readonly rank: number;
}

/** A document as the index takes it. */
export interface IndexedDocument {
  /** URL, or the id of an imported document. Adding an id again replaces what was there. */
  readonly id: string;
  readonly title: string;
  readonly headings: string;
  readonly body: string;
  readonly description: string;
  readonly anchors: readonly AnchorText[];
  readonly facts: DocumentFacts;
}

/** How near a word of a document has to be to the one that was asked for, of those with the same term. */
export type FormLimit = 'form' | 'derivation';

/** What a query has become. Terms are analysed already: folded and stemmed as the index holds them. */
export type QueryNode =
  /** Any of the terms (stems for several languages, say) counts as the word. `field` limits it to one field. */
  | {
      readonly kind: 'term';
      readonly terms: readonly string[];
      /** For each of the terms the form that was asked for, as `wordForm` of the index numbers them: documents with it come first. */
      readonly forms?: readonly number[];
      /** Only documents with that form, or with one that is derived alike, whatever its ending. */
      readonly only?: FormLimit;
      readonly field?: Field;
      readonly boost?: number;
    }
  /** Terms at consecutive positions (plus the gaps that stop words leave). */
  | {
      readonly kind: 'phrase';
      readonly terms: readonly string[];
      readonly offsets: readonly number[];
      readonly forms?: readonly number[];
      readonly field?: Field;
    }
  /** Every term that begins so; scored as one. */
  | { readonly kind: 'prefix'; readonly prefix: string; readonly field?: Field }
  | { readonly kind: 'and'; readonly nodes: readonly QueryNode[] }
  | {
      readonly kind: 'or';
      readonly nodes: readonly QueryNode[] /** This many at least; default 1. */;
      readonly least?: number;
    }
  | { readonly kind: 'not'; readonly node: QueryNode }
  | { readonly kind: 'all' };

/** What a document has to be, whatever its words. */
export interface DocumentFilter {
  /** The host itself or a domain above it. */
  readonly sites?: readonly string[];
  readonly notSites?: readonly string[];
  readonly languages?: readonly string[];
  readonly mediaTypes?: readonly string[];
  readonly before?: number;
  readonly after?: number;
  /** The URL holds this text. */
  readonly inUrl?: readonly string[];
}

export interface Scored {
  /** Number of the document within the snapshot. */
  readonly document: number;
  readonly score: number;
}

export interface TopDocuments {
  /** Best first. */
  readonly top: readonly Scored[];
  /** Matches in all: exact where `exact`, else an estimate from what was looked at. */
  readonly total: number;
  readonly exact: boolean;
}

/**
 * The matches of a query that are best by words alone. A closer look is taken only at as many of them as are wanted. The next
 * search may use their memory once they are disposed of: nothing of them is read after that.
 */
export interface BestMatches extends Disposable {
  /**
   * Their numbers, in no order of meaning. Where matches were to be seen as well, the numbers of all matches, or of a sample
   * spread evenly over the index.
   */
  readonly documents: ArrayLike<number>;
  /** There may be matches besides `documents`. */
  readonly isPart: boolean;
  /** So many of the best are known. */
  readonly best: number;
  /** As in `TopDocuments`. */
  readonly total: number;
  readonly exact: boolean;
  /** What `IndexSnapshot.top` answers for this `k`, which is at most what was asked for. */
  top(k: number): readonly Scored[];
}

/** `counts[n]` documents have `values[n]`. No value comes twice; a count may be 0. */
export interface ValueCounts<Value extends string | number> {
  readonly values: readonly Value[];
  readonly counts: ArrayLike<number>;
}

/** In how many documents each value of a fact stands. */
export interface FactCounts {
  readonly host: ValueCounts<string>;
  readonly mediaType: ValueCounts<string>;
  readonly language: ValueCounts<string>;
  /** Of the date, UTC; documents without a date are not counted. */
  readonly year: ValueCounts<number>;
}

/** One part of a score, for explain-score. */
export interface ScorePart {
  readonly what: string;
  readonly value: number;
  readonly parts?: readonly ScorePart[];
}

/** What is known of a document of a snapshot. */
export interface StoredDocument {
  readonly id: string;
  readonly title: string;
  readonly facts: DocumentFacts;
  /** Tokens per field. */
  readonly lengths: readonly number[];
  /** Of the anchors it was indexed with, as `anchorSum` of the index makes it. */
  readonly anchorSum: number;
}

/** A state of the index that does not change while it is looked at. */
export interface IndexSnapshot extends Disposable {
  readonly documents: number;
  /** Best `k` by BM25F with proximity and priors. */
  top(query: QueryNode, k: number, filter?: DocumentFilter): TopDocuments;
  /** The best `most` matches by words alone; `seen`: so many matches of any rank, for callers that count thousands and show ten. */
  matches(query: QueryNode, most: number, filter?: DocumentFilter, seen?: number): BestMatches;
  /** Whether any of the documents matches the query. */
  matchesAny(query: QueryNode, documents: readonly number[]): boolean;
  explain(query: QueryNode, document: number): ScorePart;
  document(number: number): StoredDocument;
  /** Its facts alone. Unlike `document` it reads memory only, and so do `fact`, `countFacts` and `select`. */
  facts(number: number): DocumentFacts;
  fact<Name extends keyof DocumentFacts>(name: Name, number: number): DocumentFacts[Name];
  countFacts(documents: ArrayLike<number>): FactCounts;
  /** Those of the documents that are of any of the hosts or of any of the clusters, in no order of meaning. */
  select(documents: ArrayLike<number>, hosts: ReadonlySet<string>, clusters: ReadonlySet<number>): readonly number[];
  /** The number of a document by its id. */
  find(id: string): number | undefined;
  /** Documents that hold the term. */
  frequency(term: string): number;
  /** These terms will be asked about: where each question takes a while, they are asked together. */
  expect?(terms: readonly string[]): void;
  /** Terms that begin so, the most frequent first. */
  terms(prefix: string, limit: number): readonly { readonly term: string; readonly documents: number }[];
}

/** What is said of a document elsewhere, as it is today. */
export interface DocumentRefresh {
  /** Asked for where they may be others than the index holds, or are to be written again. */
  readonly anchors: readonly AnchorText[];
  /** It is known that they are those which the index holds. */
  readonly hasSameAnchors?: boolean;
  readonly rank: number;
  readonly cluster: number;
}

/**
 * Tells what is said of a document today. Undefined: what the index holds stays; 'gone': it leaves the index. `mark`: the anchors that
 * the index holds are those of that time or of a later one, where it is known (`RefreshAllOptions`).
 */
export type RefreshDocument = (
  id: string,
  facts: DocumentFacts,
  mark: number | undefined,
) => Promise<DocumentRefresh | 'gone' | undefined>;

export interface RefreshAllOptions {
  /** Segments with deleted documents become one without them. */
  readonly isClean?: boolean;
  /** Ends it between two documents; what was refreshed by then stays. */
  readonly isOver?: () => boolean;
  /** Stands for now, and is larger than any before: with it documents that are refreshed, or added from now on, are asked for later. */
  readonly mark?: number;
  /** Documents that were refreshed or added at this mark or later are passed over. */
  readonly before?: number;
  /** Nothing is written: anchors that are others than the index holds are held in memory, as far as there is room, until they are. */
  readonly isPreparation?: boolean;
}

/** What a writer has done since it opened the index. */
export interface IndexWork {
  /** Documents analysed: those added, replacements included. */
  readonly analysed: number;
  /** Bytes of all files of the index, merges included. */
  readonly bytesWritten: number;
  /** Merges of segments that were completed. */
  readonly merges: number;
}

/** The inverted index of one crawl folder: immutable segments, committed at once, opened by one writer and any number of readers. */
export interface SearchIndex extends AsyncDisposable {
  add(document: IndexedDocument): void;
  remove(id: string): void;
  /** Everything added so far, and `place` with it, is durable and seen by new snapshots; all or nothing. */
  commit(place?: unknown): Promise<void>;
  /** What the last commit was told. */
  readonly place: unknown;
  readonly work: IndexWork;
  snapshot(): IndexSnapshot;
  /**
   * From now on merges ask for each document what is said of it today, and apply it; but for small ones on the way, whose documents
   * are new. Undefined: merges ask no longer.
   */
  refreshWith(refresh: RefreshDocument | undefined): void;
  /**
   * Makes one segment of all, refreshed, without anything deleted: until then deleted documents count where the frequency of a
   * word does. Returns how many documents were changed.
   */
  mergeAll(): Promise<number>;
  /**
   * The same, but segments stay what they are: those in which a document has changed get its anchors and facts of today.
   */
  refreshAll(options?: RefreshAllOptions): Promise<number>;
  /**
   * Writes segments again of whose documents at least such a share is among `ids`. Returns the ids of documents in others, which
   * stay as they are.
   */
  refresh(ids: readonly string[], leastShare: number): Promise<readonly string[]>;
}
