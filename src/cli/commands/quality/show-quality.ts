import { systemClock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import type { LinkReader } from '../../../contracts/state/link-store.ts';
import { type CrawlQuality, measureQuality } from '../../../crawl/quality/measure-quality.ts';
import { writeQuality } from '../../../crawl/quality/quality-file.ts';
import type { RankStep } from '../../../crawl/quality/rank-curve.ts';
import { makeReportFolder, writePlots } from '../../../laboratory/report/write-laboratory-report.ts';
import { type AskedCrawl, openAskedCrawl } from '../../arguments/asked-crawl.ts';
import { openAskedLinks } from '../../arguments/asked-links.ts';
import { writeText } from '../../output/write-text.ts';
import { counted } from '../../output/written-amount.ts';
import { formatQuality } from './format-quality.ts';
import { qualityCharts } from './quality-charts.ts';

/** There is a crawl, but it has no links. */
const MISSING: ReadonlySet<string> = new Set(['INDEX_MISSING', 'FOLDER_NOT_A_CRAWL']);

export interface QualityFlags extends AskedCrawl {
  readonly by?: RankStep;
  readonly out?: string;
  readonly json?: boolean;
}

export async function showQuality(flags: QualityFlags, version: string): Promise<void> {
  // A folder that cannot be made is told of before anything is read.
  if (flags.out !== undefined) makeReportFolder(flags.out);
  using reader = await openAskedCrawl(flags, 'site');
  using links = await linksOf(flags);
  const quality = await measureQuality({
    ...{ courses: () => reader.courses(), changes: reader.changes({ kinds: ['changed', 'back'] }) },
    ...(links.reader === undefined ? {} : { links: links.reader }),
    ...(flags.by === undefined ? {} : { by: flags.by }),
    now: systemClock.now(),
  });
  if (flags.store === undefined && reader.name === flags.dir) keep(flags.dir, quality);
  const { name } = reader;
  writeText(flags.json === true ? `${JSON.stringify({ crawl: name, ...quality })}\n` : formatQuality(name, quality));
  if (flags.out === undefined) return;
  const files = writePlots(
    flags.out,
    qualityCharts(quality),
    `Orbweaver ${version}. ${name}, ${counted(quality.pages, 'page')}.`,
  );
  if (flags.json !== true) process.stdout.write(`\nWritten to ${flags.out}: ${files.join(', ') || 'nothing'}\n`);
}

/** None where none were gathered: the age of copies needs no links. */
async function linksOf(asked: AskedCrawl): Promise<{ readonly reader?: LinkReader } & Disposable> {
  try {
    const opened = await openAskedLinks(asked);
    return { reader: opened.links, [Symbol.dispose]: () => opened[Symbol.dispose]() };
  } catch (error) {
    const isMissing = error instanceof OrbweaverError && MISSING.has(error.code);
    if (isMissing) return { [Symbol.dispose]: () => {} };
    throw error;
  }
}

/** A folder that can only be read is no hindrance to measuring it. */
function keep(folder: string, quality: CrawlQuality): void {
  try {
    writeQuality(folder, quality);
  } catch (error) {
    process.stderr.write(`Not kept for "status": ${(error as Error).message}\n`);
  }
}
