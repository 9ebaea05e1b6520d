import { type HtmlPart, html } from '../frame/html.ts';
import { pageFrame } from '../frame/page-frame.ts';
import { jsonReply, pageReply, type Reply } from '../http/reply.ts';
import { switchOf, type WebRequest } from '../http/web-request.ts';
import type { CrawlWatch } from './crawl-watch.ts';
import { dashboardView } from './dashboard-view.ts';
import { RateBook } from './rate-book.ts';

const MINUTE_MS = 60_000;

/** What the crawl in this folder does: as a page and as JSON. Every look adds to what is known of its pace. */
export class DashboardRoutes {
  readonly #watch: CrawlWatch | undefined;
  readonly #name: string;
  readonly #rates = new RateBook();
  readonly #panel: (ask: WebRequest) => HtmlPart;

  /** `panel`: what stands above the figures, to steer the crawl by. */
  constructor(watch: CrawlWatch | undefined, name: string, panel: (ask: WebRequest) => HtmlPart = () => false) {
    this.#watch = watch;
    this.#name = name;
    this.#panel = panel;
  }

  async page(ask: WebRequest): Promise<Reply> {
    const content = html`${this.#panel(ask)}${await this.#content()}`;
    // A page that is open already takes the main part alone.
    if (switchOf(ask, 'part')) return pageReply(content);
    const title = `Dashboard · ${this.#name}`;
    return pageReply(pageFrame({ title, name: this.#name, content, extra: 'dashboard' }));
  }

  async json(): Promise<Reply> {
    if (this.#watch === undefined) return jsonReply({ error: 'No crawl stands behind this index.' }, 404);
    const look = await this.#watch.look();
    this.#rates.note(look.at, look.totals);
    return jsonReply({ ...look, rates: { minute: this.#rates.over(MINUTE_MS), steps: this.#rates.steps() } });
  }

  async #content() {
    if (this.#watch === undefined)
      return html`<section class="message"><h1>No crawl</h1><p>The documents here were imported; there is no crawl to watch.</p></section>`;
    const look = await this.#watch.look();
    this.#rates.note(look.at, look.totals);
    return dashboardView(look, this.#rates);
  }
}
