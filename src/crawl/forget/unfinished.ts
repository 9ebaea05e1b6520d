import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { ForgottenPages } from '../../contracts/forgotten.ts';
import type { Notes } from '../../contracts/state/notes.ts';

/** Among the notes of the state. */
export const FORGOTTEN = 'forgotten';

export function readForgotten(state: Pick<Notes, 'read'>): ForgottenPages {
  return state.read<ForgottenPages>(FORGOTTEN) ?? { entries: [] };
}

/** A deletion that was cut off is completed before anything is added, and before a repair keeps copies of what is to go. */
export function refuseUnfinished(forgotten: ForgottenPages | undefined, folder: string): void {
  if (forgotten?.unfinished === undefined) return;
  throw new OrbweaverError('FORGET_UNFINISHED', `A deletion of pages in ${folder} was cut off.`, {
    remedy: `To complete it: orbweaver forget --dir ${shellWord(folder)}`,
  });
}
