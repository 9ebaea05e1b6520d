import type { DocumentFacts, IndexSnapshot, QueryNode, Scored } from '../contracts/search-index.ts';
import type { Exclusions } from './filter-reader.ts';
import type { Foldable } from './folding.ts';
import type { ParsedQuery } from './query-parser.ts';
import { relaxedTop } from './relaxation.ts';

/** A match with what folding, facets and exclusions go by. */
export interface Match extends Foldable {
  readonly facts: DocumentFacts;
}

export interface Matches {
  /** Best first. */
  readonly all: readonly Match[];
  readonly total: number;
  readonly exact: boolean;
  /** The query as it was asked in the end. */
  readonly node: QueryNode;
  /** How many of the best have everything that was asked for. */
  readonly whole: number;
  /** There may be more than were read. */
  readonly more: boolean;
  readonly dropped: readonly string[];
}

/**
 * An index looks closer at the best only, so how many are asked for at once may change their order. To keep pages as they
 * are, they are always asked for in these steps, and what a step adds comes after what was known.
 */
const STEPS = [100, 1_000, 5_000, 10_000];

/** Matches beyond these are neither listed nor counted by facets. */
export const MOST_MATCHES = STEPS[STEPS.length - 1];

/** Reads the best matches of one query from one snapshot, as deep as is needed. */
export class MatchReader {
  readonly #snapshot: IndexSnapshot;
  readonly #query: ParsedQuery & { readonly node: QueryNode };
  readonly #enough: number;
  readonly #refuses: ((match: Match) => boolean) | undefined;
  readonly #read = new Map<number, Match>();
  #step = 0;

  /** `enough`: with fewer matches words are given up. */
  constructor(snapshot: IndexSnapshot, query: ParsedQuery & { readonly node: QueryNode }, enough: number) {
    this.#snapshot = snapshot;
    this.#query = query;
    this.#enough = enough;
    this.#refuses = refusal(query.without, snapshot);
  }

  /** All that were read before, and the next ones. */
  next(): Matches {
    const k = STEPS[Math.min(this.#step++, STEPS.length - 1)];
    const { ranked, ...found } = relaxedTop(this.#snapshot, this.#query, k, this.#enough);
    for (const scored of ranked)
      if (!this.#read.has(scored.document)) this.#read.set(scored.document, this.#match(scored));
    const matches = [...this.#read.values()];
    const more = found.more && k < MOST_MATCHES;
    if (this.#refuses === undefined) return { ...found, all: matches, more };
    const all = matches.filter((match) => this.#refuses?.(match) !== true);
    // What was not looked at is taken to be like what was.
    const total = found.more ? Math.round((found.total * all.length) / matches.length) : all.length;
    return { ...found, all, more, total, exact: found.exact && !found.more };
  }

  #match({ document, score }: Scored): Match {
    const facts = this.#snapshot.facts?.(document) ?? this.#snapshot.document(document).facts;
    return { document, score, facts, host: facts.host, cluster: facts.cluster };
  }
}

function refusal(
  { languages, mediaTypes, inUrl }: Exclusions,
  snapshot: IndexSnapshot,
): ((match: Match) => boolean) | undefined {
  if (languages.length + mediaTypes.length + inUrl.length === 0) return undefined;
  const holds = (id: string): boolean => inUrl.some((part) => id.toLowerCase().includes(part));
  return ({ document, facts }) =>
    languages.includes(facts.language) ||
    mediaTypes.includes(facts.mediaType) ||
    (inUrl.length > 0 && holds(snapshot.document(document).id));
}
