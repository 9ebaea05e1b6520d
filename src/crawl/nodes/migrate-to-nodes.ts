import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { parseArchiveFileName } from '../../archive/archive-file-name.ts';
import type { ForgottenPages } from '../../contracts/forgotten.ts';
import type { StoreView } from '../../contracts/state/node-state.ts';
import { openStateReader } from '../../engines/open-reader.ts';
import { moveFolderToStore } from '../../engines/open-store.ts';
import type { HostSpread } from '../../frontier/partition-of.ts';
import { FORGOTTEN, refuseUnfinished } from '../forget/unfinished.ts';
import type { RunRecord } from '../report/run-record.ts';
import { writeForgottenNote, writeRun } from './crawl-record.ts';
import type { CrawlToMove } from './migrate-crawl.ts';
import { newName } from './open-node.ts';

export interface CrawlToSpread extends CrawlToMove {
  readonly spread: HostSpread;
}

/** What a folder tells of its crawl, before its rows are in a database. */
interface FolderFacts {
  readonly run: RunRecord | undefined;
  readonly forgotten: ForgottenPages | undefined;
  /** Who wrote its archive. */
  readonly writers: readonly string[];
  readonly pages: number;
  readonly bytes: number;
}

/**
 * Moves a crawl from its folder into a database, spread over partitions as nodes spread it. The folder is that of the first node from then on: it keeps archive,
 * index, links and what was learnt. Settings and seeds are told to others by that node when it starts. Answers how many rows were moved now.
 */
export async function migrateToNodes(move: CrawlToSpread): Promise<number> {
  const { store, folder, clock, random, spread, onProgress } = move;
  const facts = await factsOf(folder);
  refuseUnfinished(facts.forgotten, folder);
  return await moveFolderToStore({
    ...{ url: store, folder, clock, random },
    onProgress: (moved) => onProgress(`${moved} rows`),
    nodes: {
      ...{ spread, name: newName(random), writers: facts.writers },
      publish: (view, name) => publish(view, name, folder, facts),
    },
  });
}

async function factsOf(folder: string): Promise<FolderFacts> {
  using state = openStateReader(folder);
  const writers = [...state.archiveFiles().keys()].flatMap((file) => parseArchiveFileName(file)?.writerId ?? []);
  const { pages, bytes } = await state.pages.totals();
  return {
    ...{ run: state.read<RunRecord>('run'), forgotten: state.read<ForgottenPages>(FORGOTTEN) },
    ...{ writers: [...new Set(writers)].sort(), pages, bytes },
  };
}

/** Readers find the archive of the folder before its node has started. */
async function publish(
  { notes, nodes }: Pick<StoreView, 'notes' | 'nodes'>,
  name: string,
  folder: string,
  { run, forgotten, writers, pages, bytes }: FolderFacts,
): Promise<void> {
  if (run !== undefined) await writeRun(notes, run);
  if (forgotten !== undefined) await writeForgottenNote(notes, forgotten);
  const nothing = { pagesPerSecond: 0, queued: 0, inFlight: 0, takeovers: 0, lost: 0 };
  const home = { machine: hostname(), folder: resolve(folder), writers };
  await nodes.announce(name, { ...nothing, weight: 1, pages, bytes, home });
}
