import { AUDIT_CHECKS, type AuditCheck, type CrawlAudit, type Pauses } from '../../crawl/audit/audit-crawl.ts';
import { terminalText } from './terminal-text.ts';
import { writtenDuration } from './written-amount.ts';

/** The report of an audit for people: what it covers, what was measured, what was found. */
export function formatCrawlAudit(audit: CrawlAudit): string {
  const lines = [...covered(audit), '', ...measured(audit), '', ...found(audit)];
  return lines.map((line) => `${terminalText(line)}\n`).join('');
}

function covered({ requests, hosts, addresses, domains, from, to, damaged }: CrawlAudit): string[] {
  return [
    `${number(requests)} requests with an archived answer, ${date(from)} to ${date(to)}`,
    `${number(hosts)} hosts, ${number(addresses)} addresses, ${number(domains)} domains`,
    ...(damaged === 0 ? [] : [`${number(damaged)} damaged places in archive files: requests may be missing`]),
  ];
}

function measured({ pauses, robots, statuses, agents }: CrawlAudit): string[] {
  return [
    pausesLine('hosts', pauses.host),
    ...(pauses.address === undefined ? [] : [pausesLine('addresses', pauses.address)]),
    ...(pauses.domain === undefined ? [] : [pausesLine('domains', pauses.domain)]),
    `robots.txt of ${number(robots.origins)} origins, at most ${writtenDuration(robots.oldestMs)} old when it counted`,
    `answers      ${most(statuses)}`,
    `sent as      ${most(agents)}`,
  ];
}

function pausesLine(owners: string, { pauses, leastMargin }: Pauses): string {
  const margin =
    leastMargin === undefined
      ? ''
      : leastMargin < 0
        ? `, the shortest ${number(-leastMargin)} ms less than owed`
        : `, each at least as long as owed (the shortest by ${number(leastMargin)} ms)`;
  return `${number(pauses)} pauses of ${owners}${margin}`;
}

function found({ checks, passed, damaged }: CrawlAudit): string[] {
  const lines = (Object.keys(AUDIT_CHECKS) as AuditCheck[]).flatMap((check) => {
    const { count, examples } = checks[check];
    return [`${number(count).padStart(9)}  ${AUDIT_CHECKS[check]}`, ...examples.map((text) => `             ${text}`)];
  });
  return [...lines, '', verdict(passed, damaged)];
}

function verdict(passed: boolean, damaged: number): string {
  if (!passed) return 'Violations were found.';
  return damaged === 0 ? 'No violation.' : 'No violation in what can be read.';
}

/** The most frequent ones. */
function most(counts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, 6).map(([name, count]) => `${name === '' ? '(nothing)' : name}: ${number(count)}`);
  return [...shown, ...(sorted.length > 6 ? [`${sorted.length - 6} more`] : [])].join(', ');
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function date(at: number): string {
  return new Date(at).toISOString();
}
