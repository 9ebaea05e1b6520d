import type { DatabaseSync } from 'node:sqlite';
import type { InLinkCount } from '../../contracts/state/link-store.ts';
import { entryLength, entryVisit } from './link-entry.ts';
import { type LinkRun, LinkRuns } from './link-runs.ts';
import { ReplacedVisits } from './replaced-visits.ts';
import { UrlNumbers } from './url-numbers.ts';

/**
 * Links to every page, run after run: a page has a part of its count in each. Reads all blocks once, in their order. Takes some 25
 * bytes a visited page meanwhile.
 */
export function* inLinkCounts(db: DatabaseSync, leftOut: LeftOut): Generator<InLinkCount> {
  // Beside a writer all parts have to be of one commit: merges move links from run to run.
  db.exec('BEGIN');
  try {
    const runs = new LinkRuns(db, true);
    const replaced = new ReplacedVisits(db, true);
    const own = new OwnVisits(db, leftOut);
    for (const run of runs.all) yield* countsOf(runs, run, replaced, own);
  } finally {
    db.exec('COMMIT');
  }
}

function* countsOf(runs: LinkRuns, run: LinkRun, replaced: ReplacedVisits, own: OwnVisits): Generator<InLinkCount> {
  const isWhole = !own.hasLeftOut && !replaced.anyIn(run.fromVisit, run.toVisit);
  for (let block = 0; block < run.first.length / 2; block++) {
    const reader = runs.block(run, block);
    while (reader.next()) {
      const { hi, lo, bytes, start, end, count } = reader;
      const visitOfPage = own.of(hi, lo);
      if (isWhole && (visitOfPage < run.fromVisit || visitOfPage > run.toVisit)) {
        yield { hi, lo, links: count, fromOthers: count };
        continue;
      }
      let links = 0;
      let fromOthers = 0;
      for (let at = start; at < end; at += entryLength(bytes, at)) {
        const visit = entryVisit(bytes, at);
        if (!isWhole && (replaced.has(visit) || own.isLeftOut(visit))) continue;
        links++;
        if (visit !== visitOfPage) fromOthers++;
      }
      if (links > 0) yield { hi, lo, links, fromOthers };
    }
  }
}

/** Whether the links of a page do not count, by the halves of its fingerprint. */
export type LeftOut = (hi: number, lo: number) => boolean;

/** The visit of each page, which holds its own links. */
class OwnVisits {
  readonly #numbers = new UrlNumbers();
  readonly #visits: Uint32Array;
  readonly #leftOut = new Set<number>();

  constructor(db: DatabaseSync, leftOut: LeftOut) {
    const { pages } = db.prepare('SELECT count(*) AS pages FROM page').get() as { pages: number };
    this.#visits = new Uint32Array(pages);
    const select = db.prepare('SELECT fp, visit FROM page');
    select.setReadBigInts(true);
    const key = new BigInt64Array(1);
    const halves = new Uint32Array(key.buffer);
    for (const row of select.iterate() as Iterable<unknown>) {
      const { fp, visit } = row as { fp: bigint; visit: bigint };
      key[0] = fp;
      this.#visits[this.#numbers.add(halves[1], halves[0])] = Number(visit);
      if (leftOut(halves[1], halves[0])) this.#leftOut.add(Number(visit));
    }
  }

  get hasLeftOut(): boolean {
    return this.#leftOut.size > 0;
  }

  isLeftOut(visit: number): boolean {
    return this.#leftOut.has(visit);
  }

  /** 0 where there is none. */
  of(hi: number, lo: number): number {
    const number = this.#numbers.find(hi, lo);
    return number < 0 ? 0 : this.#visits[number];
  }
}
