import type { GauntletReport } from './audit-report.ts';

/** What a crawl of hosts with traps may cost, and what it must bring. */
export interface GauntletBars {
  /** Of all requests. */
  readonly wastedShare: number;
  readonly perTrapHost: number;
  /** Of all honest pages. */
  readonly honestShare: number;
}

/** Names of the bars that were missed. */
export function missedBars(report: GauntletReport, bars: GauntletBars): string[] {
  const missed: string[] = [];
  if (report.wastedShare > bars.wastedShare) missed.push('wasted');
  if (report.mostPerTrapHost > bars.perTrapHost) missed.push('per trap host');
  if (report.honestShare < bars.honestShare) missed.push('honest pages');
  return missed;
}

/** The report as a table for people, with the bars beside what they measure. */
export function formatGauntlet(report: GauntletReport, bars: GauntletBars): string {
  const missed = missedBars(report, bars);
  const verdict = (name: string): string => (missed.includes(name) ? 'MISSED' : 'ok');
  const { wasted, wastedShare, mostPerTrapHost, trapHost, honestExpected, honestFetched, honestShare } = report;
  const rows: [string, string, string][] = [
    ['requests', String(report.requests), ''],
    ['wasted', `${wasted} = ${percent(wastedShare)}`, `${verdict('wasted')} (at most ${percent(bars.wastedShare)})`],
    ...Object.entries(report.trapRequestsByKind)
      .sort((a, b) => b[1] - a[1])
      .map(([kind, count]): [string, string, string] => [`  trap: ${kind}`, String(count), '']),
    ['  probes', String(report.probes), ''],
    ['  soft 404s outside traps', String(report.softNotFound), ''],
    ['  known already', String(report.repeated), ''],
    ['  sent by a mirror already', String(report.mirrorRepeats), ''],
    [
      'most into the traps of a host',
      mostPerTrapHost === 0 ? '0' : `${mostPerTrapHost} (${trapHost})`,
      `${verdict('per trap host')} (at most ${bars.perTrapHost})`,
    ],
    [
      'honest pages',
      `${honestFetched} of ${honestExpected} = ${percent(honestShare)}`,
      `${verdict('honest pages')} (at least ${percent(bars.honestShare)})`,
    ],
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map(([label, value, judged]) => `${label.padEnd(widths[0])}  ${value.padEnd(widths[1])}  ${judged}`.trimEnd())
    .join('\n');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
