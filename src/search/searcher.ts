import { isDeepStrictEqual } from 'node:util';
import type { RankedDocument } from '../contracts/plugin.ts';
import type { IndexSnapshot, QueryNode, ScorePart } from '../contracts/search-index.ts';
import type { SearchAnswer, SearchRequest, SearchService } from '../contracts/search-service.ts';
import { ANY_LANGUAGE } from '../index/analysis/likely-languages.ts';
import { NO_PLUGINS, type Plugins } from '../plugins/plugins.ts';
import { documentLanguages } from './document-languages.ts';
import type { AnalyzeQuery } from './query/asked-words.ts';
import { asksForMedia } from './query/media-query.ts';
import { type ParsedQuery, parseQuery } from './query/query-parser.ts';
import { CodeUnits } from './results/code-units.ts';
import { facetsOf } from './results/facets.ts';
import { countUnranked, type Foldable, type FoldedAway, foldedPage, type UnrankedFacts } from './results/folding.ts';
import { HitWriter } from './results/hit-writer.ts';
import { type Matches, MatchReader, type MatchReaderOptions, MOST_MATCHES, refusal } from './results/match-reader.ts';
import type { TermsOf } from './results/word-matcher.ts';
import { ShardsChanged } from './shards/shards-changed.ts';
import type { SnapshotLeases } from './snapshot-leases.ts';
import type { TextSource } from './text-source.ts';
import { completions } from './words/completion.ts';
import { suggestSpelling } from './words/spelling.ts';
import { SurfaceForms } from './words/surface-forms.ts';

export interface SearcherParts {
  readonly leases: SnapshotLeases;
  readonly texts: TextSource;
  /** `among`: the languages of the documents, which widen the guess of the query's own. */
  readonly analyze: (text: string, language: string | undefined, among: readonly string[]) => ReturnType<AnalyzeQuery>;
  /** All terms of a word of a text whose language is known. */
  readonly termsOf: TermsOf;
  /** The signals of plug-ins. */
  readonly plugins?: Plugins;
  /** ms, from any beginning. */
  readonly now: () => number;
  /** Closes whatever was opened for the searcher. */
  readonly close: () => Promise<void>;
  /** Search over the pictures, films and sounds of the same crawls; undefined where none are described. */
  readonly media?: () => Searcher | undefined;
  /** Hits of one host are not held back in favour of others. */
  readonly manyPerHost?: boolean;
  /** Of an index whose parts lie on several machines: what the last search went without, in words. */
  readonly leftOut?: () => readonly string[];
}

/** Whether the answer is still wanted; an `AbortSignal` is one. Looked at between the parts of the work. */
export interface Cancellation {
  readonly aborted: boolean;
}

const PER_PAGE = 10;
const MOST_PER_PAGE = 100;
const HITS_PER_HOST = 2;
/** So often a search begins again because a part of the index has gone, or has gone on. */
const MOST_TRIES = 20;

const NO_MEDIA =
  'Pictures, films and sounds are not described here. To describe them: orbweaver index --images, or crawl with --images describe.';

const NOTHING: Matches = {
  ranked: [],
  documents: [],
  weight: 1,
  total: 0,
  exact: true,
  node: { kind: 'or', nodes: [] },
  asked: [],
  withAllWords: undefined,
  more: false,
  dropped: [],
};

/** The matches of a query, and the page of them; `matches` can be read until it is disposed of. */
interface Found extends Disposable {
  readonly matches: Matches;
  readonly hits: readonly (Foldable & FoldedAway)[];
}

/** A state of the index, and the analyzer for its languages. */
interface State extends Disposable {
  readonly snapshot: IndexSnapshot;
  readonly analyze: AnalyzeQuery;
  /** The same for documents of any other language as well, such as short ones whose language was guessed wrong. */
  readonly analyzeWidely: AnalyzeQuery;
  /** That most documents are of. */
  readonly language: string;
}

