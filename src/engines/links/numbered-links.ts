import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { EdgeOptions, LinkEdges } from '../../contracts/state/link-store.ts';
import { NumberedUrls } from './numbered-urls.ts';
import { eachTarget } from './out-links.ts';
import { hostOf } from './url-key.ts';

interface VisitRow {
  readonly no: number;
  readonly url: string;
  readonly host: string;
  readonly links: Uint8Array;
}

const VISITS_AT_A_TIME = 256;
const EDGES_AT_A_TIME = 1 << 16;

/**
 * The links of a store as edges between numbers. Visited pages come first, in the order of their visits, which keeps the
 * pages of a host together; then the others as they are met. It costs about 30 bytes a URL while it is in use.
 */
export class NumberedLinks implements LinkEdges {
  /** Visited pages have the numbers below this one. */
  readonly pages: number;
  readonly #options: EdgeOptions;
  readonly #urls = new NumberedUrls();
  readonly #visits: StatementSync;
  readonly #visit: StatementSync;

  constructor(db: DatabaseSync, options: EdgeOptions = {}) {
    this.#options = options;
    this.#visits = db.prepare('SELECT no, url, host, links FROM visit WHERE no > ? ORDER BY no LIMIT ?');
    this.#visit = db.prepare('SELECT no, url, host, links FROM visit WHERE no = ?');
    const named = db.prepare('SELECT no, url, host FROM visit ORDER BY no');
    for (const { no, url, host } of named.iterate() as Iterable<VisitRow>) this.#number(url, no, host);
    this.pages = this.#urls.count;
  }

  /** All nodes so far. Complete when `batches` has come to its end, as are hosts. */
  get nodes(): number {
    return this.#urls.count;
  }

  get hosts(): readonly string[] {
    return this.#urls.hosts;
  }

  /** Number of the host of each node. */
  get hostOf(): Uint32Array {
    return this.#urls.hostOf;
  }

  find(url: string): number | undefined {
    return this.#urls.find(url);
  }

  finder(): (url: string) => number | undefined {
    return this.#urls.finder();
  }

  /** Undefined where the page that named it was visited again since, and no longer does. */
  url(number: number): string | undefined {
    const row = this.#visit.get(this.#urls.namedBy(number)) as VisitRow | undefined;
    if (row === undefined) return undefined;
    if (this.find(row.url) === number) return row.url;
    let found: string | undefined;
    eachTarget(row.url, row.links, (url) => {
      if (found === undefined && this.find(url) === number) found = url;
    });
    return found;
  }

  /** Source and target in turn, some thousand edges at a time; each batch is valid until the next is asked for. */
  async *batches(): AsyncGenerator<Uint32Array> {
    const { unvisited = true, nofollow = false } = this.#options;
    let batch = new Uint32Array(2 * EDGES_AT_A_TIME);
    let filled = 0;
    for (let last = 0; ; ) {
      const rows = this.#visits.all(last, VISITS_AT_A_TIME) as unknown as VisitRow[];
      for (const { no, url, host, links } of rows) {
        last = no;
        const from = this.#number(url, no, host);
        eachTarget(url, links, (target, unendorsed) => {
          if (unendorsed && !nofollow) return;
          const to = unvisited ? this.#number(target, no) : this.find(target);
          if (to === undefined) return;
          if (filled === batch.length) {
            const larger = new Uint32Array(2 * filled);
            larger.set(batch);
            batch = larger;
          }
          batch[filled++] = from;
          batch[filled++] = to;
        });
      }
      if (filled >= EDGES_AT_A_TIME || rows.length === 0) {
        if (filled > 0) yield batch.subarray(0, filled);
        filled = 0;
        await setImmediate();
      }
      if (rows.length === 0) return;
    }
  }

  #number(url: string, visit: number, host?: string): number {
    const number = this.#urls.add(url, visit);
    if (!this.#urls.hasHost(number)) this.#urls.setHost(number, host ?? hostOf(url));
    return number;
  }
}
