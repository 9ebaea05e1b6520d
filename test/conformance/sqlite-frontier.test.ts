import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VirtualClock } from '../../src/base/virtual-clock.ts';
import { SqliteChangeLog } from '../../src/engines/sqlite/sqlite-change-log.ts';
import { SqliteFrontier } from '../../src/engines/sqlite/sqlite-frontier.ts';
import { SqlitePageStore } from '../../src/engines/sqlite/sqlite-page-store.ts';
import { openState } from '../../src/engines/sqlite/state-database.ts';
import { noBudgets } from '../../src/frontier/budgets.ts';
import { defaultPoliteness } from '../../src/frontier/politeness.ts';
import { frontierConformance } from './frontier-suite.ts';
import type { OpenedFrontier, SuiteOptions } from './opened-frontier.ts';

function open(folder: string, clock: VirtualClock, options: SuiteOptions): OpenedFrontier {
  const db = openState(folder);
  const frontier = new SqliteFrontier(db, folder, clock, Math.random, {
    leaseMs: 600_000,
    lanes: 8,
    laneChoice: 'strict',
    order: 'fifo',
    addressFirst: false,
    byAddress: false,
    byDomain: false,
    maxRefusals: 1000,
    ...options,
    politeness: { ...defaultPoliteness, ...options.politeness },
    budgets: { ...noBudgets, ...options.budgets },
  });
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    db.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    frontier,
    pages: new SqlitePageStore(db),
    changes: new SqliteChangeLog(db),
    async crash(next = options) {
      closed = true;
      db.close();
      return open(folder, clock, next);
    },
    close,
  };
}

frontierConformance({
  name: 'sqlite',
  open: async (clock, options) => open(mkdtempSync(join(tmpdir(), 'orbweaver-frontier-')), clock, options),
});
