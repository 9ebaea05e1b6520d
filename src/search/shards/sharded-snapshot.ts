import type {
  BestMatches,
  DocumentFacts,
  DocumentFilter,
  FactCounts,
  IndexSnapshot,
  QueryNode,
  Scored,
  ScorePart,
  StoredDocument,
  TopDocuments,
  ValueCounts,
} from '../../contracts/search-index.ts';
import type { DocumentTotals } from '../../index/query/snapshot-basis.ts';
import { DEFAULT_RANKING } from '../../index/ranking-options.ts';
import type { ShardState } from '../../index/shard-index.ts';
import { queryTerms } from './query-terms.ts';
import type {
  ShardAnswers,
  ShardMatch,
  ShardMatches,
  ShardQuestion,
  SharedStatistics,
  TermCount,
} from './shard-protocol.ts';

/** Asks shards, each its own question; all at once, and waits for all answers. Throws where one does not answer. */
export type AskShards = <Kind extends ShardQuestion['kind']>(
  questions: ReadonlyMap<number, Extract<ShardQuestion, { kind: Kind }>>,
) => ReadonlyMap<number, ShardAnswers[Kind]>;

type Facts = Pick<DocumentFacts, 'host' | 'cluster' | 'language' | 'mediaType'>;

const MOST_EXPECTED = 2000;
const MOST_REMEMBERED = 100_000;

/** States of several shards as one index: numbers of documents run through all of them, words are weighed by the sums of all. */
export class ShardedSnapshot implements IndexSnapshot {
  readonly documents: number;
  readonly #ask: AskShards;
  readonly #totals: DocumentTotals;
  /** First number of each shard, and one beyond the last. */
  readonly #bases: readonly number[];
  readonly #frequencies = new Map<string, number>();
  readonly #prefixes = new Map<string, readonly TermCount[]>();
  readonly #facts = new Map<number, Facts>();
  readonly #stored = new Map<number, StoredDocument>();
  /** Whose facts are likely to be asked for next. */
  #listed: ArrayLike<number> = [];

