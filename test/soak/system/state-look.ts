import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface PageRow {
  readonly url: string;
  readonly kind: string;
  /** The ending that stored the copy still held, where later visits ended in another way. */
  readonly held: string | null;
}

/** Reads the state of a crawl, running or not; `otherwise` where it cannot be read at the moment. */
export function lookAtState<Seen>(folder: string, look: (db: DatabaseSync) => Seen, otherwise: Seen): Seen {
  try {
    const db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true, timeout: 2000 });
    try {
      return look(db);
    } finally {
      db.close();
    }
  } catch {
    return otherwise;
  }
}

/** Hosts with a request under way when the process ended: so many requests may have to be made again. */
export function leasesLeft(folder: string): number {
  return lookAtState(folder, (db) => (db.prepare('SELECT count(*) AS n FROM lease').get() as { n: number }).n, 0);
}

export function pageRows(folder: string): Map<string, PageRow> {
  const rows = (db: DatabaseSync): PageRow[] => {
    return db.prepare('SELECT url, kind, held FROM page').all() as unknown as PageRow[];
  };
  return new Map(lookAtState(folder, rows, []).map((row) => [row.url, row]));
}

/** URLs that wait for a visit, or for another try. */
export function waitingUrls(folder: string): Set<string> {
  const rows = (db: DatabaseSync): { url: string }[] => {
    return db.prepare('SELECT url FROM queue UNION SELECT url FROM later').all() as { url: string }[];
  };
  return new Set(lookAtState(folder, rows, []).map(({ url }) => url));
}

export function countsOf(folder: string): { readonly pages: number; readonly queued: number } | undefined {
  return lookAtState(
    folder,
    (db) => ({
      pages: (db.prepare("SELECT count(*) AS n FROM page WHERE kind IN ('stored', 'duplicate')").get() as { n: number })
        .n,
      queued: (db.prepare('SELECT count(*) AS n FROM queue').get() as { n: number }).n,
    }),
    undefined,
  );
}

export function isHeld({ kind, held }: PageRow): boolean {
  return kind === 'stored' || kind === 'duplicate' || held !== null;
}
