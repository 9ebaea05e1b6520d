import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../../src/base/clock.ts';
import type { KnownUrl } from '../../../../src/contracts/state/known-url.ts';
import { reportPath } from '../../../../src/crawl/crawl-folder.ts';
import { buildReport } from '../../../../src/crawl/report/site/build-report.ts';
import { crawlSignature } from '../../../../src/crawl/report/site/crawl-signature.ts';
import { FolderReport } from '../../../../src/crawl/report/site/folder-report.ts';
import { linked } from '../../crawl/report/known-urls.ts';

/** What strangers may write into a title. */
export const HOSTILE = `"><script>document.title = 'ran'</script><img src=x onerror="document.title = 'ran'">'\u202eevil`;

/** A folder with a report, and a state older than it: nothing makes it again. */
export function reportedFolder(folder: string, urls: readonly KnownUrl[]): FolderReport {
  writeFileSync(join(folder, 'state.db'), 'not read');
  utimesSync(join(folder, 'state.db'), 1, 1);
  const now = () => systemClock.now();
  const signature = crawlSignature(folder, now()) ?? '';
  buildReport({ path: reportPath(folder), urls, inLinks: linked({ '/gone': 3 }), signature, now });
  return new FolderReport(folder, systemClock);
}
