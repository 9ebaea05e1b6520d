import type { ScorePart } from '../../../src/contracts/search-index.ts';
import type {
  FacetValue,
  SearchAnswer,
  SearchHit,
  SearchRequest,
  SearchService,
  SnippetPart,
} from '../../../src/contracts/search-service.ts';

export interface SmallDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly mediaType?: string;
  readonly language?: string;
  readonly date?: number;
  readonly fetchedAt?: number;
  readonly similar?: number;
  readonly moreFromHost?: number;
  /** Absent: the id is the address. */
  readonly url?: string;
}

/** Search by plain comparison over a handful of documents: the contract, without an index behind it. */
export class SmallSearch implements SearchService {
  readonly #documents: readonly SmallDocument[];
  /** What was asked, for tests to look at. */
  readonly asked: SearchRequest[] = [];
  /** Set to let the next search fail. */
  fault: Error | undefined;
  extra: Partial<SearchAnswer> = {};

  constructor(documents: readonly SmallDocument[]) {
    this.#documents = documents;
  }

  get documents(): number {
    return this.#documents.length;
  }

  async search(request: SearchRequest): Promise<SearchAnswer> {
    this.asked.push(request);
    if (this.fault !== undefined) throw this.fault;
    const { query, page = 1, perPage = 10 } = request;
    const all = query.split(/\s+/).filter((word) => word !== '');
    const sites = all.filter((word) => word.startsWith('site:')).map((word) => word.slice(5));
    const words = all.filter((word) => !/^\w+:/.test(word)).map((word) => word.toLowerCase());
    const found = this.#documents.filter(
      (document) =>
        words.every((word) => `${document.title} ${document.text}`.toLowerCase().includes(word)) &&
        sites.every((site) => hostOf(document) === site),
    );
    return {
      query,
      page,
      perPage,
      total: found.length,
      exact: true,
      ms: 12,
      hits: found.slice((page - 1) * perPage, page * perPage).map((document) => hitOf(document, words)),
      ...(request.facets ? { facets: facetsOf(found) } : {}),
      notes: [],
      ...this.extra,
    };
  }

  async complete(typed: string, limit: number): Promise<readonly string[]> {
    const words = this.#documents.flatMap(
      ({ title, text }) => `${title} ${text}`.toLowerCase().match(/\p{L}+/gu) ?? [],
    );
    return [...new Set(words)].filter((word) => word.startsWith(typed.toLowerCase())).slice(0, limit);
  }

  async explainScore(_query: string, id: string): Promise<ScorePart | undefined> {
    return this.#documents.some((document) => document.id === id) ? { what: 'score', value: 1 } : undefined;
  }

  async indexedAt(id: string): Promise<number | undefined> {
    return this.#documents.find((document) => document.id === id)?.fetchedAt;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function hitOf(document: SmallDocument, words: readonly string[]): SearchHit {
  return {
    id: document.id,
    url: document.url ?? document.id,
    title: parts(document.title, words),
    snippet: parts(document.text.slice(0, 300), words),
    host: hostOf(document),
    mediaType: document.mediaType ?? 'text/html',
    language: document.language ?? 'en',
    date: document.date ?? 0,
    fetchedAt: 0,
    score: 1,
    similar: document.similar ?? 0,
    moreFromHost: document.moreFromHost ?? 0,
  };
}

function hostOf({ id }: SmallDocument): string {
  return URL.parse(id)?.host ?? '';
}

function parts(text: string, words: readonly string[]): SnippetPart[] {
  const found: SnippetPart[] = [];
  for (const piece of text.split(/(\s+)/)) {
    const match = words.some((word) => piece.toLowerCase().startsWith(word));
    found.push({ text: piece, match });
  }
  return found;
}

function facetsOf(found: readonly SmallDocument[]): NonNullable<SearchAnswer['facets']> {
  const count = (named: (document: SmallDocument) => string): FacetValue[] => {
    const counts = new Map<string, number>();
    for (const document of found) counts.set(named(document), (counts.get(named(document)) ?? 0) + 1);
    return [...counts].map(([value, number]) => ({ value, count: number })).sort((a, b) => b.count - a.count);
  };
  return {
    host: count(hostOf),
    language: count(({ language = 'en' }) => language),
    type: count(({ mediaType = 'text/html' }) => mediaType.replace(/^.*\//, '')),
    year: count(({ date = 0 }) => String(new Date(date).getUTCFullYear())),
  };
}
