import type { RecordBook } from '../../archive/warc/record-book.ts';
import { openWarcArchive, type WarcArchive } from '../../archive/warc-archive.ts';
import { systemClock } from '../../base/clock.ts';
import type { Fingerprint } from '../../base/fingerprint.ts';
import type { RecordPlace } from '../../contracts/archive.ts';
import type { ArchiveClaims } from '../../contracts/state/repair.ts';
import { archiveFolder } from '../crawl-folder.ts';
import type { RunRecord } from '../report/run-record.ts';

/** Pages whose record in the archive cannot be read, or refers to one that cannot. */
export async function lostCopies(claims: ArchiveClaims, folder: string, book: RecordBook): Promise<Set<Fingerprint>> {
  const lost = new Set<Fingerprint>();
  const referring: { fp: Fingerprint; location: RecordPlace }[] = [];
  for (const { fp, isHeld, location } of claims.copies()) {
    if (location === undefined) {
      if (isHeld) lost.add(fp);
      continue;
    }
    const state = book.state(location);
    if (state === 'lost') lost.add(fp);
    else if (state === 'referral') referring.push({ fp, location });
  }
  const archive = referring.length === 0 ? undefined : readingArchive(claims, folder);
  for (const { fp, location } of referring) if ((await archive?.readAt(location)) === undefined) lost.add(fp);
  return lost;
}

/** What a revisit record refers to may lie in the archive of an earlier crawl. */
function readingArchive(claims: ArchiveClaims, folder: string): WarcArchive | undefined {
  const earlier = claims.read<RunRecord>('run')?.duplicatesOf ?? [];
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
