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
  #closed = false;

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
    this.#closed = true;
    clearInterval(this.#timer);
    this.#clear();
  }

  async #show(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      const room = this.#live ? (this.#out.columns || 80) - 1 : Number.POSITIVE_INFINITY;
      const line = fitted(this.#parts(await this.#crawl.progress()), room);
      if (this.#closed) return;
      if (this.#live) this.#out.write(`\r\x1b[K${line}`);
      else this.#out.write(`${line}\n`);
    } catch {
      // The crawl was closed meanwhile; what went wrong with it is told by `run`.
    } finally {
      this.#busy = false;
    }
  }

  #clear(): void {
    if (this.#live) this.#out.write('\r\x1b[K');
  }

  #parts(progress: CrawlProgress): Part[] {
    const { frontier } = progress;
    const rate = this.#rate(progress);
    const waiting = frontier.queued - frontier.parked - frontier.leased;
    const rest = (progress.nextDue ?? 0) - Date.now();
    const idle = progress.inFlight === 0 && rest > 1500;
    const parts: Part[] = [
      { text: `${progress.pages} pages`, weight: 9 },
      { text: `${rate.toFixed(1)}/s`, weight: 8 },
      { text: `${waiting} queued`, weight: 7 },
      { text: `${frontier.hosts} hosts`, weight: 3 },
      { text: `${progress.inFlight} in flight`, weight: 1 },
      { text: `${progress.failed} failed`, weight: 6 },
      { text: eta(waiting, rate), weight: 4 },
      { text: idle ? `next host due in ${duration(rest / 1000)}` : '', weight: 5 },
    ];
    return parts.filter(({ text }) => text !== '');
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

interface Part {
  readonly text: string;
  /** The lightest goes first where the terminal is narrow. */
  readonly weight: number;
}

/** As much of the line as there is room for: whole parts, so that no number is cut. */
function fitted(parts: readonly Part[], room: number): string {
  const line = parts.map(({ text }) => text).join(' | ');
  if (line.length <= room) return line;
  if (parts.length <= 1) return line.slice(0, Math.max(0, room));
  const lightest = parts.reduce((least, part) => (part.weight < least.weight ? part : least));
  return fitted(
    parts.filter((part) => part !== lightest),
    room,
  );
}

/** How long the URLs known now would take at the rate of now; links still to be found come on top. */
function eta(waiting: number, rate: number): string {
  return waiting === 0 || rate < 0.01 ? '' : `ETA ${duration(waiting / rate)}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / 86_400)} days`;
}
