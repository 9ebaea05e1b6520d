import type { DatabaseSync } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { ForgottenPages } from '../../contracts/forgotten.ts';
import { readValue } from '../../engines/sqlite/rows/read-value.ts';

/** In `meta`. */
export const FORGOTTEN = 'forgotten';

export function readForgotten(db: DatabaseSync): ForgottenPages {
  return readValue<ForgottenPages>(db, FORGOTTEN) ?? { entries: [] };
}

/** A deletion that was cut off is completed before anything is added, and before a repair keeps copies of what is to go. */
export function refuseUnfinished(forgotten: ForgottenPages | undefined, folder: string): void {
  if (forgotten?.unfinished === undefined) return;
  throw new OrbweaverError('FORGET_UNFINISHED', `A deletion of pages in ${folder} was cut off.`, {
    remedy: `To complete it: orbweaver forget --dir ${shellWord(folder)}`,
  });
}
