import type {
  PageRenderer,
  RenderFailure,
  RenderingTotals,
  RenderOrder,
  RenderResult,
} from '../contracts/content/renderer.ts';
import { BrowserFailure, type BrowserOptions, BrowserProcess } from './browser-process.ts';
import { MemoryWatch } from './memory-watch.ts';
import { PageVisit, VisitFailure, type VisitOptions } from './page-visit.ts';
import type { SubRequests } from './sub-requests.ts';
import { Tab } from './tab.ts';

export interface RendererOptions extends VisitOptions {
  readonly browser: BrowserOptions;
  /** Pages that are shown at once. */
  readonly tabs: number;
  /** Who it is that asks: scripts see it behind the name of the browser. */
  readonly userAgent: string;
  /** Resources of pages go into the archive. */
  readonly keepResources: boolean;
  /** Memory of the whole browser, bytes; one page may take half of it. */
  readonly memory: number;
}

export interface RendererDeps {
  readonly requests: SubRequests;
  /** Whether a page came from an address that is not part of the public internet. */
  readonly isPrivate: (order: Pick<RenderOrder, 'url' | 'address'>) => boolean;
  readonly now: () => number;
  /** Absent: a browser of this machine. */
  readonly start?: typeof BrowserProcess.start;
  /** In words, for the user. */
  readonly notice: (message: string) => void;
}

/** A browser that has shown this many pages is replaced: what pages leave behind in it must not add up. */
const PAGES_PER_BROWSER = 500;
/** Starts in vain in a row; then no more page is rendered. */
const MOST_FAILED_STARTS = 3;
/** Between the end of a visit and its settlement. */
const SETTLING_MS = 10_000;

interface Job {
  readonly order: RenderOrder;
  readonly resolve: (result: RenderResult) => void;
  /** It was under way when a browser died. */
  again: boolean;
}

interface Running {
  readonly process: BrowserProcess;
  readonly watch: MemoryWatch;
  pages: number;
  active: number;
  retired: boolean;
}

/** One browser, a few tabs, and pages that wait for one. Tabs and browsers that crash, hang or grow are replaced. */
export class BrowserRenderer implements PageRenderer, AsyncDisposable {
  readonly #options: RendererOptions;
  readonly #deps: RendererDeps;
  readonly #queue: Job[] = [];
  #active = 0;
  #running: Promise<Running> | undefined;
  #leaving: Promise<void> = Promise.resolve();
  #failedStarts = 0;
  #unavailable: string | undefined;
  #isClosed = false;
  readonly #counts = { rendered: 0, failed: 0, ms: 0, subRequests: 0, subBytes: 0, refusedRequests: 0, restarts: 0 };

  constructor(options: RendererOptions, deps: RendererDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  get counts(): RenderingTotals {
    return this.#counts;
  }

  /** Pages that wait for a tab. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Why nothing is rendered, where that is so. */
  get unavailable(): string | undefined {
    return this.#unavailable;
  }

  render(order: RenderOrder): Promise<RenderResult> {
    return new Promise((resolve) => {
      this.#queue.push({ order, resolve, again: false });
      this.#next();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const { resolve } of this.#queue.splice(0)) resolve(failure('closed', 'the crawl ends'));
    const running = await this.#running?.catch(() => undefined);
    this.#running = undefined;
    if (running !== undefined) await close(running);
    await this.#leaving;
  }

  #next(): void {
    while (this.#active < this.#options.tabs) {
      const job = this.#queue.shift();
      if (job === undefined) return;
      this.#active++;
      void this.#work(job).finally(() => {
        this.#active--;
        this.#next();
      });
    }
  }

  async #work(job: Job): Promise<void> {
    const { order, resolve } = job;
    const result = await this.#attempt(job);
    if (result === 'again') {
      job.again = true;
      this.#queue.unshift(job);
      return;
    }
    this.#count(result);
    resolve(result.kind === 'failed' || this.#deps.now() < order.leaseEndsAt ? result : noTime());
  }

