import type { Settings } from '../../base/settings/schema.ts';
import type { CrawlProgress } from '../../contracts/events.ts';
import type { Crawl } from '../../crawl/crawl.ts';
import { SteadyEstimate } from '../../crawl/plan/steady-estimate.ts';
import { TimeLeft } from '../../crawl/plan/time-left.ts';
import { StatusLine } from './status-line.ts';
import { counted, percent, writtenDuration } from './written-amount.ts';

const LIVE_MS = 250;
const PLAIN_MS = 5000;

/** In a log a crawl that waits for its next visits says so no more often. */
const UNCHANGED_MS = 60_000;

/** A line that is rewritten in a terminal, a plain line every few seconds elsewhere. */
export class ProgressDisplay implements Disposable {
  readonly #out: NodeJS.WriteStream;
  readonly #crawl: Crawl;
  /** Absent where the output is no terminal. */
  readonly #line: StatusLine | undefined;
  readonly #timer: NodeJS.Timeout;
  /** Absent where the crawl has no end, or where it cannot be told. */
  readonly #left: TimeLeft | undefined;
  readonly #steady = new SteadyEstimate();
  /** Pages and times of the last seconds, for the rate of now rather than that of always. */
  readonly #recent: { at: number; pages: number }[] = [];
  #written = { at: Number.NEGATIVE_INFINITY, requests: -1 };
  #busy = false;
  #closed = false;

  constructor(out: NodeJS.WriteStream, crawl: Crawl, folder: string, settings: Settings) {
    this.#out = out;
    this.#crawl = crawl;
    this.#line = out.isTTY === true ? new StatusLine(out, [process.stdout, process.stderr]) : undefined;
    // What is left to a node is decided by the others as well.
    this.#left = settings.continuous || settings.partitions > 1 ? undefined : new TimeLeft(folder, settings);
    this.#timer = setInterval(() => void this.#show(), this.#line === undefined ? PLAIN_MS : LIVE_MS);
    this.#timer.unref();
  }

  /** A remark that stays on the screen. */
  note(text: string): void {
    this.#out.write(`${text}\n`);
  }

  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    this.#left?.[Symbol.dispose]();
    this.#line?.[Symbol.dispose]();
  }

  async #show(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      const room = this.#line === undefined ? Number.POSITIVE_INFINITY : (this.#out.columns || 80) - 1;
      const progress = await this.#crawl.progress();
      if (this.#closed) return;
      const left = this.#steady.of(progress, await this.#left?.of(progress));
      if (this.#closed) return;
      const line = fitted(progressParts(progress, this.#rate(progress), left, Date.now()), room);
      if (this.#line === undefined) this.#log(line, progress);
      else this.#line.show(line);
    } catch {
      // The crawl was closed meanwhile; what went wrong with it is told by `run`.
    } finally {
      this.#busy = false;
    }
  }

  #log(line: string, { elapsedMs, requests }: CrawlProgress): void {
    if (requests === this.#written.requests && elapsedMs - this.#written.at < UNCHANGED_MS) return;
    this.#written = { at: elapsedMs, requests };
    this.#out.write(`${line}\n`);
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

export interface Part {
  readonly text: string;
  /** The lightest goes first where the terminal is narrow. */
  readonly weight: number;
}

/** What there is to tell. `perSecond`: pages of late; `leftMs`: how long it will go on. */
export function progressParts(
  progress: CrawlProgress,
  perSecond: number,
  leftMs: number | undefined,
  now: number,
): Part[] {
  const { frontier, harvest } = progress;
  const { planned = 0 } = frontier;
  const waiting = Math.max(0, frontier.queued - frontier.parked - frontier.leased - planned);
  const rest = (progress.nextDue ?? 0) - now;
  // A page that has arrived is leased until it is settled, and what falls due next is the end of the lease.
  const idle = progress.inFlight === 0 && frontier.leased === 0 && rest > 1500;
  const parts: Part[] = [
    { text: counted(progress.pages, 'page'), weight: 10 },
    { text: `${perSecond.toFixed(1)}/s`, weight: 9 },
    { text: harvest === undefined ? '' : formatHarvest(harvest), weight: 8 },
    { text: `${waiting} queued`, weight: 7 },
    { text: planned > 0 ? `${planned} planned` : '', weight: 6 },
    { text: planned > 0 ? counted(progress.requests, 'request') : '', weight: 3 },
    { text: counted(frontier.hosts, 'host'), weight: 2 },
    { text: `${progress.inFlight} in flight`, weight: 1 },
    { text: `${progress.failed} failed`, weight: 5 },
    { text: leftMs === undefined || waiting === 0 ? '' : `ETA ${writtenDuration(Math.max(1000, leftMs))}`, weight: 3 },
    { text: idle ? `next visit in ${writtenDuration(rest)}` : '', weight: 4 },
  ];
  return parts.filter(({ text }) => text !== '');
}

function formatHarvest({ relevant, recentRate }: NonNullable<CrawlProgress['harvest']>): string {
  return `${relevant} on topic (${percent(recentRate)} of late)`;
}

/** As much of the line as there is room for: whole parts, so that no number is cut. */
export function fitted(parts: readonly Part[], room: number): string {
  const line = parts.map(({ text }) => text).join(' | ');
  if (line.length <= room) return line;
  if (parts.length <= 1) return line.slice(0, Math.max(0, room));
  const lightest = parts.reduce((least, part) => (part.weight < least.weight ? part : least));
  return fitted(
    parts.filter((part) => part !== lightest),
    room,
  );
}
