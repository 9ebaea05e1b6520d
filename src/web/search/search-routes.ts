import type { SearchAnswer, SearchService } from '../../contracts/search-service.ts';
import { html } from '../frame/html.ts';
import { pageFrame } from '../frame/page-frame.ts';
import { jsonReply, pageReply, type Reply, xmlReply } from '../http/reply.ts';
import { BadRequest, numberOf, pageOf, queryOf, switchOf, type WebRequest } from '../http/web-request.ts';
import type { WebReader } from '../web-reader.ts';
import { LanguageNames } from './language-names.ts';
import { countOf, resultsView } from './results-view.ts';
import { openSearchDescription, resultFeed } from './search-feeds.ts';
import { searchTips } from './search-tips.ts';

const PER_PAGE = 10;
const FEED_LENGTH = 20;
const COMPLETIONS = 8;
const MAX_COMPLETIONS = 20;
const MAX_PER_PAGE = 100;

/** Search as pages, feeds and JSON. */
export class SearchRoutes {
  readonly #search: SearchService;
  readonly #name: string;
  readonly #clicks: boolean;
  readonly #languages = new LanguageNames();
  readonly #reader: Pick<WebReader, 'shownCopyOf'>;

  constructor(search: SearchService, reader: Pick<WebReader, 'shownCopyOf'>, name: string, clicks: boolean) {
    this.#search = search;
    this.#reader = reader;
    this.#name = name;
    this.#clicks = clicks;
  }

  home(): Reply {
    const pages = this.#search.documents;
    const content = html`<h1 class="hidden">Search ${this.#name}</h1>
<p class="size">${pages === 0 ? html`No page can be found yet. <a href="/dashboard">Dashboard</a>` : `${pages.toLocaleString('en')} ${pages === 1 ? 'page' : 'pages'} in this web`}</p>`;
    return pageReply(pageFrame({ title: this.#name, name: this.#name, isHome: true, content, section: 'search' }));
  }

  help(): Reply {
    const content = html`<section class="message tips-page">${searchTips('h1')}</section>`;
    return pageReply(pageFrame({ title: `Search tips · ${this.#name}`, name: this.#name, content }));
  }

  async results(ask: WebRequest): Promise<Reply> {
    const query = queryOf(ask);
    if (query === '') return this.home();
    const unfolded = switchOf(ask, 'unfolded');
    const answer = await this.#answer(ask, { facets: true, perPage: PER_PAGE });
    const content = resultsView(answer, {
      ...{ clicks: this.#clicks, languages: this.#languages },
      ...{ unfolded, exactWords: switchOf(ask, 'exact') },
      hasCopy: (url) => this.#reader.shownCopyOf(url) !== undefined,
    });
    // While somebody types only the main part changes.
    if (switchOf(ask, 'part')) {
      const reply = pageReply(html`${content}<p id="said">${countOf(answer)}</p>`);
      return reply;
    }
    const feed = `/search.rss?q=${encodeURIComponent(query.toWellFormed())}`;
    return pageReply(
      pageFrame({ title: `${query} · ${this.#name}`, name: this.#name, query, content, feed, section: 'search' }),
    );
  }

  async feed(ask: WebRequest): Promise<Reply> {
    needsQuery(ask);
    const answer = await this.#answer(ask, { perPage: FEED_LENGTH });
    return xmlReply(resultFeed(this.#name, ask.origin, answer), 'application/rss+xml');
  }

  openSearch(ask: WebRequest): Reply {
    return xmlReply(openSearchDescription(this.#name, ask.origin), 'application/opensearchdescription+xml');
  }

  async apiSearch(ask: WebRequest): Promise<Reply> {
    needsQuery(ask);
    const perPage = numberOf(ask, 'perPage', 1, MAX_PER_PAGE, PER_PAGE);
    return jsonReply(await this.#answer(ask, { facets: switchOf(ask, 'facets'), perPage }));
  }

  async apiComplete(ask: WebRequest): Promise<Reply> {
    const limit = numberOf(ask, 'limit', 1, MAX_COMPLETIONS, COMPLETIONS);
    return jsonReply({ query: queryOf(ask), completions: await this.#completions(ask, limit) });
  }

  /** As browsers ask from their address bar. */
  async suggest(ask: WebRequest): Promise<Reply> {
    const completions = await this.#completions(ask, COMPLETIONS);
    return jsonReply([queryOf(ask), completions], 200, 'application/x-suggestions+json');
  }

  async apiExplain(ask: WebRequest): Promise<Reply> {
    needsQuery(ask);
    const id = ask.parameters.get('id') ?? ask.parameters.get('url') ?? '';
    if (id === '') throw new BadRequest('Which document? "id" is missing.');
    const score = await this.#search.explainScore(queryOf(ask), id, ask.signal);
    if (score === undefined) return jsonReply({ error: 'No such document is in the index.' }, 404);
    return jsonReply({ query: queryOf(ask), id, score });
  }

  health(): Reply {
    return jsonReply({ ok: true, documents: this.#search.documents });
  }

  async #completions(ask: WebRequest, limit: number): Promise<readonly string[]> {
    const typed = queryOf(ask);
    return typed === '' ? [] : await this.#search.complete(typed, limit, ask.signal);
  }

  #answer(ask: WebRequest, wanted: { readonly facets?: boolean; readonly perPage: number }): Promise<SearchAnswer> {
    const request = {
      query: queryOf(ask),
      page: pageOf(ask),
      perPage: wanted.perPage,
      unfolded: switchOf(ask, 'unfolded'),
      facets: wanted.facets === true,
      exactWords: switchOf(ask, 'exact'),
    };
    return this.#search.search(request, ask.signal);
  }
}

function needsQuery(ask: WebRequest): void {
  if (queryOf(ask) === '') throw new BadRequest('What is to be searched for? "q" is missing.');
}
