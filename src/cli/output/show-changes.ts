import type { LoggedChange } from '../../contracts/change-log.ts';
import { CHANGE_KINDS, type ChangeKind } from '../../crawl/notify/change-report.ts';
import { terminalText } from './terminal-text.ts';

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

const BOLD = ['\u001b[1m', '\u001b[22m'] as const;
const COLOURS: Readonly<Record<ChangeKind, string>> = {
  new: '\u001b[32m',
  changed: '\u001b[33m',
  moved: '\u001b[36m',
  gone: '\u001b[31m',
  back: '\u001b[32m',
};
const PLAIN = '\u001b[39m';

/** Changes for reading: by day (UTC), each with its sum, oldest first. */
export function formatChanges(changes: readonly LoggedChange[], terminal: boolean): string {
  const width = Math.max(...CHANGE_KINDS.map((kind) => kind.length));
  return Map.groupBy(changes, ({ at }) => dayOf(at))
    .entries()
    .map(([day, ofDay]) => {
      const head = `${day} (${WEEKDAY.format(Date.parse(day))}): ${sumOf(ofDay)}`;
      const lines = ofDay.map(
        (change) => `  ${timeOf(change.at)}  ${kindOf(change, width, terminal)}  ${what(change)}`,
      );
      return [terminal ? BOLD[0] + head + BOLD[1] : head, ...lines].join('\n');
    })
    .toArray()
    .join('\n\n');
}

function sumOf(changes: readonly LoggedChange[]): string {
  return CHANGE_KINDS.map((kind) => [changes.filter(({ change }) => change.kind === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count} ${kind}`)
    .join(', ');
}

function kindOf({ change: { kind } }: LoggedChange, width: number, terminal: boolean): string {
  const word = kind.padEnd(width);
  return terminal ? COLOURS[kind] + word + PLAIN : word;
}

function what({ url, change, title }: LoggedChange): string {
  const name = title === undefined || title.trim() === '' ? '' : `  "${terminalText(title).trim()}"`;
  if (change.kind === 'moved') return `${terminalText(url)} -> ${terminalText(change.to)}`;
  return `${terminalText(url)}${name}${change.kind === 'gone' ? `  (HTTP ${change.status})` : ''}`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}
