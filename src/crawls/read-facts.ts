import { statSync } from 'node:fs';
import { join } from 'node:path';
import { OrbweaverError } from '../base/errors.ts';
import type { CrawlFacts } from '../contracts/crawl-library.ts';
import { archiveFolder } from '../crawl/crawl-folder.ts';
import type { RunRecord } from '../crawl/report/run-record.ts';
import type { RevisitSchedulerSnapshot } from '../crawl/revisits/revisit-scheduler.ts';
import { openControl } from '../engines/open-control.ts';
import { openStateReader } from '../engines/open-reader.ts';
import { isFile } from './library-folder.ts';

/** Reads the facts of a crawl from a few rows of its state. Throws where it is damaged, newer than we are, or no state. */
export async function readFacts(folder: string): Promise<CrawlFacts> {
  // Opening a pipe of that name would wait for ever.
  if (!isFile(join(folder, 'state.db'))) {
    throw new OrbweaverError('FOLDER_CORRUPT', `state.db in ${folder} is not a file.`, {
      remedy: 'Put state.db back from a copy.',
    });
  }
  using state = openStateReader(folder);
  const run = state.read<RunRecord>('run');
  const { pages, requests, bytes } = await state.pages.totals();
  const { queued, later, hosts } = state.queueCounts();
  const lastVisit = newestRecord(folder, [...state.archiveFiles().keys()].at(-1));
  const freshness = state.read<RevisitSchedulerSnapshot>('upkeep')?.forecast.freshness;
  const pausedAt = readPause(folder);
  return {
    seeds: run?.seeds ?? [],
    ...{ pages, requests, bytes, queued: queued + later, hosts },
    ...(lastVisit !== undefined && { lastVisit }),
    ...(freshness !== undefined && Number.isFinite(freshness) && { freshness }),
    ...(run !== undefined && { startedAt: run.startedAt }),
    ...(run?.endedAt !== undefined && { endedAt: run.endedAt, ended: run.ended ?? 'ended' }),
    ...(pausedAt !== undefined && { pausedAt }),
  };
}

function readPause(folder: string): number | undefined {
  if (!isFile(join(folder, 'control.db'))) return undefined;
  using control = openControl(folder);
  return control.state().pausedAt;
}

/** When the last run ended; empty where it did not, or nothing can be read. */
export function readEnd(folder: string): Pick<CrawlFacts, 'endedAt'> {
  try {
    if (!isFile(join(folder, 'state.db'))) return {};
    using state = openStateReader(folder);
    const endedAt = state.read<RunRecord>('run')?.endedAt;
    return endedAt === undefined ? {} : { endedAt };
  } catch {
    return {};
  }
}

function newestRecord(folder: string, file: string | undefined): number | undefined {
  if (file === undefined) return undefined;
  const found = statSync(join(archiveFolder(folder), file), { throwIfNoEntry: false });
  return found === undefined ? undefined : Math.round(found.mtimeMs);
}
