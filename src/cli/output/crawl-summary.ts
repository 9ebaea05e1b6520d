import { shellWord } from '../../base/shell-word.ts';
import type { Harvest } from '../../contracts/content/topic.ts';
import type { HostRecord } from '../../contracts/page-store.ts';
import type { CrawlSummary } from '../../crawl/crawl.ts';
import type { ExtractionReport } from '../../crawl/extraction/extraction-report.ts';
import { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { extractionLines } from '../commands/extract/show-rows.ts';
import { counted, percent, writtenBytes } from './written-amount.ts';

/** Parked hosts to name; `status` lists the rest. */
const NAMED = 5;

/** What a run came to, and of a focused crawl what it was after. */
export interface CrawlResult extends CrawlSummary {
  readonly harvest?: Harvest;
  /** Copies of pages are held, though the last visit of each brought nothing. */
  readonly copiesHeld?: true;
  /** What extraction rules have given, and which of them found nothing. */
  readonly extraction?: ExtractionReport;
}

/** The object of `crawl --json`: first what every crawl is measured by, then how it ended and what is left. */
export function jsonSummary(summary: CrawlResult): CrawlResult {
  const { pages, distinctDocuments, requests, bytes, refused, failed, seconds, cpuSeconds, maxRssMb, ...rest } =
    summary;
  return { pages, distinctDocuments, requests, bytes, refused, failed, seconds, cpuSeconds, maxRssMb, ...rest };
}

/** Some of the hosts that were left behind, so that the summary can say why. */
export async function parkedHosts(summary: CrawlSummary, folder: string): Promise<HostRecord[]> {
  if (summary.ended !== 'parked') return [];
  using reader = new CrawlReader(folder);
  const { busiest } = await reader.status(NAMED);
  return busiest.filter(({ parked }) => parked !== undefined);
}

export function copiesHeld({ pages }: CrawlSummary, folder: string): Pick<CrawlResult, 'copiesHeld'> {
  if (pages > 0) return {};
  using reader = new CrawlReader(folder);
  return reader.holdsCopies() ? { copiesHeld: true } : {};
}

export function describeSummary(summary: CrawlResult, folder: string, parked: readonly HostRecord[] = []): string {
  const { frontier, harvest, revisits } = summary;
  const { planned = 0 } = frontier;
  const lines = [
    `${sentenceOf(summary)} ${counted(summary.pages, 'page')} (${summary.distinctDocuments} distinct), ${counted(summary.requests, 'request')}, ${writtenBytes(summary.bytes)}.`,
    ...(harvest === undefined ? [] : [`  harvest  ${formatHarvest(harvest)}`]),
    ...(revisits === undefined ? [] : [`  again    ${formatRevisits(revisits)}`]),
    ...extractionLines(summary.extraction, '  rows     '),
    `  refused  ${list(summary.refused)}`,
    `  failed   ${list(summary.failed)}`,
    `  queue    ${frontier.queued - planned} waiting, ${frontier.parked} of them parked${planned > 0 ? `, ${planned} to be visited again` : ''}; ${counted(frontier.hosts, 'host')}, ${counted(frontier.known, 'URL')} known`,
    ...parked.map(
      ({ host, parked: why, queued }, i) =>
        `${i === 0 ? '  parked   ' : '           '}${host}: ${why} (${counted(queued, 'URL')})`,
    ),
    ...heldBackLines(summary, folder),
    `  cost     ${summary.seconds.toFixed(1)} s, ${summary.cpuSeconds.toFixed(1)} s of CPU, ${summary.maxRssMb} MB of memory at most (this run)`,
    `  folder   ${folder}`,
  ];
  lines.push(...howToOpen(summary, folder));
  if (isEmpty(summary) && summary.ended.startsWith('limit')) {
    lines.push(`No page was stored. To see why: orbweaver explain URL --dir ${shellWord(folder)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** What the crawl decided by what it has learnt can be looked at, and overruled. */
function heldBackLines({ refused, heldBack }: CrawlResult, folder: string): string[] {
  const { mirror = 0 } = refused;
  const { reasons = [] } = heldBack ?? {};
  return [
    ...reasons
      .slice(0, NAMED)
      .map(({ urls, rule }, i) => `${i === 0 ? '  held     ' : '           '}${counted(urls, 'URL')}: ${rule}`),
    ...(reasons.length > NAMED ? [`           and for ${reasons.length - NAMED} more reasons`] : []),
    ...(mirror > 0
      ? [`  spared   ${counted(mirror, 'URL')} of mirrors: orbweaver mirrors --dir ${shellWord(folder)}`]
      : []),
  ];
}

/** The last lines: that URLs were left out, and the command that lets them in. */
function howToOpen({ heldBack }: CrawlResult, folder: string): string[] {
  if (heldBack === undefined) return [];
  const { urls, reasons } = heldBack;
  const trap = reasons.find(({ by }) => by === 'trap')?.pattern;
  const dir = `--dir ${shellWord(folder)}`;
  return [
    `${counted(urls, 'URL')} ${urls === 1 ? 'is' : 'are'} held back and ${urls === 1 ? 'was' : 'were'} not fetched.`,
    ...(trap === undefined
      ? []
      : [
          `  See suspected traps:  orbweaver traps ${dir}`,
          `  Open one, then resume: orbweaver traps ${dir} --open ${shellWord(trap)}`,
        ]),
    ...(reasons.some(({ by }) => by === 'budget') ? ['  Domain budgets: raise domain-pages or domain-hosts.'] : []),
  ];
}

function list(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${count} ${name}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

/** Nothing was ever stored. */
export function isEmpty({ pages, copiesHeld }: Pick<CrawlResult, 'pages' | 'copiesHeld'>): boolean {
  return pages === 0 && copiesHeld !== true;
}

function sentenceOf(summary: CrawlResult): string {
  const { ended } = summary;
  if (ended === 'finished') return isEmpty(summary) ? 'Over, and nothing was stored.' : 'Finished.';
  if (ended === 'held-back') return 'Done, except for URLs that are held back.';
  if (ended === 'stopped') return 'Stopped; the same command resumes.';
  if (ended === 'parked')
    return 'Done, except for parked hosts; the same command tries the unreachable again, and those over budget when it is raised.';
  if (ended === 'limit: max-wait')
    return 'Paused: the hosts that are left ask for a longer rest than max-wait; the same command goes on with them.';
  if (ended === 'limit: dry-after')
    return 'Paused: the harvest has dried up. With a higher --dry-after the same command goes on.';
  return `Paused at the ${ended}; raise it and run the same command to go on.`;
}

/** What a focused crawl has brought in. */
export function formatHarvest({ pages, relevant, recentRate }: Harvest): string {
  const share = pages === 0 ? 0 : relevant / pages;
  // In the beginning the last ones are all.
  const recent = Math.abs(recentRate - share) < 0.005 ? '' : `; ${percent(recentRate)} of the last ones`;
  return `${relevant} of ${counted(pages, 'page')} on topic (${percent(share)}${recent})`;
}

/** What visits to known pages have found. */
export function formatRevisits(revisits: Readonly<Record<string, number>>): string {
  const { unchanged = 0, stored = 0, duplicate = 0, gone = 0, redirected = 0, refused = 0, failed = 0 } = revisits;
  const found: readonly (readonly [string, number])[] = [
    ['unchanged', unchanged],
    ['stored again', stored + duplicate],
    ['gone', gone],
    ['moved', redirected],
    ['refused', refused],
    ['failed', failed],
  ];
  const visits = found.reduce((sum, [, count]) => sum + count, 0);
  const parts = found.filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`);
  return `${counted(visits, 'visit')} to known pages: ${parts.join(', ')}`;
}
