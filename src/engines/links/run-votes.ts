import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { LinkVotes } from '../../contracts/state/link-store.ts';
import { entryLength, entryVisit, NOFOLLOW, SAME_HOST } from './link-entry.ts';
import type { LinkRuns } from './link-runs.ts';
import { NumberedUrls } from './numbered-urls.ts';
import { eachTarget } from './out-links.ts';
import type { ReplacedVisits } from './replaced-visits.ts';
import type { BlockReader } from './target-block.ts';
import { hostOf } from './url-key.ts';

interface VisitRow {
  readonly no: number;
  readonly url: string;
  readonly host: string;
  readonly links: Uint8Array;
}

const EDGES_AT_A_TIME = 1 << 16;

/**
 * The links of a store as edges between numbers, read by target: a URL is looked up once for each run, and none is put together.
 * Visited pages come first, in the order of their visits; then the others. For the one who writes the store, between two commits.
 */
export class RunVotes implements LinkVotes {
  readonly pages: number;
  readonly #runs: LinkRuns;
  readonly #replaced: ReplacedVisits;
  readonly #db: DatabaseSync;
  readonly #urls = new NumberedUrls();
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
      const number = this.#urls.add(url, no);
      this.#urls.setHost(number, host);
      this.#pageOf[no] = number + 1;
    }
    this.pages = this.#urls.count;
  }

  get nodes(): number {
    return this.#urls.count;
  }

  get hosts(): readonly string[] {
    return this.#urls.hosts;
  }

  get hostOf(): Uint32Array {
    return this.#urls.hostOf;
  }

  find(url: string): number | undefined {
    return this.#urls.find(url);
  }

  finder(): (url: string) => number | undefined {
    return this.#urls.finder();
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
      if (to === -1) to = this.#urls.addKey(hi, lo, visit);
      // Most URLs that were not visited are of the host of a page that names them.
      if (to >= this.pages && (flags & SAME_HOST) !== 0) this.#urls.shareHost(to, page - 1);
      batch[filled++] = page - 1;
      batch[filled++] = to;
    }
    return filled;
  }

  /** The hosts of the others are read from the pages that name them, each once. */
  #findHosts(): void {
    const visits = new Set<number>();
    for (let number = this.pages; number < this.nodes; number++)
      if (!this.#urls.hasHost(number)) visits.add(this.#urls.namedBy(number));
    const select = this.#db.prepare('SELECT no, url, host, links FROM visit WHERE no = ?');
    for (const visit of [...visits].sort((a, b) => a - b)) {
      const row = select.get(visit) as unknown as VisitRow;
      eachTarget(row.url, row.links, (url) => {
        const number = this.find(url);
        if (number !== undefined && !this.#urls.hasHost(number)) this.#urls.setHost(number, hostOf(url));
      });
    }
  }
}
