import { existsSync } from 'node:fs';
import type { StateCheck } from '../../contracts/state/repair.ts';
import { openState, openStateForReading, repairedStatePath } from '../sqlite/state-database.ts';
import { knownStorageError } from '../storage-error.ts';
import { checkDatabase, checkRows, checkTables } from './check-state.ts';

/** Looks for damage in the state of a folder. */
export function checkState(folder: string, onProgress: (text: string) => void): StateCheck {
  if (existsSync(repairedStatePath(folder))) {
    const what = 'A repair of the state was cut off.';
    return { isReadable: false, problems: [{ area: 'state', code: 'repair-unfinished', what, count: 1 }] };
  }
  onProgress('state.db');
  try {
    // A folder of an earlier version gets its tables, as with the next crawl.
    openState(folder).close();
    using db = openStateForReading(folder);
    const damage = checkDatabase(db);
    if (damage.length > 0) return { problems: damage, isReadable: false };
    const rows = checkRows(db);
    return rows.length > 0 ? { problems: rows, isReadable: false } : { problems: checkTables(db), isReadable: true };
  } catch (error) {
    const known = knownStorageError(error, folder);
    if (known?.code !== 'FOLDER_CORRUPT') throw known ?? error;
    return {
      problems: [{ area: 'state', code: 'database-damaged', what: known.message, count: 1 }],
      isReadable: false,
    };
  }
}
