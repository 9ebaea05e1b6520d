import type { WriteStream } from 'node:tty';
import type { CrawlProgress } from '../contracts/events.ts';
import type { Crawl } from '../crawl/crawl.ts';

const LIVE_MS = 250;
const PLAIN_MS = 5000;

/** A line that is rewritten in a terminal, a plain line every few seconds elsewhere. */
export class ProgressDisplay {
  readonly #out: WriteStream | NodeJS.WriteStream;
  readonly #crawl: Crawl;
  readonly #live: boolean;
  readonly #timer: NodeJS.Timeout;
  /** Pages and times of the last seconds, for the rate of now rather than that of always. */
  readonly #recent: { at: number; pages: number }[] = [];
  #busy = false;

  constructor(out: NodeJS.WriteStream, crawl: Crawl) {
    this.#out = out;
    this.#crawl = crawl;
    this.#live = out.isTTY === true;
    this.#timer = setInterval(() => void this.#show(), this.#live ? LIVE_MS : PLAIN_MS);
    this.#timer.unref();
  }

  /** A remark that stays on the screen. */
  note(text: string): void {
    this.#clear();
    this.#out.write(`${text}\n`);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#clear();
  }

  async #show(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      const line = this.#line(await this.#crawl.progress());
      if (this.#live) this.#out.write(`\r\x1b[K${line.slice(0, (this.#out.columns ?? 80) - 1)}`);
      else this.#out.write(`${line}\n`);
    } finally {
      this.#busy = false;
    }
  }

  #clear(): void {
    if (this.#live) this.#out.write('\r\x1b[K');
  }

  #line(progress: CrawlProgress): string {
    const { frontier } = progress;
    const rate = this.#rate(progress);
    const waiting = frontier.queued - frontier.parked - frontier.leased;
    const parts = [
      `${progress.pages} pages`,
      `${rate.toFixed(1)}/s`,
      `${waiting} queued`,
      `${frontier.hosts} hosts`,
      `${progress.inFlight} in flight`,
      `${progress.failed} failed`,
      eta(waiting, rate),
    ];
    const rest = (progress.nextDue ?? 0) - Date.now();
    if (progress.inFlight === 0 && rest > 1500) parts.push(`next host due in ${duration(rest / 1000)}`);
    return parts.filter((part) => part !== '').join(' | ');
  }

  #rate({ elapsedMs, pages }: CrawlProgress): number {
    this.#recent.push({ at: elapsedMs, pages });
    while (this.#recent.length > 2 && elapsedMs - this.#recent[0].at > 10_000) this.#recent.shift();
    const first = this.#recent[0];
    return elapsedMs > first.at
      ? ((pages - first.pages) * 1000) / (elapsedMs - first.at)
      : (pages * 1000) / Math.max(1, elapsedMs);
  }
}

/** How long the URLs known now would take at the rate of now; links still to be found come on top. */
function eta(waiting: number, rate: number): string {
  return waiting === 0 || rate < 0.01 ? '' : `about ${duration(waiting / rate)} left for what is known`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / 86_400)} days`;
}
