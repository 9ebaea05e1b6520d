import type { Clock } from '../../base/clock.ts';
import type { Notes } from '../../contracts/state/notes.ts';
import type { RequestAllowance } from '../../revisit/request-allowance.ts';

const NAME = 'allowance';

/** Hands the rest of the budget from run to run. Taken at the start, put back at the end: after a crash there is none. */
export function persistRequestBudget(allowance: RequestAllowance, state: Notes, clock: Clock): Disposable {
  allowance.resume(state.read(NAME), clock.now());
  state.write(NAME, null);
  return { [Symbol.dispose]: () => state.write(NAME, allowance) };
}
