import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { LinkVotes } from '../../contracts/state/link-store.ts';
import { entryLength, entryVisit, NOFOLLOW, SAME_HOST } from './link-entry.ts';
import type { LinkRuns } from './link-runs.ts';
import { eachTarget } from './out-links.ts';
import type { ReplacedVisits } from './replaced-visits.ts';
import type { BlockReader } from './target-block.ts';
import { hostOf, UrlKey } from './url-key.ts';
import { UrlNumbers } from './url-numbers.ts';

interface VisitRow {
  readonly no: number;
  readonly url: string;
  readonly host: string;
  readonly links: Uint8Array;
}

const EDGES_AT_A_TIME = 1 << 16;
const NO_HOST = 0xffff_ffff;

/**
 * The links of a store as edges between numbers, read by target: a URL is looked up once for each run, and none is put together.
 * Visited pages come first, in the order of their visits; then the others. For the one who writes the store, between two commits.
 */
export class RunVotes implements LinkVotes {
  readonly pages: number;
  readonly #runs: LinkRuns;
  readonly #replaced: ReplacedVisits;
  readonly #db: DatabaseSync;
  readonly #numbers = new UrlNumbers();
  readonly #key = new UrlKey();
  readonly #hostNumbers = new Map<string, number>();
  #hostOf = new Uint32Array(1024).fill(NO_HOST);
  /** A visit that names the URL, where it was not visited itself. */
  #namedBy = new Uint32Array(1024);
  /** Number of the page of each visit, plus 1. */
  readonly #pageOf: Uint32Array;

  constructor(db: DatabaseSync, runs: LinkRuns, replaced: ReplacedVisits) {
    this.#db = db;
    this.#runs = runs;
    this.#replaced = replaced;
    const { last } = db.prepare('SELECT max(no) AS last FROM visit').get() as { last: number | null };
    this.#pageOf = new Uint32Array((last ?? 0) + 1);
    const named = db.prepare('SELECT no, url, host FROM visit ORDER BY no');
    for (const { no, url, host } of named.iterate() as Iterable<VisitRow>) {
      const { hi, lo } = this.#key.set(url);
      const number = this.#numbers.add(hi, lo);
      this.#reserve(number);
      this.#hostOf[number] = this.#hostNumber(host);
      this.#pageOf[no] = number + 1;
    }
    this.pages = this.#numbers.count;
  }

  get nodes(): number {
    return this.#numbers.count;
  }

  get hosts(): readonly string[] {
    return [...this.#hostNumbers.keys()];
  }

  get hostOf(): Uint32Array {
    return this.#hostOf.subarray(0, this.nodes);
  }

  find(url: string): number | undefined {
    const { hi, lo } = this.#key.set(url);
    const number = this.#numbers.find(hi, lo);
    return number < 0 ? undefined : number;
  }

  async *batches(): AsyncGenerator<Uint32Array> {
    let batch = new Uint32Array(2 * EDGES_AT_A_TIME);
    let filled = 0;
    for (const run of this.#runs.all) {
      const hasReplaced = this.#replaced.anyIn(run.fromVisit, run.toVisit);
      for (let block = 0; block < run.first.length / 2; block++) {
        const reader = this.#runs.block(run, block);
        while (reader.next()) {
          if (filled + 2 * reader.count > batch.length) {
            if (filled > 0) yield batch.subarray(0, filled);
            filled = 0;
            await setImmediate();
            if (2 * reader.count > batch.length) batch = new Uint32Array(2 * reader.count);
          }
          filled = this.#take(reader, hasReplaced, batch, filled);
        }
      }
    }
    if (filled > 0) yield batch.subarray(0, filled);
    this.#findHosts();
  }

  /** Puts the links of a piece down that count. Returns where the next one goes. */
  #take({ hi, lo, bytes, start, end }: BlockReader, hasReplaced: boolean, batch: Uint32Array, from: number): number {
    let to = -1;
    let filled = from;
    for (let at = start; at < end; at += entryLength(bytes, at)) {
      const visit = entryVisit(bytes, at);
      const flags = bytes[at + 8];
      if ((flags & NOFOLLOW) !== 0 || (hasReplaced && this.#replaced.has(visit))) continue;
      const page = this.#pageOf[visit];
      if (page === 0) continue;
      if (to === -1) to = this.#numberOf(hi, lo, visit);
      // Most URLs that were not visited are of the host of a page that names them.
      if (to >= this.pages && (flags & SAME_HOST) !== 0) this.#hostOf[to] = this.#hostOf[page - 1];
      batch[filled++] = page - 1;
      batch[filled++] = to;
    }
    return filled;
  }

  #numberOf(hi: number, lo: number, visit: number): number {
    const before = this.#numbers.count;
    const number = this.#numbers.add(hi, lo);
    if (number < before) return number;
    this.#reserve(number);
    this.#namedBy[number] = visit;
    return number;
  }

  /** The hosts of the others are read from the pages that name them, each once. */
  #findHosts(): void {
    const visits = new Set<number>();
    for (let number = this.pages; number < this.nodes; number++)
      if (this.#hostOf[number] === NO_HOST) visits.add(this.#namedBy[number]);
    const select = this.#db.prepare('SELECT no, url, host, links FROM visit WHERE no = ?');
    for (const visit of [...visits].sort((a, b) => a - b)) {
      const row = select.get(visit) as unknown as VisitRow;
      eachTarget(row.url, row.links, (url) => {
        const number = this.find(url);
        if (number !== undefined && this.#hostOf[number] === NO_HOST)
          this.#hostOf[number] = this.#hostNumber(hostOf(url));
      });
    }
  }

  #hostNumber(host: string): number {
    const known = this.#hostNumbers.get(host);
    if (known !== undefined) return known;
    this.#hostNumbers.set(host, this.#hostNumbers.size);
    return this.#hostNumbers.size - 1;
  }

  #reserve(number: number): void {
    if (number < this.#hostOf.length) return;
    this.#hostOf = doubled(this.#hostOf, NO_HOST);
    this.#namedBy = doubled(this.#namedBy, 0);
  }
}

function doubled(values: Uint32Array<ArrayBuffer>, free: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * values.length).fill(free, values.length);
  larger.set(values);
  return larger;
}
