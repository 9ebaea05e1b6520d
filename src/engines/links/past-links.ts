import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { fromSigned } from '../../base/fingerprint.ts';
import type { PastVisit, PastVisits } from '../../contracts/crawl-order.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { eachTarget } from './out-links.ts';

interface VisitRow {
  readonly no: number;
  readonly url: CanonicalUrl;
  readonly links: Uint8Array;
}

const VISITS_AT_A_TIME = 256;
const PAGES_AT_A_TIME = 4096;
/** Others get their turn after this many links. */
const LINKS_AT_A_TIME = 1 << 14;
const LEAST_FINGERPRINT = -(2n ** 63n);

/** The links of a store page by page, as a crawl that goes on wants them. Never more than a few pages are in memory. */
export class PastLinks implements PastVisits, Disposable {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  *pages(): Generator<bigint> {
    const select = this.#db.prepare('SELECT fp FROM page WHERE fp > ? ORDER BY fp LIMIT ?');
    select.setReadBigInts(true);
    for (let after = LEAST_FINGERPRINT; ; ) {
      const rows = select.all(after, PAGES_AT_A_TIME) as unknown as { fp: bigint }[];
      if (rows.length === 0) return;
      for (const { fp } of rows) yield fromSigned(fp);
      after = rows[rows.length - 1].fp;
    }
  }

  /** Links that are marked nofollow are no votes. */
  async *visits(): AsyncGenerator<PastVisit> {
    const select = this.#db.prepare('SELECT no, url, links FROM visit WHERE no > ? ORDER BY no LIMIT ?');
    let told = 0;
    for (let last = 0; ; ) {
      const rows = select.all(last, VISITS_AT_A_TIME) as unknown as VisitRow[];
      if (rows.length === 0) return;
      for (const { no, url, links } of rows) {
        last = no;
        const targets = new Set<CanonicalUrl>();
        eachTarget(url, links, (target, nofollow) => {
          if (!nofollow) targets.add(target as CanonicalUrl);
        });
        told += targets.size;
        yield { url, links: [...targets] };
        if (told < LINKS_AT_A_TIME) continue;
        told = 0;
        await setImmediate();
      }
    }
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
