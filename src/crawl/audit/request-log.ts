import { hostDelay } from '../../frontier/politeness.ts';
import type { ArchivedRequest } from './archived-requests.ts';
import type { PolitenessNote } from './politeness-note.ts';

/** Where a request stands in the archive. */
export interface RequestPlace {
  readonly file: number;
  readonly offset: number;
}

/** What one check has found. */
export interface AuditFinding {
  count: number;
  readonly examples: (RequestPlace & { readonly what: string })[];
}

/** How the pauses of a kind of owner (hosts, addresses, domains) compare with what was owed. */
export interface PauseReport {
  readonly pauses: number;
  /** The shortest one, less what was owed; negative where a pause was too short. */
  readonly leastMargin?: number;
  readonly tooShort: AuditFinding;
}

const EXAMPLES = 5;
/** Dates in the archive are whole milliseconds. */
const ROUNDING_MS = 1;

/** Requests in little memory, in any order; judged when all of them are there. */
export class RequestLog {
  readonly #at: number[] = [];
  readonly #end: number[] = [];
  readonly #fetchMs: number[] = [];
  readonly #crawlDelayMs: number[] = [];
  readonly #heldUntil: number[] = [];
  readonly #note: number[] = [];
  readonly #file: number[] = [];
  readonly #offset: number[] = [];
  readonly #atOnce: number[] = [];
  readonly #notes: PolitenessNote[] = [];

  get length(): number {
    return this.#at.length;
  }

  add(
    { at, end, fetchMs, retryAfterMs }: ArchivedRequest,
    about: RequestPlace & { readonly note: PolitenessNote; readonly crawlDelayMs: number; readonly host: string },
  ): number {
    const { note, host } = about;
    if (this.#notes.at(-1) !== note) this.#notes.push(note);
    this.#at.push(at);
    this.#end.push(end);
    this.#fetchMs.push(fetchMs);
    this.#crawlDelayMs.push(about.crawlDelayMs);
    this.#heldUntil.push(retryAfterMs === undefined ? 0 : end + retryAfterMs);
    this.#note.push(this.#notes.length - 1);
    this.#file.push(about.file);
    this.#offset.push(about.offset);
    this.#atOnce.push(note.hostConcurrencyOf[host] ?? note.hostConcurrency);
    return this.#at.length - 1;
  }

  placeOf(row: number): RequestPlace {
    return { file: this.#file[row], offset: this.#offset[row] };
  }

  /** The times of the first request and of the end of the last one. */
  span(): { readonly from: number; readonly to: number } {
    const from = this.#at.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
    return { from, to: this.#end.reduce((most, end) => Math.max(most, end), 0) };
  }

  /**
   * Judges the pauses between requests of one owner each. `owners`: the number of the owner by row, -1 where it has none. Where several
   * requests to a host may be under way, pauses count between starts, without the adaptive delay: that follows from the answers that the crawl
   * had when it chose the next request, which the archive does not say.
   */
  pauses(owners: readonly number[]): PauseReport {
    const tooShort = noFinding();
    let pauses = 0;
    let leastMargin: number | undefined;
    for (const { before, row, lastEnd } of this.#pairs(owners)) {
      const note = this.#notes[this.#note[before]];
      const isConcurrent = this.#atOnce[row] > 1;
      const delayFactor = note.delay === 0 || isConcurrent ? 0 : note.delayFactor;
      const policy = { ...{ minimumDelayMs: note.delay, delayFactor }, maxAdaptiveDelayMs: note.maxAdaptiveDelay };
      const owed = hostDelay(policy, this.#fetchMs[before], this.#crawlDelayMs[row]);
      const since = isConcurrent ? this.#at[before] : lastEnd;
      const margin = this.#at[row] - since - owed;
      pauses++;
      if (leastMargin === undefined || margin < leastMargin) leastMargin = margin;
      if (margin < -ROUNDING_MS)
        this.note(tooShort, row, `${this.#at[row] - since} ms after the one before, ${Math.round(owed)} owed`);
    }
    return { pauses, tooShort, ...(leastMargin === undefined ? {} : { leastMargin }) };
  }

  /** Requests that came before the time that a host had asked for; not those that were under way when it did. */
  tooEarly(owners: readonly number[]): AuditFinding {
    const found = noFinding();
    let holds: { readonly from: number; readonly until: number }[] = [];
    let owner = -1;
    for (const row of this.#inOrder(owners)) {
      const at = this.#at[row];
      holds = owners[row] === owner ? holds.filter(({ until }) => at < until - ROUNDING_MS) : [];
      owner = owners[row];
      const until = holds.reduce((latest, hold) => (hold.from <= at ? Math.max(latest, hold.until) : latest), 0);
      if (until > 0) this.note(found, row, `${until - at} ms before the time that Retry-After named`);
      if (this.#heldUntil[row] > 0) holds.push({ from: this.#end[row], until: this.#heldUntil[row] });
    }
    return found;
  }

  /** Requests of a host beyond those that may be under way at once. */
  tooMany(hosts: readonly number[]): AuditFinding {
    const found = noFinding();
    const ends = new Map<number, number[]>();
    for (const row of this.#inOrder(hosts)) {
      const open = (ends.get(hosts[row]) ?? []).filter((end) => end > this.#at[row] + ROUNDING_MS);
      open.push(this.#end[row]);
      ends.set(hosts[row], open);
      if (open.length > this.#atOnce[row])
        this.note(found, row, `${open.length} requests under way, ${this.#atOnce[row]} allowed`);
    }
    return found;
  }

  note(finding: AuditFinding, row: number, what: string): void {
    finding.count++;
    if (finding.examples.length < EXAMPLES) finding.examples.push({ ...this.placeOf(row), what });
  }

  *#pairs(owners: readonly number[]): Generator<{ before: number; row: number; lastEnd: number }> {
    let before: number | undefined;
    let lastEnd = 0;
    for (const row of this.#inOrder(owners)) {
      const isSame = before !== undefined && owners[before] === owners[row];
      if (isSame && before !== undefined) yield { before, row, lastEnd };
      lastEnd = isSame ? Math.max(lastEnd, this.#end[row]) : this.#end[row];
      before = row;
    }
  }

  /** Owner by owner, each in time. */
  #inOrder(owners: readonly number[]): Uint32Array {
    const rows = Uint32Array.from({ length: this.length }, (_, row) => row).filter((row) => owners[row] >= 0);
    return rows.sort((a, b) => owners[a] - owners[b] || this.#at[a] - this.#at[b] || a - b);
  }
}

export function noFinding(): AuditFinding {
  return { count: 0, examples: [] };
}
