import type { CrawlFacts } from '../crawl-facts.ts';
import { html } from '../frame/html.ts';
import { messageReply } from '../frame/message-page.ts';
import { pageFrame } from '../frame/page-frame.ts';
import { pageReply, type Reply } from '../http/reply.ts';
import { urlOf, type WebRequest } from '../http/web-request.ts';
import type { WebReader } from '../web-reader.ts';
import { lookUpForm, pageView } from './page-view.ts';

const LINKS_SHOWN = 100;

/** All that is known of one page. */
export class PageRoutes {
  readonly #facts: CrawlFacts | undefined;
  readonly #reader: WebReader;
  readonly #name: string;

  constructor(facts: CrawlFacts | undefined, reader: WebReader, name: string) {
    this.#facts = facts;
    this.#reader = reader;
    this.#name = name;
  }

  async page(ask: WebRequest): Promise<Reply> {
    const facts = this.#facts;
    if (facts === undefined)
      return messageReply(
        this.#name,
        404,
        'No crawl',
        'The documents here were imported; nothing more is known of them.',
      );
    if ((ask.parameters.get('url') ?? '').trim() === '') return this.#lookUp();
    const url = urlOf(ask);
    const report = await facts.report(url);
    if (report === undefined)
      return messageReply(this.#name, 404, 'No such address', `${url} is not an address that a crawl could meet.`);
    const isClosed = report.page?.facts?.noarchive === true;
    const [versions, links, cluster, copy, text] = await Promise.all([
      this.#reader.versions(report.url),
      facts.links(report.url, LINKS_SHOWN),
      facts.duplicates(report.url),
      isClosed ? undefined : this.#reader.copy(report.url),
      isClosed ? undefined : this.#reader.text(report.url),
    ]);
    const content = pageView({
      ...{ report, versions, isClosed },
      ...(links && { links }),
      ...(cluster && { cluster }),
      ...(copy && { copy }),
      ...(text !== undefined && { text }),
    });
    const title = `${report.page?.facts?.title ?? report.url} · ${this.#name}`;
    const status = report.page === undefined ? 404 : 200;
    return pageReply(pageFrame({ title, name: this.#name, content, section: 'pages' }), status);
  }

  #lookUp(): Reply {
    const content = html`<article class="wide-page"><h1>Pages</h1>
<p>What does this crawl know of a page: how it was found, what became of it, its links, versions and duplicates, and when it is visited next.</p>
${lookUpForm('')}
<p class="choices"><a href="/report">All pages</a> <a href="/hosts">All hosts</a> <a href="/changes">Latest changes</a></p></article>`;
    return pageReply(pageFrame({ title: `Pages · ${this.#name}`, name: this.#name, content, section: 'pages' }));
  }
}
