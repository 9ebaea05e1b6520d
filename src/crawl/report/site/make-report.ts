import { systemClock } from '../../../base/clock.ts';
import type { LinkReader } from '../../../contracts/state/link-store.ts';
import { countInLinks, hasLinks, openLinkReader } from '../../../engines/open-links.ts';
import { openStateReader } from '../../../engines/open-reader.ts';
import { reportPath } from '../../crawl-folder.ts';
import { buildReport, type ReportAbout, type ReportProgress } from './build-report.ts';
import { crawlSignature } from './crawl-signature.ts';

/** Makes the report of the crawl in a folder, also beside a running one. `FOLDER_IN_USE` where another process is at it. */
export function makeReport(folder: string, onProgress?: (progress: ReportProgress) => void): ReportAbout {
  // Before anything is read: what changes meanwhile makes the report outdated.
  const signature = crawlSignature(folder, systemClock.now()) ?? '';
  using state = openStateReader(folder);
  return buildReport({
    ...{ path: reportPath(folder), urls: state.knownUrls(), signature, now: () => systemClock.now() },
    ...(hasLinks(folder) ? { inLinks: (leftOut) => countInLinks(folder, leftOut) } : {}),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
}

/** Whether the crawl has changed since its report was made. */
export function isOutdated(folder: string, { signature }: ReportAbout): boolean {
  return signature === '' || crawlSignature(folder, systemClock.now()) !== signature;
}

/** The links of a folder; undefined where there are none that can be read. */
export function linksOf(folder: string): LinkReader | undefined {
  if (!hasLinks(folder)) return undefined;
  try {
    return openLinkReader(folder);
  } catch {
    // Being made, or of another version: the report does without.
    return undefined;
  }
}
