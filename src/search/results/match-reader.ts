import type { IndexSnapshot, QueryNode, Scored } from '../../contracts/search-index.ts';
import type { AskedWord } from '../query/asked-words.ts';
import type { Exclusions } from '../query/filter-reader.ts';
import type { ParsedQuery } from '../query/query-parser.ts';
import { type RelaxedMatches, relaxedMatches } from '../query/relaxation.ts';
import type { Foldable } from './folding.ts';

export interface Matches {
  /** Best first; those that were ranked so far. */
  readonly ranked: readonly Foldable[];
  /** All that were read, ranked or not; with `seen` all matches, or a sample of them. */
  readonly documents: ArrayLike<number>;
  /** Each of `documents` stands for so many matches. */
  readonly weight: number;
  readonly total: number;
  readonly exact: boolean;
  /** The query as it was asked in the end. */
  readonly node: QueryNode;
  /** The words to show hits with. */
  readonly asked: readonly AskedWord[];
  /** How many of `total` have all the words; undefined where only one was asked for, or whole sentences. */
  readonly withAllWords: number | undefined;
  /** There may be more than were ranked. */
  readonly more: boolean;
  readonly dropped: readonly string[];
}

export interface MatchReaderOptions {
  /** With fewer matches words are given up. */
  readonly enough: number;
  /** So many matches of any rank are seen besides, to count by. */
  readonly seen?: number;
  /** What the score of a document is multiplied by: the signals of plug-ins. */
  readonly factorOf?: (scored: Scored) => number;
}

/**
 * An index looks closer at the best only, so how many are asked for at once may change their order. To keep pages as they
 * are, they are always asked for in these steps, and what a step adds comes after what was known.
 */
const STEPS = [100, 1_000, 5_000, 10_000];

/** Matches beyond these are not listed. */
export const MOST_MATCHES = STEPS[STEPS.length - 1];

/** Reads the best matches of one query from one snapshot, as deep as is needed. They can be read until it is disposed of. */
export class MatchReader implements Disposable {
  readonly #snapshot: IndexSnapshot;
  readonly #query: ParsedQuery & { readonly node: QueryNode };
  readonly #options: MatchReaderOptions;
  readonly #refuses: ((document: number) => boolean) | undefined;
  readonly #ranked = new Map<number, Foldable>();
  #found: RelaxedMatches | undefined;
  #documents: ArrayLike<number> = [];
  #dropped: readonly string[] | undefined;
  #step = 0;

  constructor(snapshot: IndexSnapshot, query: ParsedQuery & { readonly node: QueryNode }, options: MatchReaderOptions) {
    this.#snapshot = snapshot;
    this.#query = query;
    this.#options = options;
    this.#refuses = refusal(query.without, snapshot);
  }

  /** All that were ranked before, and the next ones. */
  next(): Matches {
    const k = STEPS[Math.min(this.#step++, STEPS.length - 1)];
    const found = this.#read(k);
    const best = found.ranked(k);
    this.#dropped ??= found.dropped(best.slice(0, this.#options.enough));
    for (const match of this.#weighed(best.filter(({ document }) => !this.#ranked.has(document))))
      this.#ranked.set(match.document, match);
    const { exact, node, asked, isPart } = found;
    const more = found.hasMore(k) && k < MOST_MATCHES;
    const isSample = isPart && this.#options.seen !== undefined;
    const weight = isSample ? found.total / Math.max(1, found.documents.length) : 1;
    const known = { documents: this.#documents, weight, node, asked, more, dropped: this.#dropped };
    const ranked = [...this.#ranked.values()];
    const counted = (total: number) => ({ total, withAllWords: found.several ? this.#whole(found, total) : undefined });
    if (this.#refuses === undefined) return { ...known, ...counted(found.total), ranked, exact };
    // What was not looked at is taken to be like what was.
    const share = this.#documents.length / found.documents.length;
    return {
      ...known,
      ranked: ranked.filter(({ document }) => this.#refuses?.(document) !== true),
      ...counted(isPart ? Math.round(found.total * share) : this.#documents.length),
      exact: exact && !isPart,
    };
  }

  #weighed(best: readonly Scored[]): readonly Foldable[] {
    const { factorOf } = this.#options;
    if (factorOf === undefined) return best.map((scored) => this.#match(scored));
    const weighed = best.map((scored) => this.#match({ ...scored, score: scored.score * factorOf(scored) }));
    return weighed.sort((one, other) => other.score - one.score);
  }

  #whole({ whole }: RelaxedMatches, total: number): number {
    if (whole === undefined) return total;
    return Array.from(whole).filter((document) => this.#refuses?.(document) !== true).length;
  }

  #read(k: number): RelaxedMatches {
    const { enough, seen } = this.#options;
    this[Symbol.dispose]();
    const wanted = { best: k, enough, ...(seen === undefined ? {} : { seen }) };
    const found = relaxedMatches(this.#snapshot, this.#query, wanted);
    this.#found = found;
    const refuses = this.#refuses;
    this.#documents =
      refuses === undefined ? found.documents : Array.from(found.documents).filter((document) => !refuses(document));
    return found;
  }

  [Symbol.dispose](): void {
    this.#found?.[Symbol.dispose]();
    this.#found = undefined;
  }

  #match({ document, score }: Scored): Foldable {
    const snapshot = this.#snapshot;
    return { document, score, host: snapshot.fact('host', document), cluster: snapshot.fact('cluster', document) };
  }
}

/** Which documents a query rules out by what its filters cannot say; undefined where none. */
export function refusal(
  { languages, mediaTypes, inUrl }: Exclusions,
  snapshot: IndexSnapshot,
): ((document: number) => boolean) | undefined {
  if (languages.length + mediaTypes.length + inUrl.length === 0) return undefined;
  const holds = (id: string): boolean => inUrl.some((part) => id.toLowerCase().includes(part));
  return (document) =>
    languages.includes(snapshot.fact('language', document)) ||
    mediaTypes.includes(snapshot.fact('mediaType', document)) ||
    (inUrl.length > 0 && holds(snapshot.document(document).id));
}
