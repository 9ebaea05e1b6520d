import { shellWord } from '../../base/shell-word.ts';
import type { CrawlLoad } from '../../contracts/events.ts';
import type { HostRecord } from '../../contracts/page-store.ts';
import type { ExtractionReport } from '../../crawl/extraction/extraction-report.ts';
import { formatLoad } from '../../crawl/load/format-load.ts';
import type { CrawlQuality } from '../../crawl/quality/measure-quality.ts';
import { readQuality } from '../../crawl/quality/quality-file.ts';
import type { CrawlStatus } from '../../crawl/report/crawl-status.ts';
import { nextOf, time } from '../../crawl/report/format-turn.ts';
import { openMonitorReader } from '../../engines/open-monitor.ts';
import { type AskedCrawl, openAskedCrawl } from '../arguments/asked-crawl.ts';
import { formatHarvest, formatRevisits } from '../output/crawl-summary.ts';
import { formatSchedule } from '../output/show-revisits.ts';
import { writeText } from '../output/write-text.ts';
import { counted } from '../output/written-amount.ts';
import { extractionLines } from './extract/show-rows.ts';
import { qualityLines } from './quality/format-quality.ts';

export { time } from '../../crawl/report/format-turn.ts';

export async function showStatus(asked: AskedCrawl, options: { json: boolean; hosts: number }): Promise<void> {
  using reader = await openAskedCrawl(asked, 'sums');
  const { extractionReport } = await import('../../crawl/extraction/extraction-report.ts');
  const extraction = extractionReport(asked.dir);
  const crawl = await reader.status(options.hosts);
  // With --store, the folder may be that of another crawl.
  const load = asked.store === undefined && crawl.run?.ended === undefined ? loadOf(asked.dir) : undefined;
  const quality = asked.store === undefined ? readQuality(asked.dir) : undefined;
  const status = { ...crawl, ...(extraction && { extraction }), ...(load && { load }), ...(quality && { quality }) };
  writeText(options.json ? `${JSON.stringify(status)}\n` : formatStatus(status));
}

/** What a crawl that runs, or was cut off, last noted of its load. */
function loadOf(folder: string): CrawlLoad | undefined {
  using monitor = openMonitorReader(folder);
  return monitor?.load();
}

interface ShownStatus extends CrawlStatus {
  readonly extraction?: ExtractionReport;
  readonly load?: CrawlLoad;
  /** As last measured by `orbweaver quality`: it goes through all pages and links, which is too much for a look. */
  readonly quality?: CrawlQuality;
}

export function formatStatus(status: ShownStatus): string {
  const { totals, run, harvest } = status;
  const lines = [
    `${status.folder}: ${formatRun(run, status.control)}`,
    '',
    `  pages     ${totals.pages} stored, ${totals.distinctDocuments} distinct, ${totals.nearDuplicates} near-duplicates${totals.spam > 0 ? `, ${totals.spam} with signs of spam` : ''}`,
    ...(harvest === undefined ? [] : [`  harvest   ${formatHarvest(harvest)}`]),
    `  requests  ${totals.requests}, ${(totals.bytes / 1e6).toFixed(1)} MB received`,
    ...formatRendering(status),
    ...(status.load?.why === undefined ? [] : [`  load      ${formatLoad(status.load)}`]),
    ...extractionLines(status.extraction, '  rows      '),
    `  endings   ${counts(totals.outcomes)}`,
    `  refused   ${counts(totals.refused)}`,
    `  failed    ${counts(totals.failed)}`,
    ...formatControl(status),
    ...formatHeldBack(status),
    ...formatGrowing(status),
    ...(totals.revisits === undefined ? [] : [`  again     ${formatRevisits(totals.revisits)}`]),
    `  waiting   ${counted(status.queued, 'URL')} in the ${status.hosts === 1 ? 'queue' : 'queues'} of ${counted(status.hosts, 'host')}, ${status.later} for a later time, ${status.parked} parked`,
    ...formatSchedule(status),
    ...(status.quality === undefined ? [] : qualityLines(status.quality)),
    '',
    ...table(status.busiest),
  ];
  return `${lines.join('\n')}\n`;
}

function formatRendering({ rendering }: CrawlStatus): string[] {
  if (rendering === undefined) return [];
  const { rendered, failed, ms, subRequests, refusedRequests, restarts } = rendering;
  const each = rendered === 0 ? '' : `, ${(ms / rendered / 1000).toFixed(1)} s each`;
  const more = [
    ...(failed > 0 ? [`${failed} came to no end`] : []),
    `${counted(subRequests, 'request')} of their own`,
    ...(refusedRequests > 0 ? [`${refusedRequests} not let out`] : []),
    ...(restarts > 0 ? [`browser replaced ${counted(restarts, 'time')}`] : []),
  ];
  return [`  rendered  ${counted(rendered, 'page')}${each}; ${more.join(', ')}`];
}

function formatRun(run: CrawlStatus['run'], control: CrawlStatus['control']): string {
  if (run?.endedAt === undefined && control?.pausedAt !== undefined) return `paused since ${time(control.pausedAt)}`;
  if (run === undefined) return 'a crawl that has not begun';
  if (run.endedAt === undefined) return `running or cut off; started ${time(run.startedAt)}`;
  const ended = run.ended === 'held-back' ? 'finished, except for URLs that are held back,' : run.ended;
  return `${ended} at ${time(run.endedAt)}`;
}

/** What somebody has asked of the crawl. */
function formatControl({ control }: CrawlStatus): string[] {
  if (control === undefined) return [];
  const { pausedAt, settings, heldHosts } = control;
  const changed = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return [
    ...(pausedAt === undefined ? [] : [`  paused    since ${time(pausedAt)}; orbweaver resume lets it go on`]),
    ...(changed.length === 0 ? [] : [`  changed   ${changed.join(', ')}`]),
    ...(heldHosts.length === 0 ? [] : [`  held      ${heldHosts.join(', ')}, by hand`]),
  ];
}

function formatHeldBack({ run, folder }: CrawlStatus): string[] {
  const { heldBack = 0 } = run ?? {};
  if (heldBack === 0) return [];
  return [`  held back ${counted(heldBack, 'URL')} not fetched; see: orbweaver traps --dir ${shellWord(folder)}`];
}

/** Honest or endless, only the user can tell. */
function formatGrowing({ growing = [], folder }: CrawlStatus): string[] {
  return growing.map(
    ({ pattern, novel }, at) =>
      `${at === 0 ? '  growing   ' : '            '}${novel} pages like ${pattern}, all new, leading to ever more${at === 0 ? `; to end it: orbweaver traps --dir ${shellWord(folder)} --hold ${shellWord(pattern)}` : ''}`,
  );
}

function table(hosts: readonly HostRecord[]): string[] {
  if (hosts.length === 0) return ['  no hosts yet'];
  const width = Math.max(4, ...hosts.map(({ host }) => host.length));
  const head = `  ${'host'.padEnd(width)}  ${'queued'.padStart(7)} ${'pages'.padStart(7)} ${'MB'.padStart(7)}  next`;
  const rows = hosts.map(
    (host) =>
      `  ${host.host.padEnd(width)}  ${String(host.queued).padStart(7)} ${String(host.pages).padStart(7)} ${(host.bytes / 1e6).toFixed(1).padStart(7)}  ${nextOf(host)}`,
  );
  return [head, ...rows];
}

function counts(values: Readonly<Record<string, number>>): string {
  const parts = Object.entries(values).sort((a, b) => b[1] - a[1]);
  return parts.length === 0 ? 'none' : parts.map(([name, count]) => `${name} ${count}`).join(', ');
}
