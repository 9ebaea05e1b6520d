import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LineChart } from '../../../src/laboratory/plots/chart.ts';
import { svgChart } from '../../../src/laboratory/plots/svg-chart.ts';
import type { IndexVerdict } from './judge-index.ts';
import type { PageVerdict } from './judge-pages.ts';
import type { RequestVerdict } from './judge-requests.ts';
import { type LifeResources, megabytes, resourceFaults } from './judge-resources.ts';
import { type TrapVerdict, trapFaults } from './judge-traps.ts';
import type { ReaderCounts } from './readers.ts';
import type { SoakEvent, SoakSample } from './soak-run.ts';

export interface SoakFigures {
  readonly command: string;
  readonly settings: readonly string[];
  readonly seconds: number;
  /** When every page of the truth was held, in seconds; undefined: never. */
  readonly completeAfter: number | undefined;
  readonly kills: number;
  readonly pages: PageVerdict;
  readonly requests: RequestVerdict;
  readonly traps: readonly TrapVerdict[];
  readonly index: IndexVerdict;
  readonly lives: readonly LifeResources[];
  readonly readers: ReaderCounts;
  readonly faults: readonly string[];
  readonly events: readonly SoakEvent[];
  readonly samples: readonly SoakSample[];
}

/** What is aimed at where kills are rare. With many kills the bound is what was under way at them. */
const REFETCHED_GOAL = 0.005;
const SHOWN = 10;

/** What must not be, each with its cases. */
export function violationsOf(figures: SoakFigures): Record<string, readonly string[]> {
  const { pages, requests, index } = figures;
  const { politeness } = requests;
  const found: Record<string, readonly string[]> = {
    'pages lost': pages.lost,
    'first round not over': pages.unfinished,
    'stored twice': pages.storedTwice,
    'held, but not archived': pages.notArchived,
    'bytes that no version of the page has': pages.wrongBytes,
    'damaged records': pages.damage,
    'rests too short': cases(politeness.tooShort),
    'parallel requests to a host': cases(politeness.parallel),
    'against robots.txt': cases(politeness.disallowed),
    'before robots.txt': cases(politeness.beforeRobots),
    'rests of hostile hosts too short': requests.hostileTooShort,
    'asked for again without a cause': requests.repeated,
    'made again though it was not under way': requests.beyondUnderWay,
    'addresses that stand nowhere': requests.unknown,
    'traps not left': trapFaults(figures.traps),
    'index unlike one made anew': index.differences,
    'more and more memory or files': resourceFaults(figures.lives),
    'readers without an answer': figures.readers.faults,
    'faults of the process': figures.faults,
  };
  return Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0));
}

