import type { MessagePort } from 'node:worker_threads';
import type { HandedVisit, HandedVisits as Sent } from '../../../contracts/handed-visit.ts';

/**
 * With more bytes than this, visits go that others have overtaken: most of those are never settled. The others stay however late
 * the index is, for the oldest is what it takes next; whoever hands them over bounds them.
 */
const MOST_KEPT = 24_000_000;

interface KeptVisit {
  readonly visit: HandedVisit;
  /** Its number in the order in which they came. */
  readonly arrival: number;
}

/** Visits that page threads have handed over, until they are settled and taken; by file and place. */
export class HandedVisits implements Disposable {
  readonly #waiting: Int32Array;
  #ports: MessagePort[] = [];
  readonly #files = new Map<string, Map<number, KeptVisit>>();
  #arrivals = 0;
  /** The latest of those that were taken. */
  #lastTaken = -1;
  #kept = 0;
  #taken = 0;

  /** `waiting`: as the page threads have it. */
  constructor(waiting: SharedArrayBuffer) {
    this.#waiting = new Int32Array(waiting);
    Atomics.store(this.#waiting, 0, 0);
  }

  /** Takes what one more page thread sends. */
  listen(port: MessagePort): void {
    this.#ports.push(port);
    port.on('message', (visits: Sent) => {
      for (const visit of visits) this.#keep(visit);
    });
    port.once('close', () => {
      this.#ports = this.#ports.filter((other) => other !== port);
    });
    // A thread has other things to wait for.
    port.unref();
  }

  /** Bytes of those that are kept. */
  get size(): number {
    return this.#kept;
  }

  /** Visits that did not have to be read from the archive. */
  get taken(): number {
    return this.#taken;
  }

  /** The visit whose records begin there. It is no longer kept then, nor are those before it. */
  take(file: string, start: number): HandedVisit | undefined {
    const visits = this.#files.get(file);
    if (visits === undefined) return undefined;
    const found = visits.get(start);
    if (found !== undefined) {
      this.#taken++;
      this.#lastTaken = Math.max(this.#lastTaken, found.arrival);
    }
    for (const { visit } of visits.values()) {
      if (visit.start > start) break;
      this.#drop(visit);
    }
    return found?.visit;
  }

  /** Where the next one begins that was handed over, as far as `end`: what lies before it has to be read. */
  nextAfter(file: string, start: number, end: number): number {
    for (const place of this.#files.get(file)?.keys() ?? []) if (place > start) return Math.min(place, end);
    return end;
  }

  /** Those of a file that come next, as far as `end`. */
  ahead(file: string, end: number, most: number): HandedVisit[] {
    const next: HandedVisit[] = [];
    for (const { visit } of this.#files.get(file)?.values() ?? []) {
      if (visit.end > end || next.length === most) break;
      next.push(visit);
    }
    return next;
  }

  [Symbol.dispose](): void {
    Atomics.store(this.#waiting, 0, -1);
    for (const port of this.#ports) port.close();
  }

  #keep(visit: HandedVisit): void {
    const visits = this.#files.get(visit.file);
    const kept = { visit, arrival: this.#arrivals++ };
    if (visits === undefined) this.#files.set(visit.file, new Map([[visit.start, kept]]));
    else visits.set(visit.start, kept);
    this.#kept += visit.size;
    if (this.#kept > MOST_KEPT) this.#dropOvertaken();
  }

  #dropOvertaken(): void {
    for (const visits of this.#files.values()) {
      for (const { visit, arrival } of visits.values()) {
        if (this.#kept <= MOST_KEPT) return;
        if (arrival >= this.#lastTaken) break;
        this.#drop(visit);
      }
    }
  }

  #drop(visit: HandedVisit): void {
    const visits = this.#files.get(visit.file);
    visits?.delete(visit.start);
    if (visits?.size === 0) this.#files.delete(visit.file);
    this.#kept -= visit.size;
    Atomics.sub(this.#waiting, 0, visit.size);
  }
}
