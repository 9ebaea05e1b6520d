import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VirtualClock } from '../../src/base/virtual-clock.ts';
import { SqliteState } from '../../src/engines/sqlite/sqlite-state.ts';
import { propertyRuns } from '../property-runs.ts';
import { frontierConformance } from './frontier-suite.ts';
import { frontierOptionsOf, type SharedState, type StateEngine, soleOwnerOf } from './opened-state.ts';
import { historyConformance } from './state-histories.ts';
import { stateConformance } from './state-suite.ts';

/** A folder and the processes that open it; the lock lets in one at a time. */
class SqliteFolder implements SharedState {
  readonly #folder = mkdtempSync(join(tmpdir(), 'orbweaver-state-'));
  readonly #open = new Map<string, SqliteState>();

  async node(name: string, clock: VirtualClock, options: Parameters<SharedState['node']>[2]): Promise<SqliteState> {
    const state = new SqliteState(this.#folder, clock, Math.random, frontierOptionsOf(options));
    this.#open.set(name, state);
    return state;
  }

  async kill(name: string): Promise<void> {
    await this.#open.get(name)?.[Symbol.asyncDispose]();
    this.#open.delete(name);
  }

  async close(): Promise<void> {
    for (const name of [...this.#open.keys()]) await this.kill(name);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const engine: StateEngine = {
  name: 'sqlite',
  isShared: false,
  keepsPages: true,
  create: async () => new SqliteFolder(),
};

frontierConformance(soleOwnerOf(engine));
stateConformance(engine);
historyConformance(engine, propertyRuns(24));
