import type { HostRecord } from '../contracts/page-store.ts';
import type { CrawlSummary } from '../crawl/crawl.ts';
import { CrawlReader } from '../crawl/crawl-reader.ts';

/** Parked hosts to name; `status` lists the rest. */
const NAMED = 5;

/** The object of `crawl --json`: first what every crawl is measured by, then how it ended and what is left. */
export function jsonSummary(summary: CrawlSummary): CrawlSummary {
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

export function describeSummary(summary: CrawlSummary, folder: string, parked: readonly HostRecord[] = []): string {
  const { frontier } = summary;
  const lines = [
    `${sentenceOf(summary.ended)} ${counted(summary.pages, 'page')} (${summary.distinctDocuments} distinct), ${counted(summary.requests, 'request')}, ${megabytes(summary.bytes)}.`,
    `  refused  ${list(summary.refused)}`,
    `  failed   ${list(summary.failed)}`,
    `  queue    ${frontier.queued} waiting, ${frontier.parked} of them parked; ${counted(frontier.hosts, 'host')}, ${counted(frontier.known, 'URL')} known`,
    ...parked.map(
      ({ host, parked: why, queued }, i) =>
        `${i === 0 ? '  parked   ' : '           '}${host}: ${why} (${counted(queued, 'URL')})`,
    ),
    ...heldBack(summary.refused, folder),
    `  cost     ${summary.seconds.toFixed(1)} s, ${summary.cpuSeconds.toFixed(1)} s of CPU, ${summary.maxRssMb} MB of memory at most (this run)`,
    `  folder   ${folder}`,
  ];
  if (summary.pages === 0 && summary.ended !== 'stopped') {
    lines.push(`No page was stored. To see why: orbweaver explain URL --dir ${folder}`);
  }
  return `${lines.join('\n')}\n`;
}

/** What the crawl decided by what it has learnt can be looked at, and overruled. */
function heldBack({ trap = 0, mirror = 0 }: Readonly<Record<string, number>>, folder: string): string[] {
  return [
    ...(trap > 0 ? [`  held     ${counted(trap, 'URL')} as traps: orbweaver traps --dir ${folder}`] : []),
    ...(mirror > 0 ? [`  spared   ${counted(mirror, 'URL')} of mirrors: orbweaver mirrors --dir ${folder}`] : []),
  ];
}

function list(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${count} ${name}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function sentenceOf(ended: CrawlSummary['ended']): string {
  if (ended === 'finished') return 'Finished.';
  if (ended === 'stopped') return 'Stopped; the same command resumes.';
  if (ended === 'parked')
    return 'Done, except for parked hosts; the same command tries the unreachable again, and those over budget when it is raised.';
  return `Paused at the ${ended}; raise it and run the same command to go on.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
