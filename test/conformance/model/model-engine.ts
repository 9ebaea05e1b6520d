import { frontierOptionsOf, type StateEngine } from '../opened-state.ts';
import { ModelState } from './model-state.ts';
import { ModelStore } from './model-store.ts';

type MakeStore = (...values: ConstructorParameters<typeof ModelStore>) => ModelStore;

/** The state contract in a few hundred plain lines, with partitions, epochs and messages; for the suites, and to read. */
export const modelEngine: StateEngine = modelEngineOn((...values) => new ModelStore(...values));

/** The same on a store that may have faults. */
export function modelEngineOn(makeStore: MakeStore): StateEngine {
  return {
    name: 'model',
    isShared: true,
    keepsPages: false,
    create: async (clock, { partitions, leaseMs }) => {
      const store = makeStore(clock, partitions, leaseMs);
      return {
        node: async (name, nodeClock, options) =>
          new ModelState(store, { name, clock: nodeClock, options: frontierOptionsOf(options) }),
        // All that it had was its calls.
        kill: async () => {},
        crashAt: (atStep) => {
          store.atStep = atStep;
        },
        close: async () => {},
      };
    },
  };
}
