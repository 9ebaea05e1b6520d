import type { SegmentSnapshot } from '../../index/segment-snapshot.ts';
import { ShardIndex, type ShardState } from '../../index/shard-index.ts';
import { indexFolder } from '../indexing/index-folder.ts';
import { openTextSource } from '../indexing/text-source-of-folder.ts';
import type { TextSource } from '../text-source.ts';
import type { ShardAnswers, ShardMatches, ShardQuestion, SharedStatistics } from './shard-protocol.ts';

/** So many of the best are sent with all that is known of them: a page of results needs no further question. */
const STORED = 24;
const MOST_TERMS = 20_000;
/** More of a text is not looked at for a passage. */
const LONGEST_TEXT = 400_000;

type InIndex = Exclude<ShardQuestion, { kind: 'texts' | 'description' }>;

/** Answers questions about the index of one folder as a part of a larger one. */
export class ShardService implements Disposable {
  readonly #index: ShardIndex;
  readonly #texts: TextSource & Disposable;

  constructor(folder: string, id: string) {
    this.#index = new ShardIndex(indexFolder(folder), id);
    this.#texts = openTextSource(folder);
  }

  state(): ShardState {
    return this.#index.newest();
  }

  /** Undefined where the state is no longer there. Numbers of documents that it does not have are an error. */
  answer(version: string, question: InIndex): ShardAnswers[InIndex['kind']] | undefined {
    const { totals } = 'statistics' in question ? question.statistics : {};
    const snapshot = this.#index.snapshot(version, totals);
    if (snapshot === undefined) return undefined;
    const numbers = 'document' in question ? [question.document] : 'documents' in question ? question.documents : [];
    const most = this.#index.numbersOf(version);
    if (numbers.some((number) => number >= most)) throw new RangeError('it asks about a document that there is not');
    if ('statistics' in question) snapshot.under(statisticsOf(question.statistics));
    return answerOf(question, snapshot);
  }

  async texts(question: Extract<ShardQuestion, { kind: 'texts' }>): Promise<ShardAnswers['texts']> {
    const found = await this.#texts.texts(question.copies);
    return found.map((text) => text?.slice(0, LONGEST_TEXT) ?? null);
  }

  async description({ copy }: Extract<ShardQuestion, { kind: 'description' }>): Promise<string | null> {
    return (await this.#texts.description?.(copy.id, copy.fetchedAt)) ?? null;
  }

  [Symbol.dispose](): void {
    this.#index[Symbol.dispose]();
    this.#texts[Symbol.dispose]();
  }
}

function answerOf(question: InIndex, snapshot: SegmentSnapshot): ShardAnswers[InIndex['kind']] {
  switch (question.kind) {
    case 'frequencies':
      return question.terms.map((term) => snapshot.frequency(term));
    case 'terms':
      return snapshot.terms(question.prefix, MOST_TERMS);
    case 'matches':
      return matchesOf(question, snapshot);
    case 'matches-any':
      return snapshot.matchesAny(question.query, question.documents);
    case 'explain':
      return snapshot.explain(question.query, question.document);
    case 'documents':
      return question.documents.map((document) => snapshot.document(document));
    case 'count-facts': {
      const { host, mediaType, language, year } = snapshot.countFacts(question.documents);
      return { host: counted(host), mediaType: counted(mediaType), language: counted(language), year: counted(year) };
    }
    case 'select':
      return snapshot.select(question.documents, new Set(question.hosts), new Set(question.clusters));
    case 'find':
      return snapshot.find(question.id) ?? null;
  }
}

function matchesOf(
  { query, most, filter, seen }: Extract<ShardQuestion, { kind: 'matches' }>,
  snapshot: SegmentSnapshot,
): ShardMatches {
  using matches = snapshot.matches(query, most, filter, seen);
  const candidates = matches.candidates(most).map((candidate) => {
    const { host, cluster, language, mediaType } = snapshot.facts(candidate.document);
    return { ...candidate, host, cluster, language, mediaType };
  });
  const { total, exact, isPart, best, documents } = matches;
  return {
    ...{ total, exact, isPart, best, documents: Array.from(documents), candidates },
    stored: candidates.slice(0, STORED).map(({ document }) => snapshot.document(document)),
  };
}

function statisticsOf({ totals, frequencies, prefixes }: SharedStatistics) {
  return {
    documents: totals.documents,
    frequency: (term: string) => frequencies[term] ?? 0,
    terms: (prefix: string, limit: number) => (prefixes[prefix] ?? []).slice(0, limit),
  };
}

/** Only what is there: of thousands of hosts few are in the matches. */
function counted<Value extends string | number>({
  values,
  counts,
}: {
  readonly values: readonly Value[];
  readonly counts: ArrayLike<number>;
}): { readonly values: readonly Value[]; readonly counts: readonly number[] } {
  const places = values
    .keys()
    .filter((at) => counts[at] > 0)
    .toArray();
  return { values: places.map((at) => values[at]), counts: places.map((at) => counts[at]) };
}
