import type { AppRun } from '../contracts/crawl-library.ts';
import { readJson, writeJson } from './json-file.ts';
import { runPath } from './library-folder.ts';

const NEVER_RUN: AppRun = { wanted: 'stopped', kind: 'crawl', again: false, restarts: [] };

/** What is known of the runs of a crawl. A file that somebody spoilt counts as none: nothing is started by it. */
export function readRun(folder: string): AppRun | undefined {
  const value = readJson(runPath(folder));
  if (typeof value !== 'object' || value === null) return undefined;
  const { wanted, kind, again, pid, processStart, startedAt, endedAt, exitCode, signal, restarts } = value as Record<
    string,
    unknown
  >;
  if (wanted !== 'running' && wanted !== 'stopped') return undefined;
  return {
    wanted,
    kind: kind === 'demo' ? 'demo' : 'crawl',
    again: again === true,
    ...(isWhole(pid) && pid > 1 && { pid }),
    ...(typeof processStart === 'string' && { processStart }),
    ...(isWhole(startedAt) && { startedAt }),
    ...(isWhole(endedAt) && { endedAt }),
    ...(isWhole(exitCode) && { exitCode }),
    ...(typeof signal === 'string' && { signal }),
    restarts: Array.isArray(restarts) ? restarts.filter(isWhole) : [],
  };
}

/** Changes what is known, and answers it. */
export function changeRun(folder: string, change: Partial<AppRun>): AppRun {
  return changeRunTo(folder, { ...(readRun(folder) ?? NEVER_RUN), ...change });
}

/** Puts another record in the place of what is known, and answers it. */
export function changeRunTo(folder: string, run: AppRun): AppRun {
  writeJson(runPath(folder), run);
  return run;
}

/** A new run: what the last one ended with no longer counts. */
export function beginRun(
  folder: string,
  { kind, again, restarts }: Pick<AppRun, 'kind' | 'again' | 'restarts'>,
): AppRun {
  return changeRunTo(folder, { wanted: 'running', kind, again, restarts });
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
