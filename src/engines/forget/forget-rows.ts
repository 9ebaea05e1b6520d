import type { DatabaseSync } from 'node:sqlite';
import { type Fingerprint, fingerprint, fromSigned } from '../../base/fingerprint.ts';
import type { ForgottenRows, PagesToForget } from '../../contracts/state/forget.ts';
import { removeReferences, requeuePages } from '../repair/requeue-pages.ts';
import { rememberSums, restoreSeen, restoreTables } from '../repair/restore-state.ts';
import { all, WAITING_TABLES } from '../repair/url-tables.ts';
import { parseHistory } from '../sqlite/rows/parse-history.ts';

const REFUSED_URLS = "SELECT task ->> '$.url' AS url FROM refusal";
const COPY_FORGOTTEN = 'its copy was that of a page that is forgotten';

/** What `forgetRows` would remove, page by page. */
export function* pagesToForget(db: DatabaseSync, matches: (url: string) => boolean): Generator<string> {
  for (const { url } of all<{ url: string }>(db, 'SELECT url FROM page')) if (matches(url)) yield url;
}

/** How many URLs `forgetRows` would remove that were waiting, or refused before they were visited. */
export function othersToForget(db: DatabaseSync, matches: (url: string) => boolean): number {
  let others = 0;
  for (const rows of [...WAITING_TABLES.map((table) => `SELECT url FROM ${table}`), REFUSED_URLS])
    for (const { url } of all<{ url: string }>(db, rows)) if (matches(url)) others++;
  return others;
}

/** Removes every row of the URLs that match, and what is said of them elsewhere. To be called within a transaction. */
export function forgetRows(
  db: DatabaseSync,
  { matches, isErased, batchPage, now, elsewhere }: PagesToForget,
): ForgottenRows {
  const remembered = rememberSums(db);
  const urls = forgottenUrls(db, matches);
  const lost = lostCopies(db, matches, isErased);
  defineFunctions(db, matches, elsewhere === undefined ? urls : new Set([...urls, ...elsewhere]));
  removeReferences(db, urls);
  const pages = remove(db, 'page WHERE forgets(url)');
  let others = 0;
  for (const table of WAITING_TABLES) others += remove(db, `${table} WHERE forgets(url)`);
  for (const { by } of all<{ by: string }>(db, "SELECT by FROM refusal WHERE forgets(task ->> '$.url')"))
    remembered.refusedLinks[by] = Math.max(0, (remembered.refusedLinks[by] ?? 0) - 1);
  others += remove(db, "refusal WHERE forgets(task ->> '$.url')");
  remove(db, 'digest WHERE forgets(url)');
  remove(db, "change WHERE forgets(url) OR (kind = 'moved' AND forgets(detail))");
  remove(db, "robots WHERE forgets(origin || '/robots.txt')");
  removeQuotes(db);
  removeOriginals(db, matches);
  for (const { number, links } of [...all<{ number: number; links: Uint8Array }>(db, 'SELECT * FROM link_batch')])
    if (matches(batchPage(links))) db.prepare('DELETE FROM link_batch WHERE number = ?').run(number);
  const requeued = requeuePages(db, lost, COPY_FORGOTTEN, now);
  restoreSeen(db, urls);
  // After the log is written again: the hosts note how much of it they have counted.
  restoreTables(db, remembered, now);
  return { pages, others, requeued };
}

function remove(db: DatabaseSync, what: string): number {
  return Number(db.prepare(`DELETE FROM ${what}`).run().changes);
}

function forgottenUrls(db: DatabaseSync, matches: (url: string) => boolean): Set<Fingerprint> {
  const urls = new Set<Fingerprint>();
  for (const table of ['page', ...WAITING_TABLES])
    for (const { url } of all<{ url: string }>(db, `SELECT url FROM ${table}`))
      if (matches(url)) urls.add(fingerprint(url));
  for (const { url } of all<{ url: string }>(db, REFUSED_URLS)) if (matches(url)) urls.add(fingerprint(url));
  return urls;
}

/** Pages that stay, without a copy of their own. */
function lostCopies(
  db: DatabaseSync,
  matches: (url: string) => boolean,
  isErased: PagesToForget['isErased'],
): Set<Fingerprint> {
  interface Row {
    readonly fp: string;
    readonly url: string;
    readonly original: string | null;
    readonly file: string | null;
    readonly offset: number | null;
  }
  const select = `SELECT CAST(fp AS TEXT) AS fp, url, coalesce(outcome ->> '$.of', held ->> '$.of') AS original,
    facts ->> '$.location.file' AS file, facts ->> '$.location.offset' AS offset FROM page WHERE kind <> 'deferred'`;
  const lost = new Set<Fingerprint>();
  for (const { fp, url, original, file, offset } of all<Row>(db, select)) {
    if (matches(url)) continue;
    const isCopy = original !== null && matches(original);
    if (isCopy || (file !== null && offset !== null && isErased(file, offset))) lost.add(fromSigned(BigInt(fp)));
  }
  return lost;
}

/** SQL that asks for URLs, and for the packed fingerprints of those that other rows were found on. */
function defineFunctions(db: DatabaseSync, matches: (url: string) => boolean, urls: ReadonlySet<Fingerprint>): void {
  db.function('forgets', (url) => Number(typeof url === 'string' && matches(url)));
  db.function('forgets_page', (via) =>
    Number(via instanceof Uint8Array && urls.has(Buffer.from(via.buffer, via.byteOffset, 8).readBigUInt64LE())),
  );
}

/** The words of links are words of the page that holds them. */
function removeQuotes(db: DatabaseSync): void {
  for (const table of ['page', ...WAITING_TABLES])
    db.exec(`UPDATE ${table} SET via = NULL, anchor = NULL WHERE via IS NOT NULL AND forgets_page(via)`);
  db.exec(`UPDATE refusal SET task = json_remove(task, '$.discovery.from', '$.discovery.anchor')
    WHERE forgets(task ->> '$.discovery.from')`);
}

/** A copy of a forgotten page was stored, as its history tells it then. A line that was cut at the beginning goes, too: nobody reads it. */
function removeOriginals(db: DatabaseSync, matches: (url: string) => boolean): void {
  const rows = all<{ fp: string; history: string }>(
    db,
    `SELECT CAST(fp AS TEXT) AS fp, history FROM page WHERE history LIKE '%"of":"%' OR history NOT LIKE '{%'`,
  );
  const write = db.prepare('UPDATE page SET history = ? WHERE fp = ?');
  for (const { fp, history } of [...rows]) {
    const kept = parseHistory(history).map((entry) =>
      entry.kind === 'duplicate' && matches(entry.of) ? { ...entry, kind: 'stored', of: undefined } : entry,
    );
    write.run(kept.map((entry) => `${JSON.stringify(entry)}\n`).join(''), BigInt(fp));
  }
}
