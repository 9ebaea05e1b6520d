import { systemClock } from '../../src/base/clock.ts';
import { forgetPages } from '../../src/crawl/forget/forget-pages.ts';
import { rebuildIndex } from '../../src/search/indexing/rebuild-index.ts';

/** Forgets pages in a process that is killed at a step: node forget-and-die.ts FOLDER TARGET STEP */
const [folder, target, step] = process.argv.slice(2);
let steps = 0;
const stepDone = (): void => {
  if (++steps === Number(step)) process.kill(process.pid, 'SIGKILL');
};
await forgetPages(folder, [target], {
  onProgress: stepDone,
  rebuildIndex: async () => {
    await rebuildIndex(folder, systemClock);
    stepDone();
  },
});
