import type { FolderProblem } from '../../../contracts/folder-check.ts';
import { checkSegments } from '../../../index/store/check-segments.ts';
import { nodeIndexDisk } from '../../../index/store/index-disk.ts';
import { indexFolder } from '../index-folder.ts';
import { type MasterPlace, masterPlaceOf } from './master-place.ts';
import { SourceLedgers } from './source-ledgers.ts';

/** Looks for damage in a master index: its segments, and what it knows of its sources. */
export function checkMaster(folder: string): {
  readonly problems: readonly FolderProblem[];
  readonly documents: number;
} {
  const place = indexFolder(folder);
  const { faults, documents, place: committed } = checkSegments(place);
  const said = [...faults, ...ledgerFaults(place, masterPlaceOf(committed))];
  const problems = said.map((what): FolderProblem => ({ area: 'index', code: 'index-damaged', what, count: 1 }));
  return { problems, documents };
}

function ledgerFaults(place: string, master: MasterPlace | undefined): string[] {
  const ledgers = new SourceLedgers(place, nodeIndexDisk);
  return (master?.sources ?? []).flatMap((source) => {
    try {
      ledgers.read(source);
      return [];
    } catch (error) {
      return [`The ledger of ${source.folder} cannot be read: ${(error as Error).message}`];
    }
  });
}