  async #attempt({ order, again }: Job): Promise<RenderResult | 'again'> {
    const { timeoutMs } = this.#options;
    if (this.#isClosed) return failure('closed', 'the crawl ends');
    if (this.#unavailable !== undefined) return failure('no-browser', this.#unavailable);
    if (this.#deps.now() + timeoutMs + SETTLING_MS > order.leaseEndsAt) return noTime();
    let running: Running;
    try {
      running = await this.#browser();
    } catch (error) {
      return this.#noBrowser(error, again);
    }
    running.active++;
    running.pages++;
    try {
      return await this.#show(running, order);
    } catch (error) {
      if (running.process.hasEnded && !again && !this.#isClosed) return 'again';
      if (error instanceof VisitFailure) return failure(error.code, error.message);
      return failure('crashed', error instanceof Error ? error.message : String(error));
    } finally {
      running.active--;
      this.#look(running);
    }
  }

  async #show({ process }: Running, order: RenderOrder): Promise<RenderResult> {
    const { userAgent, keepResources } = this.#options;
    const tab = await Tab.open(process.connection, { userAgent: `${process.userAgent} ${userAgent}` });
    const page = { url: order.url, isPrivate: this.#deps.isPrivate(order) };
    const requests = this.#deps.requests.begin(page, keepResources);
    try {
      return await new PageVisit(tab, order, requests, this.#options).run();
    } finally {
      // A browser that does not give a tab up hangs: what waits for it is told, and another is started.
      await tab.close('the visit has ended').catch(() => process.kill());
    }
  }

  #browser(): Promise<Running> {
    if (this.#running === undefined) {
      const starting = this.#start();
      this.#running = starting;
      starting.catch(() => {
        this.#failedStarts++;
        if (this.#running === starting) this.#running = undefined;
      });
    }
    return this.#running;
  }

  async #start(): Promise<Running> {
    // One browser at a time: the folder remembers one, and memory is bounded for one.
    await this.#leaving;
    const { start = BrowserProcess.start } = this.#deps;
    const process = await start(this.#options.browser);
    this.#failedStarts = 0;
    const { memory } = this.#options;
    const running: Running = {
      ...{ process, pages: 0, active: 0, retired: false },
      watch: new MemoryWatch(process, memory, () => this.#retire(running)),
    };
    void process.ended.then(() => this.#retire(running));
    return running;
  }

  /** Takes no more pages; closed when it has none left. */
  #retire(running: Running): void {
    if (running.retired) return;
    running.retired = true;
    this.#running = undefined;
    if (!this.#isClosed) this.#counts.restarts++;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#leaving = promise;
    const wait = setInterval(() => {
      if (running.active > 0 && !running.process.hasEnded) return;
      clearInterval(wait);
      close(running).then(resolve, resolve);
    }, 50);
  }

  #look(running: Running): void {
    if (running.pages >= PAGES_PER_BROWSER || running.process.hasEnded) this.#retire(running);
  }

  #noBrowser(error: unknown, again: boolean): RenderResult | 'again' {
    const why = error instanceof Error ? error.message : String(error);
    if (!(error instanceof BrowserFailure)) return failure('crashed', why);
    // One that ends at once will do so again; one that is late may be so for other work on the machine.
    const isHopeless = this.#counts.rendered === 0 && !error.isLate;
    if (this.#failedStarts >= MOST_FAILED_STARTS || isHopeless) {
      if (this.#unavailable === undefined) this.#deps.notice(why);
      this.#unavailable = why;
    }
    return again && !error.isLate ? failure('no-browser', why) : 'again';
  }

  #count(result: RenderResult): void {
    const counts = this.#counts;
    if (result.kind === 'failed') {
      counts.failed++;
      return;
    }
    counts.rendered++;
    counts.ms += result.ms;
    counts.subRequests += result.requests.sent;
    counts.subBytes += result.requests.bytes;
    for (const refused of Object.values(result.requests.refused)) counts.refusedRequests += refused;
  }
}

async function close({ process, watch }: Running): Promise<void> {
  watch[Symbol.dispose]();
  await process[Symbol.asyncDispose]();
}

function failure(code: RenderFailure['code'], detail: string): RenderFailure {
  return { kind: 'failed', code, detail };
}

function noTime(): RenderFailure {
  return failure('no-time', 'no tab was free before its lease ended');
}
