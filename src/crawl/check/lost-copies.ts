import type { DatabaseSync } from 'node:sqlite';
import type { RecordBook } from '../../archive/warc/record-book.ts';
import { openWarcArchive, type WarcArchive } from '../../archive/warc-archive.ts';
import { systemClock } from '../../base/clock.ts';
import { type Fingerprint, fromSigned } from '../../base/fingerprint.ts';
import type { RecordPlace } from '../../contracts/archive.ts';
import { readValue } from '../../engines/sqlite/rows/read-value.ts';
import { archiveFolder } from '../crawl-folder.ts';
import type { RunRecord } from '../report/run-record.ts';

interface PageRow {
  readonly fp: string;
  readonly kind: string;
  readonly held: string | null;
  readonly location: string | null;
}

/** Pages whose record in the archive cannot be read, or refers to one that cannot. */
export async function lostCopies(db: DatabaseSync, folder: string, book: RecordBook): Promise<Set<Fingerprint>> {
  const lost = new Set<Fingerprint>();
  const referring: { fp: Fingerprint; location: RecordPlace }[] = [];
  const rows = db
    .prepare(
      "SELECT CAST(fp AS TEXT) AS fp, kind, held, facts -> '$.location' AS location FROM page WHERE kind <> 'deferred'",
    )
    .iterate() as Iterable<unknown> as Iterable<PageRow>;
  for (const row of rows) {
    const fp = fromSigned(BigInt(row.fp));
    if (row.location === null) {
      if (row.held !== null || row.kind === 'stored' || row.kind === 'duplicate') lost.add(fp);
      continue;
    }
    const location: RecordPlace = JSON.parse(row.location);
    const state = book.state(location);
    if (state === 'lost') lost.add(fp);
    else if (state === 'referral') referring.push({ fp, location });
  }
  const archive = referring.length === 0 ? undefined : readingArchive(db, folder);
  for (const { fp, location } of referring) if ((await archive?.readAt(location)) === undefined) lost.add(fp);
  return lost;
}

/** What a revisit record refers to may lie in the archive of an earlier crawl. */
function readingArchive(db: DatabaseSync, folder: string): WarcArchive | undefined {
  const earlier = readValue<RunRecord>(db, 'run')?.duplicatesOf ?? [];
  if (earlier.length === 0) return undefined;
  return openWarcArchive({
    ...{
      folder: archiveFolder(folder),
      writerId: 'reader',
      clock: systemClock,
      software: '',
      userAgent: '',
      robots: '',
    },
    elsewhere: earlier.map((other) => archiveFolder(other)),
  });
}
