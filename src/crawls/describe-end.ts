import type { AppRun } from '../contracts/crawl-library.ts';

/** Exit codes of `orbweaver crawl` (docs/errors.md), for people. */
const EXITS: Readonly<Record<number, string>> = {
  0: 'Done, or paused at a limit.',
  1: 'The program could not be started.',
  2: 'The settings or the addresses are wrong.',
  3: 'The folder cannot be used.',
  4: 'The disk or a database failed.',
  5: 'No page was stored: every address failed or was refused.',
  6: 'Done, but for hosts that do not answer.',
  7: 'Done, but for URLs that were held back.',
  8: 'A plug-in failed.',
  70: 'A fault in Orbweaver itself.',
  130: 'Stopped.',
};

/** Those after which a crawl stands well, whatever it stored. */
const ENDED_WELL: ReadonlySet<number> = new Set([0, 6, 7, 130]);

/** How a run ended, by what its process left; undefined where it has not, or nobody knows. */
export function describeExit({ exitCode, signal }: Pick<AppRun, 'exitCode' | 'signal'>): string | undefined {
  if (signal !== undefined) return `The process was ended by ${signal}.`;
  return exitCode === undefined ? undefined : (EXITS[exitCode] ?? `The process ended with ${exitCode}.`);
}

export function hasFailed({ exitCode, signal }: Pick<AppRun, 'exitCode' | 'signal'>): boolean {
  return signal !== undefined || (exitCode !== undefined && !ENDED_WELL.has(exitCode));
}

/** The end of a run as its state tells it. */
export function describeEnded(ended: string): string {
  switch (ended) {
    case 'finished':
      return '';
    case 'parked':
      return 'Some hosts do not answer and wait for the next run.';
    case 'held-back':
      return 'Some URLs were held back as suspected traps or by budgets.';
    case 'stopped':
      return '';
    default:
      return ended.startsWith('limit: ') ? `Paused at a limit: ${ended.slice('limit: '.length)}.` : ended;
  }
}