/** Search over one folder. Reads beside a writer: every question is answered from the state that was committed last. */
export class Searcher implements SearchService {
  readonly #parts: SearcherParts;
  readonly #forms: SurfaceForms;
  readonly #units = new CodeUnits();
  #languages: { readonly of: IndexSnapshot; readonly tags: readonly string[] } | undefined;

  constructor(parts: SearcherParts) {
    this.#parts = parts;
    this.#forms = new SurfaceForms(parts.texts);
  }

  get documents(): number {
    using state = this.#current();
    return state.snapshot.documents;
  }

  async search(request: SearchRequest, cancellation?: Cancellation): Promise<SearchAnswer> {
    if (this.#parts.manyPerHost !== true && asksForMedia(request.query))
      return await this.#searchMedia(request, cancellation);
    return await this.#again(() => this.#search(request, cancellation));
  }

  /** Where no pictures are described, the answer says how they come to be. */
  async #searchMedia(request: SearchRequest, cancellation?: Cancellation): Promise<SearchAnswer> {
    const media = this.#parts.media?.();
    if (media !== undefined) return await media.search(request, cancellation);
    const answer = await this.#again(() => this.#search(request, cancellation));
    return { ...answer, notes: [...answer.notes, NO_MEDIA] };
  }

  async #search(request: SearchRequest, cancellation?: Cancellation): Promise<SearchAnswer> {
    const started = this.#parts.now();
    using state = this.#current();
    const { snapshot, analyze, analyzeWidely } = state;
    const narrow = parseQuery(request.query, analyze);
    snapshot.expect?.(narrow.asked.flatMap(({ terms }) => terms.flat()));
    const perPage = within(request.perPage ?? PER_PAGE, 1, MOST_PER_PAGE);
    const page = within(request.page ?? 1, 1, Math.ceil(MOST_MATCHES / perPage));
    throwIfCancelled(cancellation);
    using inMainLanguages = this.#find(snapshot, narrow, request, page, perPage);
    throwIfCancelled(cancellation);
    const wide = isFew(inMainLanguages.matches, perPage) ? widened(narrow, request.query, analyzeWidely) : undefined;
    if (wide !== undefined) snapshot.expect?.(wide.asked.flatMap(({ terms }) => terms.flat()));
    using inAnyLanguage = wide && this.#find(snapshot, wide, request, page, perPage);
    throwIfCancelled(cancellation);
    const isWider = inAnyLanguage !== undefined && hasMore(inAnyLanguage.matches, inMainLanguages.matches);
    const [typed, asTyped] = isWider && wide ? [wide, inAnyLanguage] : [narrow, inMainLanguages];
    const few = isFew(asTyped.matches, perPage);
    const spelling =
      few && typed.asked.length > 0
        ? await suggestSpelling(request.query, typed, { ...state, forms: this.#forms })
        : undefined;
    throwIfCancelled(cancellation);
    const isCorrected = spelling?.confident === true && request.exactWords !== true;
    const query = isCorrected ? spelling.query : typed;
    using corrected = isCorrected ? this.#find(snapshot, query, request, page, perPage) : undefined;
    const found = corrected ?? asTyped;
    throwIfCancelled(cancellation);
    const { termsOf, texts } = this.#parts;
    const writer = new HitWriter(found.matches.asked, termsOf, texts, snapshot, this.#units);
    const hits = await writer.write(found.hits);
    throwIfCancelled(cancellation);
    const { total, withAllWords, exact, dropped } = found.matches;
    return {
      query: request.query,
      page,
      perPage,
      total,
      ...(withAllWords === undefined ? {} : { withAllWords }),
      exact,
      ms: Math.round((this.#parts.now() - started) * 10) / 10,
      hits,
      ...(request.facets === true
        ? { facets: facetsOf(snapshot.countFacts(found.matches.documents), found.matches.weight) }
        : {}),
      ...(spelling === undefined ? {} : { [isCorrected ? 'correctedQuery' : 'suggestion']: spelling.text }),
      ...(dropped.length > 0 ? { dropped } : {}),
      notes: [...query.notes, ...notesOn(query, request, page), ...(this.#parts.leftOut?.() ?? [])],
    };
  }

  async complete(typed: string, limit: number): Promise<readonly string[]> {
    return await this.#again(async () => {
      using state = this.#current();
      return await completions(typed, limit, { ...state, forms: this.#forms });
    });
  }

  async explainScore(query: string, id: string): Promise<ScorePart | undefined> {
    const media = this.#parts.manyPerHost !== true && asksForMedia(query) ? this.#parts.media?.() : undefined;
    if (media !== undefined) return await media.explainScore(query, id);
    return await this.#again(async () => this.#explainScore(query, id));
  }

  #explainScore(query: string, id: string): ScorePart | undefined {
    using state = this.#current();
    const { snapshot, analyze, analyzeWidely } = state;
    const document = snapshot.find(id);
    if (document === undefined) return undefined;
    const explain = ({ node, ...parsed }: ParsedQuery): { matches: Matches; score: ScorePart } | undefined => {
      if (node === undefined) return undefined;
      using reader = new MatchReader(snapshot, { ...parsed, node }, { enough: PER_PAGE });
      const matches = reader.next();
      return { matches, score: snapshot.explain(matches.node, document) };
    };
    const narrow = parseQuery(query, analyze);
    const narrowly = explain(narrow);
    if (narrowly === undefined) return undefined;
    const isMissed = narrowly.score.value === 0;
    const wide = isMissed || isFew(narrowly.matches, PER_PAGE) ? widened(narrow, query, analyzeWidely) : undefined;
    const widely = wide && explain(wide);
    const isWider = widely !== undefined && (isMissed || hasMore(widely.matches, narrowly.matches));
    const explained = isWider ? widely.score : narrowly.score;
    const factor = this.#signals(snapshot).factorOf?.({ document, score: explained.value });
    if (factor === undefined) return explained;
    return { value: explained.value * factor, what: `times ${factor}: signals of plug-ins`, parts: [explained] };
  }

  async indexedAt(id: string): Promise<number | undefined> {
    return await this.#again(async () => {
      using state = this.#current();
      const document = state.snapshot.find(id);
      return document === undefined ? undefined : state.snapshot.document(document).facts.fetchedAt;
    });
  }

  /** The best by words alone, each document by itself: for runs over test collections. */
  rank(query: string, k: number): readonly { readonly id: string; readonly score: number }[] {
    using state = this.#current();
    const { snapshot, analyze } = state;
    return snapshot
      .top(plainNode(analyze(query)), k)
      .top.map(({ document, score }) => ({ id: snapshot.document(document).id, score }));
  }

  /** Every document that matches the query as typed, in no order of meaning: no word is given up or corrected, nothing is folded. */
  async matching(query: string): Promise<readonly string[]> {
    return await this.#again(async () => {
      using state = this.#current();
      const { snapshot, analyze, analyzeWidely } = state;
      const narrow = parseQuery(query, analyze);
      const found = matchingIds(snapshot, narrow);
      const wide = found.length < PER_PAGE ? widened(narrow, query, analyzeWidely) : undefined;
      const more = wide === undefined ? [] : matchingIds(snapshot, wide);
      return more.length > found.length ? more : found;
    });
  }

  async #again<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ShardsChanged) || tries === MOST_TRIES) throw error;
      }
    }
  }

  #find(snapshot: IndexSnapshot, query: ParsedQuery, request: SearchRequest, page: number, perPage: number): Found {
    if (query.node === undefined) return { matches: NOTHING, hits: [], [Symbol.dispose]: () => {} };
    const reader = new MatchReader(
      snapshot,
      { ...query, node: query.node },
      {
        ...{ enough: perPage, ...this.#signals(snapshot) },
        ...(request.facets === true ? { seen: MOST_MATCHES } : {}),
      },
    );
    const unfolded = request.unfolded === true;
    const perHost =
      unfolded || this.#parts.manyPerHost === true || query.filter.sites !== undefined ? undefined : HITS_PER_HOST;
    const options = { page, perPage, duplicates: unfolded, ...(perHost === undefined ? {} : { perHost }) };
    for (;;) {
      const matches = reader.next();
      const { hits, complete } = foldedPage(matches.ranked, options);
      if (matches.more && !complete) continue;
      if (!matches.more) return { matches, hits, [Symbol.dispose]: () => reader[Symbol.dispose]() };
      const facts: UnrankedFacts = {
        select: (documents, hosts, clusters) => snapshot.select(documents, hosts, clusters),
        cluster: (document: number) => snapshot.fact('cluster', document),
        host: (document: number) => snapshot.fact('host', document),
      };
      const counted = countUnranked(hits, matches, facts, unfolded);
      return { matches, hits: counted, [Symbol.dispose]: () => reader[Symbol.dispose]() };
    }
  }

  #signals(snapshot: IndexSnapshot): Pick<MatchReaderOptions, 'factorOf'> {
    const { plugins = NO_PLUGINS } = this.#parts;
    if (plugins.signals.length === 0) return {};
    return { factorOf: ({ document, score }) => plugins.factorOf(rankedDocument(snapshot, document, score)) };
  }

  #current(): State {
    const lease = this.#parts.leases.lease();
    const { snapshot } = lease;
    if (this.#languages?.of !== snapshot) this.#languages = { of: snapshot, tags: documentLanguages(snapshot) };
    const { tags } = this.#languages;
    return {
      snapshot,
      analyze: (text, language) => this.#parts.analyze(text, language, tags),
      analyzeWidely: (text, language) => this.#parts.analyze(text, language, [...ANY_LANGUAGE, ...tags]),
      language: tags[0] ?? '',
      [Symbol.dispose]: () => lease[Symbol.dispose](),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.close();
  }
}

