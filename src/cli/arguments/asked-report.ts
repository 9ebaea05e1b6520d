import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { reportPath } from '../../crawl/crawl-folder.ts';
import { buildReport, type ReportProgress } from '../../crawl/report/site/build-report.ts';
import { isOutdated, linksOf, makeReport } from '../../crawl/report/site/make-report.ts';
import { SiteReport } from '../../crawl/report/site/site-report.ts';
import { countInLinks, gatherNodeLinks } from '../../engines/open-links.ts';
import { hasState } from '../../engines/state-folder.ts';
import { type AskedCrawl, askedStore, openAskedCrawl } from './asked-crawl.ts';

export interface AskedReport extends Disposable {
  readonly report: SiteReport;
}

const PROGRESS_MS = 1000;
const LOOK_MS = 500;

/** The report of the crawl that was asked for; made where there is none or, with `refresh`, where the crawl has gone on since. */
export async function openAskedReport(asked: AskedCrawl, refresh: boolean): Promise<AskedReport> {
  const { store } = await askedStore(asked);
  return store === undefined ? await ofFolder(asked.dir, refresh) : await ofStore(asked, store);
}

async function ofFolder(folder: string, refresh: boolean): Promise<AskedReport> {
  const open = (): SiteReport | undefined =>
    hasState(folder) ? SiteReport.open(reportPath(folder), () => linksOf(folder)) : undefined;
  for (const progress = progressTeller(); ; ) {
    const report = open();
    if (report !== undefined && !(refresh && isOutdated(folder, report.about))) return asked(report);
    report?.[Symbol.dispose]();
    try {
      makeReport(folder, progress);
      const made = open();
      if (made !== undefined) return asked(made);
    } catch (error) {
      // A server, or another command, is making it: what it makes is as good.
      if (!(error instanceof OrbweaverError && error.code === 'FOLDER_IN_USE')) throw error;
      await sleep(LOOK_MS);
    }
  }
}

/** Of a crawl in a database the report is for this command alone. */
async function ofStore(crawl: AskedCrawl, store: string): Promise<AskedReport> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-report-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    using reader = await openAskedCrawl(crawl, 'pages');
    const { openCluster } = await import('../../crawl/nodes/cluster-view.ts');
    const { nodeFolders } = await import('../../crawl/nodes/store-crawl.ts');
    await using cluster = await openCluster(store);
    const { here } = nodeFolders((await cluster.nodes.view()).nodes);
    const hasLinks = (await gatherNodeLinks(here, folder)) > 0;
    buildReport({
      ...{ path: reportPath(folder), urls: reader.knownUrls(), signature: '', onProgress: progressTeller() },
      now: () => systemClock.now(),
      ...(hasLinks ? { inLinks: (leftOut) => countInLinks(folder, leftOut) } : {}),
    });
    const report = SiteReport.open(reportPath(folder), () => linksOf(folder));
    if (report === undefined) throw new OrbweaverError('INTERNAL', 'The report was made and cannot be read.');
    return asked(report, remove);
  } catch (error) {
    remove();
    throw error;
  }
}

function asked(report: SiteReport, remove: () => void = () => {}): AskedReport {
  return {
    report,
    [Symbol.dispose]: () => {
      report[Symbol.dispose]();
      remove();
    },
  };
}

/** A line a second, where it takes longer than that. */
function progressTeller(): (progress: ReportProgress) => void {
  let toldAt = systemClock.now();
  return ({ stage, urls }) => {
    if (systemClock.now() - toldAt < PROGRESS_MS) return;
    toldAt = systemClock.now();
    process.stderr.write(`The report is being made (${stage}): ${urls.toLocaleString('en')} URLs.\n`);
  };
}