  constructor(states: readonly ShardState[], ask: AskShards) {
    this.#ask = ask;
    const lengthSums = states[0]?.lengthSums.map((_, field) => sum(states.map((state) => state.lengthSums[field])));
    this.#totals = {
      documents: sum(states.map(({ documents }) => documents)),
      lengthSums: lengthSums ?? [],
      newest: Math.max(0, ...states.map(({ newest }) => newest)),
    };
    this.documents = this.#totals.documents;
    const bases = [0];
    for (const { numbers } of states) bases.push(bases[bases.length - 1] + numbers);
    this.#bases = bases;
  }

  top(query: QueryNode, k: number, filter: DocumentFilter = {}): TopDocuments {
    using matches = this.matches(query, k, filter);
    return { top: matches.top(k), total: matches.total, exact: matches.exact };
  }

  matches(query: QueryNode, most: number, filter: DocumentFilter = {}, seen?: number): BestMatches {
    const question = {
      ...({ kind: 'matches', query, most, filter, statistics: this.#statistics(query) } as const),
      ...(seen === undefined ? {} : { seen }),
    };
    const found = [...this.#ask<'matches'>(this.#ofAll(() => question))];
    const candidates = found.flatMap(([shard, matches]) => this.#taken(shard, matches));
    const documents = Uint32Array.from(
      found.flatMap(([shard, matches]) => matches.documents.map((document) => this.#bases[shard] + document)),
    );
    this.#listed = documents;
    const answers = found.map(([, matches]) => matches);
    const total = sum(answers.map((matches) => matches.total));
    // Each shard gives as many as all together are to give.
    const isMore = seen === undefined && documents.length > most;
    return {
      documents: isMore ? bestByWords(candidates, most).map(({ document }) => document) : documents,
      isPart: seen === undefined ? documents.length >= most : answers.some(({ isPart }) => isPart),
      total,
      exact: answers.every(({ exact }) => exact),
      best: Math.min(Math.max(1, most, DEFAULT_RANKING.candidates), sum(answers.map(({ best }) => best))),
      top: (k) => topOf(candidates, k),
      [Symbol.dispose]: () => {},
    };
  }

  matchesAny(query: QueryNode, documents: readonly number[]): boolean {
    const statistics = this.#statistics(query);
    const questions = this.#ofThose(
      documents,
      (own) => ({ kind: 'matches-any', query, documents: own, statistics }) as const,
    );
    return [...this.#ask<'matches-any'>(questions).values()].some((matches) => matches);
  }

  explain(query: QueryNode, document: number): ScorePart {
    const statistics = this.#statistics(query);
    const questions = this.#ofThose(
      [document],
      ([own]) => ({ kind: 'explain', query, document: own, statistics }) as const,
    );
    return [...this.#ask<'explain'>(questions).values()][0];
  }

  document(number: number): StoredDocument {
    const known = this.#stored.get(number);
    if (known !== undefined) return known;
    this.#store([number]);
    return this.#stored.get(number) as StoredDocument;
  }

  facts(number: number): DocumentFacts {
    return this.document(number).facts;
  }

  fact<Name extends keyof DocumentFacts>(name: Name, number: number): DocumentFacts[Name] {
    const known = this.#facts.get(number);
    if (known !== undefined && name in known) return known[name as keyof Facts] as DocumentFacts[Name];
    if (!this.#stored.has(number)) this.#store([number, ...Array.from(this.#listed)]);
    return this.document(number).facts[name];
  }

  countFacts(documents: ArrayLike<number>): FactCounts {
    const questions = this.#ofThose(documents, (own) => ({ kind: 'count-facts', documents: own }) as const);
    const counts = [...this.#ask<'count-facts'>(questions).values()];
    return {
      host: added(counts.map(({ host }) => host)),
      mediaType: added(counts.map(({ mediaType }) => mediaType)),
      language: added(counts.map(({ language }) => language)),
      year: added(counts.map(({ year }) => year)),
    };
  }

  select(documents: ArrayLike<number>, hosts: ReadonlySet<string>, clusters: ReadonlySet<number>): readonly number[] {
    const wanted = { hosts: [...hosts], clusters: [...clusters] };
    const questions = this.#ofThose(documents, (own) => ({ kind: 'select', documents: own, ...wanted }) as const);
    const selected = [...this.#ask<'select'>(questions)].flatMap(([shard, own]) =>
      own.map((document) => this.#bases[shard] + document),
    );
    this.#listed = selected;
    return selected;
  }

  find(id: string): number | undefined {
    for (const [shard, found] of this.#ask<'find'>(this.#ofAll(() => ({ kind: 'find', id }) as const)))
      if (found !== null) return this.#bases[shard] + found;
    return undefined;
  }

  frequency(term: string): number {
    if (!this.#frequencies.has(term)) this.expect([term]);
    return this.#frequencies.get(term) ?? 0;
  }

  expect(terms: readonly string[]): void {
    const unknown = [...new Set(terms)].filter((term) => !this.#frequencies.has(term));
    for (let from = 0; from < unknown.length; from += MOST_EXPECTED) {
      const some = unknown.slice(from, from + MOST_EXPECTED);
      const counts = [
        ...this.#ask<'frequencies'>(this.#ofAll(() => ({ kind: 'frequencies', terms: some }) as const)).values(),
      ];
      if (this.#frequencies.size > MOST_REMEMBERED) this.#frequencies.clear();
      for (const [at, term] of some.entries()) this.#frequencies.set(term, sum(counts.map((count) => count[at])));
    }
  }

  terms(prefix: string, limit: number): readonly TermCount[] {
    const known = this.#prefixes.get(prefix);
    if (known !== undefined) return known.slice(0, limit);
    const counts = new Map<string, number>();
    for (const terms of this.#ask<'terms'>(this.#ofAll(() => ({ kind: 'terms', prefix }) as const)).values())
      for (const { term, documents } of terms) counts.set(term, (counts.get(term) ?? 0) + documents);
    const found = [...counts]
      .map(([term, documents]) => ({ term, documents }))
      .sort((a, b) => b.documents - a.documents || (a.term < b.term ? -1 : 1));
    if (this.#prefixes.size > 100) this.#prefixes.clear();
    this.#prefixes.set(prefix, found);
    return found.slice(0, limit);
  }

  [Symbol.dispose](): void {}

  /** The shard that has a document, by its number among all. */
  shardOf(number: number): number {
    return this.#bases.findLastIndex((base) => base <= number);
  }

  #statistics(query: QueryNode): SharedStatistics {
    const { terms, prefixes } = queryTerms(query);
    this.expect(terms);
    return {
      totals: this.#totals,
      frequencies: Object.fromEntries(terms.map((term) => [term, this.frequency(term)])),
      prefixes: Object.fromEntries(prefixes.map((prefix) => [prefix, this.terms(prefix, PREFIX_TERMS)])),
    };
  }

  #taken(shard: number, { candidates, stored }: ShardMatches): ShardMatch[] {
    const base = this.#bases[shard];
    this.#forgetMany();
    const taken = candidates.map((match) => ({ ...match, document: base + match.document }));
    for (const { document, host, cluster, language, mediaType } of taken)
      this.#facts.set(document, { host, cluster, language, mediaType });
    for (const [at, document] of stored.entries()) this.#stored.set(taken[at].document, document);
    return taken;
  }

  #store(numbers: readonly number[]): void {
    this.#forgetMany();
    const wanted = [...new Set(numbers)].filter((number) => !this.#stored.has(number));
    const questions = this.#ofThose(wanted, (own) => ({ kind: 'documents', documents: own }) as const);
    for (const [shard, stored] of this.#ask<'documents'>(questions)) {
      const own = questions.get(shard)?.documents ?? [];
      for (const [at, document] of stored.entries()) this.#stored.set(this.#bases[shard] + own[at], document);
    }
  }

  #forgetMany(): void {
    if (this.#stored.size > MOST_REMEMBERED) this.#stored.clear();
    if (this.#facts.size > MOST_REMEMBERED) this.#facts.clear();
  }

  #ofAll<Question>(question: () => Question): Map<number, Question> {
    return new Map(this.#bases.slice(0, -1).map((_, shard) => [shard, question()]));
  }

  /** A question for each shard that has some of the documents, by its own numbers. */
  #ofThose<Question>(documents: ArrayLike<number>, question: (own: number[]) => Question): Map<number, Question> {
    const own = new Map<number, number[]>();
    for (let at = 0; at < documents.length; at++) {
      const shard = this.shardOf(documents[at]);
      const numbers = own.get(shard);
      const number = documents[at] - this.#bases[shard];
      if (numbers === undefined) own.set(shard, [number]);
      else numbers.push(number);
    }
    return new Map([...own].map(([shard, numbers]) => [shard, question(numbers)]));
  }
}

/** As `QueryPlan` of the index asks for them. */
const PREFIX_TERMS = 256;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

function bestByWords(candidates: readonly ShardMatch[], most: number): readonly ShardMatch[] {
  return candidates.toSorted((a, b) => b.byWords - a.byWords || a.document - b.document).slice(0, most);
}

/** As one index does: of those that are best by words alone, the best by all. */
function topOf(candidates: readonly ShardMatch[], k: number): Scored[] {
  return bestByWords(candidates, Math.max(1, k, DEFAULT_RANKING.candidates))
    .toSorted((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, k)
    .map(({ document, score }) => ({ document, score }));
}

function added<Value extends string | number>(all: readonly ValueCounts<Value>[]): ValueCounts<Value> {
  const sums = new Map<Value, number>();
  for (const { values, counts } of all)
    for (const [at, value] of values.entries()) sums.set(value, (sums.get(value) ?? 0) + counts[at]);
  return { values: [...sums.keys()], counts: [...sums.values()] };
}
