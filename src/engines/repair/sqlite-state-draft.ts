import { DatabaseSync } from 'node:sqlite';
import { type Fingerprint, fingerprint, toSigned } from '../../base/fingerprint.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { FolderProblem } from '../../contracts/folder-check.ts';
import type {
  FoundUrl,
  KnownRedirect,
  LostUrl,
  PageCopy,
  SalvageReport,
  StateDraft,
} from '../../contracts/state/repair.ts';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { SeenSet } from '../../frontier/seen-set.ts';
import { adoptArchiveFile, setArchiveFile } from '../sqlite/rows/archive-file-rows.ts';
import { statePath } from '../sqlite/state-database.ts';
import { StateView } from '../sqlite/state-view.ts';
import { refuseWorkingCopy } from '../sqlite/working-copy-mark.ts';
import { checkDatabase, checkRows, checkTables } from './check-state.ts';
import { pageCopies } from './page-copies.ts';
import { queueFoundUrls, requeuePages } from './requeue-pages.ts';
import { type Remembered, rememberSums, restoreSeen, restoreTables, strandedPages } from './restore-state.ts';
import { salvageState } from './salvage-state.ts';
import { draftPath } from './state-swap.ts';
import { all, knownUrls, urlsLost } from './url-tables.ts';

/** Makes the draft of a folder's state, and opens it. */
export function makeStateDraft(folder: string, isReadable: boolean): SqliteStateDraft {
  const salvage = isReadable ? copyState(folder) : salvageState(folder);
  const db = new DatabaseSync(draftPath(folder));
  try {
    return new SqliteStateDraft(db, salvage);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A copy that holds what is in the log, too. */
function copyState(folder: string): undefined {
  using db = new DatabaseSync(statePath(folder));
  refuseWorkingCopy(db, folder);
  db.prepare('VACUUM INTO ?').run(draftPath(folder));
  return undefined;
}

/** One transaction from beginning to `commit`. */
class SqliteStateDraft extends StateView implements StateDraft {
  readonly salvage: SalvageReport | undefined;
  readonly #remembered: Remembered;

  constructor(db: DatabaseSync, salvage: SalvageReport | undefined) {
    super(db);
    this.salvage = salvage;
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; BEGIN');
    this.#remembered = rememberSums(db);
  }

  copies(): Generator<PageCopy> {
    return pageCopies(this.db);
  }

  restore(now: number): void {
    restoreTables(this.db, this.#remembered, now);
  }

  adoptArchiveFile(name: string, settled: SettledBytes): void {
    adoptArchiveFile(this.db, name, settled);
  }

  setArchiveFile(name: string, settled: SettledBytes | undefined): void {
    setArchiveFile(this.db, name, settled);
  }

  strandedPages(): Fingerprint[] {
    return strandedPages(this.db, 'retried');
  }

  requeuePages(pages: ReadonlySet<Fingerprint>, why: string, now: number): number {
    return requeuePages(this.db, pages, why, now);
  }

  urlsLost(): Generator<LostUrl> {
    return urlsLost(this.db);
  }

  isVisited(fp: Fingerprint): boolean {
    return this.db.prepare('SELECT 1 FROM page WHERE fp = ?').get(toSigned(fp)) !== undefined;
  }

  knownUrls(): SeenSet | undefined {
    const log = this.salvage?.tables.find(({ table }) => table === 'seen');
    return log !== undefined && log.damagedPages + log.unsound > 0 ? knownUrls(this.db) : undefined;
  }

  depthOf(url: CanonicalUrl): number | undefined {
    const row = this.db.prepare('SELECT depth FROM page WHERE fp = ?').get(toSigned(fingerprint(url)));
    return (row as { depth: number } | undefined)?.depth;
  }

  *redirects(): Generator<KnownRedirect> {
    const select = "SELECT url, depth, outcome ->> '$.to' AS target FROM page WHERE kind = 'redirected'";
    for (const { target, ...from } of all<Omit<KnownRedirect, 'target'> & { target: string | null }>(this.db, select))
      if (target !== null) yield { ...from, target };
  }

  queueFoundUrls(found: readonly FoundUrl[], now: number): void {
    queueFoundUrls(this.db, found, now);
  }

  /** Refused for now, and by rules of old: so the next start judges them, as it does when rules have changed. */
  judgeAgain(tasks: readonly CrawlTask[], now: number): void {
    if (tasks.length === 0) return;
    const insert = this.db.prepare(
      "INSERT OR IGNORE INTO refusal (fp, by, rule, task, at) VALUES (?, 'scope', ?, ?, ?)",
    );
    let count = 0;
    for (const task of tasks) {
      const row = [toSigned(fingerprint(task.url)), 'not judged again yet after a repair', JSON.stringify(task), now];
      count += Number(insert.run(...row).changes);
    }
    this.db.exec(`UPDATE meta SET value = json_set(value, '$.rules', 'repaired') WHERE name = 'run'`);
    const { refusedLinks } = this.#remembered;
    refusedLinks.scope = (refusedLinks.scope ?? 0) + count;
  }

  restoreKnownUrls(lost: ReadonlySet<Fingerprint>): void {
    restoreSeen(this.db, lost);
  }

  commit(): void {
    this.db.exec('COMMIT');
  }

  check(): FolderProblem[] {
    return [...checkDatabase(this.db), ...checkRows(this.db), ...checkTables(this.db)];
  }
}
