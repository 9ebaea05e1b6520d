import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SearchAnswer } from '../../contracts/search-service.ts';
import { type Html, html } from '../frame/html.ts';
import { isOwnHost } from '../http/host-check.ts';
import { type Reply, send } from '../http/reply.ts';
import { readStaticFile, staticReply } from '../http/static-files.ts';
import { marked } from '../search/result-view.ts';
import { countOf } from '../search/results-view.ts';
import { docsFrame, SEARCH_PAGE } from './docs-frame.ts';
import type { DocsIndex } from './docs-index.ts';
import type { DocsSite } from './docs-site.ts';

const STYLE = 'text/css; charset=utf-8';
const PER_PAGE = 20;
const LONGEST_QUERY = 500;

/** Serves the documentation, with search. */
export class DocsApp {
  readonly #site: DocsSite;
  readonly #index: Promise<DocsIndex>;
  readonly #files = new Map(['style.css', 'docs.css'].map((name) => [name, readStaticFile(name, STYLE)]));

  /** The index may still be under way: pages are shown meanwhile, and a search waits for it. */
  constructor(site: DocsSite, index: Promise<DocsIndex>) {
    this.#site = site;
    this.#index = index;
    index.catch(() => {});
  }

  /** Answers one request; never throws, whatever was asked. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const reply = await this.#reply(request).catch(() =>
      this.#message(500, 'Something went wrong', 'The search index could not be read.'),
    );
    send(reply, response);
  }

  async #reply({ method, url = '/', headers }: IncomingMessage): Promise<Reply> {
    if (!isOwnHost(headers.host, new Set()))
      return this.#message(421, 'Not here', 'This server answers for this machine alone.');
    if (method !== 'GET' && method !== 'HEAD')
      return this.#message(405, 'Not that way', 'Only GET and HEAD are answered here.', { allow: 'GET, HEAD' });
    const parsed = URL.parse(url, 'http://localhost/');
    const path = parsed?.pathname.slice(1) ?? '';
    const file = this.#files.get(path);
    if (file !== undefined) return staticReply(file, headers['if-none-match']);
    if (path === SEARCH_PAGE) return page(await this.#search(parsed?.searchParams.get('q') ?? ''));
    const markup = this.#site.page(path === '' || path.endsWith('/') ? `${path}index.html` : path);
    return markup === undefined
      ? this.#message(404, 'No such page', 'Try the search, or choose a topic.')
      : page(markup);
  }

  async #search(asked: string): Promise<string> {
    const query = asked.trim().slice(0, LONGEST_QUERY).toWellFormed();
    const answer = query === '' ? undefined : await (await this.#index).search({ query, perPage: PER_PAGE });
    const content = html`<h1>Search</h1>${answer === undefined ? html`<p>Type what you are looking for.</p>` : results(answer)}`;
    return docsFrame({ path: SEARCH_PAGE, title: 'Search', content, topics: this.#site.topics, query, isStatic: false })
      .markup;
  }

  /** Of any path: its links begin at the root. */
  #message(status: number, title: string, text: string, headers: Reply['headers'] = {}): Reply {
    const content = html`<h1>${title}</h1><p>${text}</p>`;
    const { topics } = this.#site;
    const { markup } = docsFrame({ path: '', title, content, topics, isStatic: false });
    const reply = page(markup, status);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  }
}

function results(answer: SearchAnswer): Html {
  const { hits, correctedQuery, suggestion, notes } = answer;
  const other = correctedQuery ?? suggestion;
  return html`<p class="count" role="status">${countOf(answer)}</p>
${other !== undefined && html`<p class="advice">${correctedQuery === undefined ? 'Did you mean ' : 'Showing results for '}<a href="${SEARCH_PAGE}?q=${encodeURIComponent(other)}">${other}</a>${correctedQuery === undefined ? '?' : '.'}</p>`}
${notes.map((note) => html`<p class="advice">${note}</p>`)}
${hits.length === 0 && html`<p>No page was found.</p>`}
<ol class="results">${hits.map(
    (hit) => html`<li class="result"><h2><a class="title" href="${hit.id}">${marked(hit.title)}</a></h2>
<p class="address">${hit.id}</p><p class="snippet">${marked(hit.snippet)}</p></li>`,
  )}</ol>`;
}

function page(markup: string, status = 200): Reply {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }, body: markup };
}