export function reportText(figures: SoakFigures): string {
  const { pages, requests, index, readers } = figures;
  const { politeness } = requests;
  const violations = violationsOf(figures);
  const { refetched, underWay } = requests;
  const percent = (100 * (refetched.killed + refetched.stopped)) / Math.max(1, politeness.requests);
  const sorted = readers.milliseconds.toSorted((one, other) => one - other);
  const quantile = (share: number): string => `${(sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(0)} ms`;
  const longest = figures.lives.toSorted((one, other) => other.seconds - one.seconds)[0];
  const lines = [
    figures.command,
    `settings that are not the defaults: ${figures.settings.join(' ')}`,
    '',
    `time        ${(figures.seconds / 60).toFixed(1)} min, complete after ${figures.completeAfter === undefined ? 'never' : `${(figures.completeAfter / 60).toFixed(1)} min`}`,
    `chaos       ${figures.kills} kills, ${countOf('stop')} stops, ${countOf('disk full')} full disks, ${countOf('clock') / 2} clock jumps, ${countOf('address down')} addresses down`,
    `pages       ${pages.expected} expected, ${pages.lost.length} lost, ${pages.unfinished.length} not reached yet, ${pages.storedTwice.length} stored twice, ${pages.wrongBytes.length} with wrong bytes, ${pages.responses} response records`,
    `requests    ${politeness.requests} to ${politeness.hosts} hosts, ${requests.hostileRequests} to hostile ones; statuses ${JSON.stringify(politeness.statuses)}`,
    `politeness  ${politeness.tooShort.count} rests too short, smallest ${politeness.smallestGapRatio.toFixed(4)} of what was owed; ${politeness.parallel.count} parallel`,
    `robots      ${politeness.disallowed.count} forbidden, ${politeness.beforeRobots.count} before robots.txt`,
    `refetched   ${refetched.killed} after kills with ${underWay.killed} requests under way, ${refetched.stopped} after stops with ${underWay.stopped}: ${percent.toFixed(3)} % (goal where kills are rare: ${100 * REFETCHED_GOAL} %); ${requests.repeated.length} without a cause`,
    `traps       ${figures.traps.map(({ host, pages, shown }) => `${pages} pages of ${host}${shown ? ' (shown)' : ''}`).join(', ')}`,
    `index       ${index.documents} documents, ${index.queries} queries, ${index.differences.length} differences from one made anew`,
    `readers     ${readers.asked} answers, median ${quantile(0.5)}, 99 % ${quantile(0.99)}, ${readers.faults.length} faults, ${readers.refused} while nobody listened`,
    `memory      longest life ${(longest.seconds / 60).toFixed(1)} min: peak ${megabytes(longest.peakRssBytes)}${growth(longest)}`,
    '',
  ];
  for (const [name, list] of Object.entries(violations)) {
    lines.push(`VIOLATION ${name}: ${list.length}`, ...list.slice(0, SHOWN).map((one) => `  ${one}`));
  }
  lines.push(Object.keys(violations).length === 0 ? 'passed' : 'FAILED');
  return `${lines.join('\n')}\n`;

  function countOf(what: string): number {
    return figures.events.filter((event) => event.what === what).length;
  }
}

/** report.json, report.txt and a plot each of memory, handles, pages and queue, with the kills. */
export function writeReport(folder: string, figures: SoakFigures): void {
  const violations = violationsOf(figures);
  const { milliseconds, ...readers } = figures.readers;
  const written = { ...figures, readers, violations };
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(written, null, 1)}\n`);
  writeFileSync(join(folder, 'report.txt'), reportText(figures));
  for (const chart of charts(figures))
    writeFileSync(join(folder, `${chart.name}.svg`), svgChart(chart, figures.command));
}

function charts({ samples, events }: SoakFigures): LineChart[] {
  const line = (label: string, value: (sample: SoakSample) => number | undefined) => ({
    label,
    points: samples.flatMap((sample): [number, number][] => {
      const y = value(sample);
      return y === undefined ? [] : [[sample.seconds / 60, y]];
    }),
  });
  const kills = (top: number) => ({
    label: 'kills',
    dashed: true,
    points: events
      .filter(({ what }) => what === 'kill')
      .flatMap(({ seconds }): [number, number][] => [0, top, 0].map((y) => [seconds / 60, y])),
  });
  const chart = (name: string, title: string, y: string, lines: ReturnType<typeof line>[]): LineChart => {
    const top = Math.max(1, ...lines.flatMap(({ points }) => points.map(([, value]) => value)));
    return { kind: 'lines', name, title, x: 'time, minutes', y, lines: [...lines, kills(top / 10)] };
  };
  return [
    chart('memory', 'Memory of the crawl process', 'RSS, MB', [line('RSS', ({ rssBytes }) => rssBytes / 1e6)]),
    chart('handles', 'Open handles', 'handles', [
      line('files', ({ files }) => files),
      line('segments of the index', ({ segments }) => segments),
      line('sockets', ({ sockets }) => sockets),
    ]),
    chart('pages', 'Pages held', 'pages', [line('pages', ({ pages }) => pages)]),
    chart('queue', 'URLs that wait', 'URLs', [line('queue', ({ queued }) => queued)]),
  ];
}

function growth({ early, late }: LifeResources): string {
  if (early === undefined || late === undefined) return '; too short to judge growth';
  return `, ${megabytes(early.rssBytes)} at ten minutes, ${megabytes(late.rssBytes)} at the end; files ${early.files} and ${late.files}, and of index segments ${early.segments} and ${late.segments}`;
}

function cases({ count, samples }: { readonly count: number; readonly samples: readonly string[] }): string[] {
  return count > samples.length ? [...samples, ...Array(count - samples.length).fill('...')] : [...samples];
}