function matchingIds(snapshot: IndexSnapshot, { node, filter, without }: ParsedQuery): string[] {
  if (node === undefined) return [];
  using found = snapshot.matches(node, 1, filter, snapshot.documents);
  const refuses = refusal(without, snapshot);
  return Array.from(found.documents)
    .filter((document) => refuses?.(document) !== true)
    .map((document) => snapshot.document(document).id);
}

/** Undefined where the words are the same in any language. */
function widened(narrow: ParsedQuery, query: string, analyzeWidely: AnalyzeQuery): ParsedQuery | undefined {
  const wide = parseQuery(query, analyzeWidely);
  return isDeepStrictEqual(wide.node, narrow.node) ? undefined : wide;
}

/** So few that it is worth looking for more in other ways. */
function isFew({ total, dropped }: Matches, perPage: number): boolean {
  return total < perPage || dropped.length > 0;
}

function hasMore(matches: Matches, than: Matches): boolean {
  const whole = ({ withAllWords, total }: Matches): number => withAllWords ?? total;
  return matches.dropped.length < than.dropped.length || whole(matches) > whole(than);
}

function throwIfCancelled(cancellation: Cancellation | undefined): void {
  if (cancellation?.aborted === true) throw new DOMException('The search was cancelled.', 'AbortError');
}

function rankedDocument(snapshot: IndexSnapshot, number: number, score: number): RankedDocument {
  const { id, title, facts } = snapshot.document(number);
  const { language, date } = facts;
  return { url: id, title, language, score, ...(date === 0 ? {} : { date }) };
}

/** Every word of a text by itself; no sign in it is an operator. */
function plainNode(words: ReturnType<AnalyzeQuery>): QueryNode {
  const nodes = words.flatMap(({ terms, forms, stop }): QueryNode[] => (stop ? [] : [{ kind: 'term', terms, forms }]));
  return nodes.length === 1 ? nodes[0] : { kind: 'or', nodes };
}

function notesOn(query: ParsedQuery, request: SearchRequest, page: number): string[] {
  const notes: string[] = [];
  if (query.node === undefined) notes.push('There is no word to look for in the query.');
  if ((request.page ?? 1) > page) notes.push(`Only the first ${MOST_MATCHES} matches can be listed.`);
  return notes;
}

function within(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, Math.floor(value))) : least;
}
