import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { CrawlEvents, CrawlLoad } from '../../contracts/events.ts';
import type { FolderCrawlParts } from '../folder-crawl-parts.ts';
import type { EventHub } from '../report/event-hub.ts';
import { LoadControl } from './load-control.ts';

const LOOK_EVERY_MS = 100;
const JUDGE_EVERY_MS = 500;
/** The line is at fault, or too narrow. A host that is not there or does not answer is neither. */
const LOST: ReadonlySet<string> = new Set(['dns-failed', 'connect-failed', 'body-timeout', 'too-slow', 'deadline']);

export interface LoadWatchParts {
  readonly events: EventHub<CrawlEvents>;
  /** As the settings have it now. */
  readonly concurrency: () => number;
  readonly isOn: boolean;
}

/** Measures what the crawl does to its own process, and bounds how much it asks for at once. */
export class LoadWatch implements Disposable {
  readonly #parts: LoadWatchParts;
  readonly #control = new LoadControl();
  readonly #memory = memoryOfProcess();
  readonly #listener: Disposable | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #lookedAt = performance.now();
  #judgedAt = this.#lookedAt;
  #lagMs = 0;
  #requests = 0;
  #lost = 0;

  constructor(parts: LoadWatchParts) {
    this.#parts = parts;
    if (!parts.isOn) return;
    this.#listener = parts.events.on('settled', (settled) => this.#note(settled));
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  /** Requests at once, as the machine carries them. */
  get allowed(): number {
    return this.#control.allowed(this.#parts.concurrency());
  }

  get load(): CrawlLoad | undefined {
    return this.#parts.isOn ? this.#control.view(this.#parts.concurrency()) : undefined;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#listener?.[Symbol.dispose]();
  }

  #note({ outcome, use }: CrawlEvents['settled']): void {
    if (use === undefined) return;
    this.#requests++;
    if (outcome.kind === 'failed' && LOST.has(outcome.code)) this.#lost++;
  }

  /** A look that comes late tells how late everything in this thread comes. */
  #look(): void {
    const now = performance.now();
    this.#lagMs = Math.max(this.#lagMs, now - this.#lookedAt - LOOK_EVERY_MS);
    this.#lookedAt = now;
    if (now - this.#judgedAt < JUDGE_EVERY_MS) return;
    this.#judgedAt = now;
    const memoryShare = process.memoryUsage.rss() / this.#memory;
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    const shares = { memoryShare, heapShare: used / limit };
    const measured = { lagMs: this.#lagMs, ...shares, requests: this.#requests, lost: this.#lost };
    this.#lagMs = 0;
    this.#requests = 0;
    this.#lost = 0;
    this.#control.observe(measured, this.#parts.concurrency());
  }
}

/** Of a crawl, as long as a run lasts. */
export function watchLoad({
  events,
  live,
  settings,
}: Pick<FolderCrawlParts, 'events' | 'live' | 'settings'>): LoadWatch {
  return new LoadWatch({ events, concurrency: () => live.current.concurrency, isOn: settings.loadControl });
}

/** What this process may have: of the machine, or of the container that it runs in. */
function memoryOfProcess(): number {
  const constrained = process.constrainedMemory();
  const machine = totalmem();
  return constrained > 0 && constrained < machine ? constrained : machine;
}
