import { type HtmlPart, html } from '../frame/html.ts';
import { messageReply } from '../frame/message-page.ts';
import { pageFrame } from '../frame/page-frame.ts';
import { mountedMarkup } from '../http/mounted-reply.ts';
import { eventStreamReply, jsonReply, pageReply, type Reply } from '../http/reply.ts';
import { BadRequest, type WebRequest } from '../http/web-request.ts';
import type { CrawlWatch } from './crawl-watch.ts';
import { SPANS, type Span } from './dashboard-charts.ts';
import { dashboardRegions, dashboardView } from './dashboard-view.ts';
import { LiveFeed } from './live-feed.ts';
import { recentRates } from './recent-rates.ts';

/** What the crawl in this folder does: as a page, as a stream of what changes on it, and as JSON. */
export class DashboardRoutes {
  readonly #watch: CrawlWatch | undefined;
  readonly #name: string;
  readonly #feed: LiveFeed;
  readonly #panel: (ask: WebRequest) => HtmlPart;

  /** `panel`: what stands above the figures, to steer the crawl by. `mount`: where the addresses of the app begin. */
  constructor(
    watch: CrawlWatch | undefined,
    name: string,
    panel: (ask: WebRequest) => HtmlPart = () => false,
    mount = '',
  ) {
    this.#watch = watch;
    this.#name = name;
    this.#panel = panel;
    this.#feed = new LiveFeed(async (span) => {
      const regions = watch === undefined ? [] : dashboardRegions(await watch.look(), span as Span);
      return new Map([...regions].map(([id, { markup }]) => [id, mountedMarkup(markup, mount)]));
    });
  }

  async page(ask: WebRequest): Promise<Reply> {
    const span = spanOf(ask);
    const title = `Dashboard · ${this.#name}`;
    const content =
      this.#watch === undefined
        ? html`<section class="message"><h1>No crawl</h1><p>The documents here were imported; there is no crawl to watch.</p></section>`
        : dashboardView(await this.#watch.look(), span, this.#panel(ask));
    return pageReply(pageFrame({ title, name: this.#name, content, extra: 'dashboard', section: 'dashboard' }));
  }

  events(ask: WebRequest): Reply {
    const span = spanOf(ask);
    if (this.#watch === undefined) return messageReply(this.#name, 404, 'No crawl', 'There is no crawl to watch.');
    if (this.#feed.isFull) {
      const text = 'More readers watch than can be served. Please reload the dashboard instead.';
      const reply = messageReply(this.#name, 503, 'Too many readers', text);
      return { ...reply, headers: { ...reply.headers, 'retry-after': '30' } };
    }
    return eventStreamReply((response) => this.#feed.add(response, span));
  }

  async json(): Promise<Reply> {
    if (this.#watch === undefined) return jsonReply({ error: 'No crawl stands behind this index.' }, 404);
    const look = await this.#watch.look();
    return jsonReply({ ...look, now: recentRates(look) });
  }

  /** Lets go of those who watch. */
  end(): void {
    this.#feed.end();
  }
}

function spanOf({ parameters }: WebRequest): Span {
  const span = parameters.get('span') || 'all';
  if (Object.hasOwn(SPANS, span)) return span as Span;
  throw new BadRequest(`"span" is one of ${Object.keys(SPANS).join(', ')}.`);
}
