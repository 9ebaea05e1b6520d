import type { DatabaseSync } from 'node:sqlite';
import type { ListedLinks } from '../../contracts/state/link-store.ts';
import { decodeOutLinks } from './out-links.ts';

interface VisitRow {
  readonly no: number;
  readonly url: string;
  readonly host: string;
  readonly at: number;
  readonly links: Uint8Array;
}

const VISITS_AT_A_TIME = 256;

/** Every page with its links, in the order in which the visits that count were stored; behind the visit of a number. */
export function* linkedPages(db: DatabaseSync, after: number): Generator<ListedLinks> {
  const select = db.prepare('SELECT no, url, host, at, links FROM visit WHERE no > ? ORDER BY no LIMIT ?');
  for (let last = after; ; ) {
    const rows = select.all(last, VISITS_AT_A_TIME) as unknown as VisitRow[];
    for (const { no, url, host, at, links } of rows) yield { no, url, host, at, links: decodeOutLinks(url, links) };
    if (rows.length < VISITS_AT_A_TIME) return;
    last = rows[rows.length - 1].no;
  }
}
