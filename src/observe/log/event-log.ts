import type { CrawlEvents, CrawlProgress } from '../../contracts/events.ts';
import type { Crawl } from '../../crawl/crawl.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Names that programs may rely on; docs/metrics.md has what each tells. */
export type LogEvent =
  | 'crawl.started'
  | 'crawl.progress'
  | 'crawl.stopping'
  | 'crawl.ended'
  | 'crawl.warning'
  | 'visit.settled'
  | 'visit.failed'
  | 'metrics.listening'
  | 'page.listening'
  | 'index.incomplete'
  | 'error';

type Fields = Readonly<Record<string, unknown>>;

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const PROGRESS_MS = 10_000;

/** One JSON object a line for what happens. What it is told never ends the crawl: a line that cannot be written is lost. */
export class EventLog {
  readonly #write: (line: string) => void;
  readonly #least: number;
  readonly #now: () => number;

  constructor(write: (line: string) => void, least: LogLevel, now: () => number = Date.now) {
    this.#write = write;
    this.#least = LEVELS.indexOf(least);
    this.#now = now;
  }

  tell(level: LogLevel, event: LogEvent, fields: Fields = {}): void {
    if (LEVELS.indexOf(level) < this.#least) return;
    this.#write(`${JSON.stringify({ time: new Date(this.#now()).toISOString(), level, event, ...fields })}\n`);
  }

  /** Tells of a crawl until it is disposed of. */
  watch(crawl: Crawl): Disposable {
    const heard = [
      crawl.on('warning', ({ code, message }) => this.tell('warn', 'crawl.warning', { code, message })),
      // At other levels nobody reads it, and making it costs.
      ...(this.#least === 0 ? [crawl.on('settled', (event) => this.#settled(event))] : []),
    ];
    const timer = setInterval(() => void this.#progress(crawl), PROGRESS_MS);
    timer.unref();
    return {
      [Symbol.dispose]() {
        clearInterval(timer);
        for (const each of heard) each[Symbol.dispose]();
      },
    };
  }

  async #progress(crawl: Crawl): Promise<void> {
    try {
      this.tell('info', 'crawl.progress', progressFields(await crawl.progress()));
    } catch {
      // It was closed meanwhile; what went wrong with it is told by `run`.
    }
  }

  #settled({ claim, outcome, status, use, retryAt }: CrawlEvents['settled']): void {
    const { kind, ...more } = outcome;
    this.tell('debug', kind === 'failed' ? 'visit.failed' : 'visit.settled', {
      url: claim.task.url,
      outcome: kind,
      ...more,
      ...(status === undefined ? {} : { status }),
      ...(use === undefined ? {} : { bytes: use.bytes, fetchMs: use.fetchMs }),
      ...(retryAt === undefined ? {} : { retryAt: new Date(retryAt).toISOString() }),
    });
  }
}

function progressFields({
  pages,
  requests,
  bytes,
  failed,
  refused,
  pagesPerSecond,
  inFlight,
  frontier,
}: CrawlProgress) {
  const { queued, hosts, parked } = frontier;
  return { pages, requests, bytes, failed, refused, pagesPerSecond, inFlight, queued, parked, hosts };
}
