import type { AuditReport, Finding, GapPair, GauntletReport, MirrorReport } from './audit-report.ts';

/** The report as a table for people: every check with its verdict, then cases of what went wrong. */
export function formatAudit(report: AuditReport): string {
  const verdict = (name: string): string => (report.failures.includes(name) ? 'FAIL' : 'ok');
  const count = (label: string, name: string, finding: Finding): string[] => [
    label,
    String(finding.count),
    verdict(name),
  ];
  const gap = (pair: GapPair | undefined): string =>
    pair === undefined ? '-' : `${pair.ms.toFixed(1)} ms (${pair.at})`;
  const rows: string[][] = [
    ['pages sent, of expected', `${report.pages.sent} of ${report.pages.expected}`, ''],
    ['distinct documents expected', String(report.pages.distinctDocuments), ''],
    count('pages missed', 'missed', report.missed),
    count('redirects and errors unseen', 'unseen', report.unseen),
    count('pages sent twice', 'wasted', report.wasted),
    count('redirects and errors repeated', 'repeated', report.repeated),
    count('pages out of scope or reach', 'unexpected', report.unexpected),
    count('disallowed by robots.txt', 'disallowed', report.disallowed),
    count('asked before robots.txt', 'beforeRobots', report.beforeRobots),
    count('asked of forbidden hosts', 'forbiddenHost', report.forbiddenHost),
    count('asked within Retry-After', 'retryAfter', report.retryAfter),
    count('phantom links', 'phantom', report.phantom),
    count('unknown addresses', 'unknown', report.unknown),
    ['shortest gap, start to start', gap(report.hostGap.minStartToStart), ''],
    ['shortest gap, end to start', gap(report.hostGap.minEndToStart), ''],
    count('gaps per host too short', 'hostGap', report.hostGap.tooShort),
    ['shortest gap per address', gap(report.addressGap.minEndToStart), ''],
    count('gaps per address too short', 'addressGap', report.addressGap.tooShort),
    ['most requests at once to a host', String(report.parallelRequests.max), verdict('parallel')],
    ['most connections to a host', String(report.parallelConnections.max), verdict('connections')],
    ['requests into traps', told(report.trapRequestsByKind, report.trapRequests), verdict('traps')],
    ['requests for nothing', forNothing(report.gauntlet), ''],
    ['honest pages', `${report.gauntlet.honestFetched} of ${report.gauntlet.honestExpected}`, ''],
    ['mirrors', mirrored(report.mirrors), ''],
    ['conditional requests', String(report.conditional.requests), ''],
    ['not modified', String(report.conditional.notModified), ''],
    ['sent again without a condition', String(report.conditional.repeatedWithout), ''],
    ['requests', `${report.requests} to ${report.hosts} hosts in ${report.seconds.toFixed(2)} s`, ''],
    ['statuses', told(report.statuses), ''],
    ['protocols', told(report.protocols), ''],
    ['style sheets and pictures', String(report.assets), ''],
    ['broken off', String(report.broken), ''],
  ];
  const width = Math.max(...rows.map((row) => row[0].length));
  const table = rows.map(([label, value, judged]) => `${judged.padEnd(4)}  ${label.padEnd(width)}  ${value}`);
  const title = report.passed ? 'Audit passed' : `Audit FAILED: ${report.failures.join(', ')}`;
  return [title, '', ...table, ...cases(report)].join('\n');
}

function forNothing({ wasted, wastedShare }: GauntletReport): string {
  return `${wasted} (${(wastedShare * 100).toFixed(2)} %)`;
}

function mirrored({ hosts, pages, requests, saved }: MirrorReport): string {
  return hosts.length === 0 ? 'none' : `${hosts.length} hosts, ${pages} pages, ${requests} requests, ${saved} saved`;
}

/** "200: 31, 404: 2", or with a total "33 (200: 31, 404: 2)". */
function told(counts: Readonly<Record<string, number>>, total?: number): string {
  const list = Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');
  if (total === undefined) return list;
  return list === '' ? String(total) : `${total} (${list})`;
}

function cases(report: AuditReport): string[] {
  const findings: Record<string, Finding> = {
    missed: report.missed,
    unseen: report.unseen,
    wasted: report.wasted,
    repeated: report.repeated,
    unexpected: report.unexpected,
    disallowed: report.disallowed,
    beforeRobots: report.beforeRobots,
    forbiddenHost: report.forbiddenHost,
    retryAfter: report.retryAfter,
    phantom: report.phantom,
    unknown: report.unknown,
    hostGap: report.hostGap.tooShort,
    addressGap: report.addressGap.tooShort,
    parallel: report.parallelRequests.tooMany,
    connections: report.parallelConnections.tooMany,
    traps: report.traps,
  };
  return report.failures.flatMap((name) => {
    const { count, samples } = findings[name];
    const more = count > samples.length ? [`  ... and ${count - samples.length} more`] : [];
    return ['', `${name}:`, ...samples.map((sample) => `  ${sample}`), ...more];
  });
}
