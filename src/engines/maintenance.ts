import type { ForgetPreview, ForgettingState } from '../contracts/state/forget.ts';
import type { StateDraft, StateInspection } from '../contracts/state/repair.ts';
import { SqliteForgetPreview, SqliteForgetting } from './forget/sqlite-forgetting.ts';
import { SqliteStateInspection } from './repair/sqlite-inspection.ts';
import { makeStateDraft } from './repair/sqlite-state-draft.ts';
import { openState, openStateForReading } from './sqlite/state-database.ts';

export { forgetExtracted } from './forget/forget-extracted.ts';
export { forgetMonitored } from './forget/forget-monitored.ts';
export { forgetSubscriptions } from './forget/forget-subscriptions.ts';
export { checkLinks } from './links/check-links.ts';
export { checkState } from './repair/check-state-file.ts';
export { finishSwap, keepDamagedState, removeDrafts, requireRoom, swapState } from './repair/state-swap.ts';

/** Looks at a state that can be read. */
export function openInspection(folder: string): StateInspection {
  return new SqliteStateInspection(openStateForReading(folder));
}

/** Makes the draft of a repaired state: a copy, or, where the state cannot be read, what can be salvaged of it. */
export function openStateDraft(folder: string, isReadable: boolean): StateDraft {
  return makeStateDraft(folder, isReadable);
}

export function openForgetPreview(folder: string): ForgetPreview {
  return new SqliteForgetPreview(openStateForReading(folder));
}

/** A folder of an earlier version gets its tables, as with the next crawl. */
export function openForgetting(folder: string): ForgettingState {
  return new SqliteForgetting(openState(folder), folder);
}
