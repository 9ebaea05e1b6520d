import type { DocumentFilter, FactCounts, QueryNode, ScorePart, StoredDocument } from '../../contracts/search-index.ts';
import type { DocumentTotals } from '../../index/query/snapshot-basis.ts';
import type { ShardState } from '../../index/shard-index.ts';
import type { TextCopy } from '../text-source.ts';

/** Raised when questions or answers become others, or scores do: machines of different numbers do not search together. */
export const SHARD_PROTOCOL = 1;
export const SHARD_PATH = '/orbweaver/shard';

/** What words are weighed by: of all shards together. */
export interface SharedStatistics {
  readonly totals: DocumentTotals;
  /** Of the terms of the query. */
  readonly frequencies: Readonly<Record<string, number>>;
  /** What the prefixes of the query stand for. */
  readonly prefixes: Readonly<Record<string, readonly TermCount[]>>;
}

export interface TermCount {
  readonly term: string;
  readonly documents: number;
}

/** What a shard is asked about one of its states. Numbers of documents are its own. */
export type ShardQuestion =
  | { readonly kind: 'frequencies'; readonly terms: readonly string[] }
  | { readonly kind: 'terms'; readonly prefix: string }
  | {
      readonly kind: 'matches';
      readonly query: QueryNode;
      readonly most: number;
      readonly filter: DocumentFilter;
      readonly seen?: number;
      readonly statistics: SharedStatistics;
    }
  | {
      readonly kind: 'matches-any';
      readonly query: QueryNode;
      readonly documents: readonly number[];
      readonly statistics: SharedStatistics;
    }
  | {
      readonly kind: 'explain';
      readonly query: QueryNode;
      readonly document: number;
      readonly statistics: SharedStatistics;
    }
  | { readonly kind: 'documents'; readonly documents: readonly number[] }
  | { readonly kind: 'count-facts'; readonly documents: readonly number[] }
  | {
      readonly kind: 'select';
      readonly documents: readonly number[];
      readonly hosts: readonly string[];
      readonly clusters: readonly number[];
    }
  | { readonly kind: 'find'; readonly id: string }
  | { readonly kind: 'texts'; readonly copies: readonly TextCopy[] }
  | { readonly kind: 'description'; readonly copy: TextCopy };

/** Without `question` it is asked for its newest state. */
export interface ShardRequest {
  readonly protocol: number;
  readonly version?: string;
  readonly question?: ShardQuestion;
}

/** A match, with what pages of results are folded by. */
export interface ShardMatch {
  readonly document: number;
  readonly byWords: number;
  readonly score: number;
  readonly host: string;
  readonly cluster: number;
  readonly language: string;
  readonly mediaType: string;
}

export interface ShardMatches {
  readonly total: number;
  readonly exact: boolean;
  readonly isPart: boolean;
  readonly best: number;
  readonly documents: readonly number[];
  /** Best first. */
  readonly candidates: readonly ShardMatch[];
  /** The first of them. */
  readonly stored: readonly StoredDocument[];
}

/** The answers, by the kind of question. */
export interface ShardAnswers {
  readonly frequencies: readonly number[];
  readonly terms: readonly TermCount[];
  readonly matches: ShardMatches;
  readonly 'matches-any': boolean;
  readonly explain: ScorePart;
  readonly documents: readonly StoredDocument[];
  readonly 'count-facts': FactCounts;
  readonly select: readonly number[];
  readonly find: number | null;
  readonly texts: readonly (string | null)[];
  readonly description: string | null;
}

/** What a machine that serves a shard says. */
export type ShardReply =
  | { readonly kind: 'state'; readonly node: string; readonly state: ShardState }
  | { readonly kind: 'answer'; readonly answer: unknown }
  /** The state that was asked about is no longer there. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly why: string; readonly protocol: number };
