import { systemClock } from '../../src/base/clock.ts';
import { migrateToNodes } from '../../src/crawl/nodes/migrate-to-nodes.ts';

/** Moves a crawl into partitions in a process that is killed after so many transactions: node migrate-and-die.ts FOLDER STORE PARTITIONS STEP */
const [folder, store, partitions, step] = process.argv.slice(2);
let steps = 0;
await migrateToNodes({
  ...{ store, folder, clock: systemClock, random: Math.random },
  spread: { count: Number(partitions), by: 'site', byDomain: false },
  onProgress: () => {
    if (++steps === Number(step)) process.kill(process.pid, 'SIGKILL');
  },
});
