// Runs first in every thread of a long command. Old garbage is collected when a heap has grown by a share of what lives: without
// a bound it piles up, in each thread, to four times of that, which matters after minutes. From the start a bound would cost half
// of what starting costs: the engine uses nothing that was compiled under other flags, be it the platform's own modules.
const { flushCompileCache } = require('node:module');
const { isMainThread } = require('node:worker_threads');

const BOUNDED_AFTER_MS = 5000;
/**
 * In per cent. A crawl leaves so much behind that with 50 its heaps are marked every third of a second: 100 saves a twentieth of
 * its processor time for 5 to 25 MB. What serves searches leaves little, and its memory is shared with the columns of the index.
 */
const GROWTH = ['crawl', 'node'].includes(process.argv[2]) ? 100 : 50;
/** When a thread has loaded its modules. */
const LOADED_AFTER_MS = 2000;

if (isMainThread) setTimeout(bound, BOUNDED_AFTER_MS).unref();
else setTimeout(flushCompileCache, LOADED_AFTER_MS).unref();

/** For all threads. What was compiled is kept under the flags of the start, and has to be written under them. */
function bound() {
  flushCompileCache();
  // An engine that does not know the flag goes on.
  const { setFlagsFromString } = require('node:v8');
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  process.on('exit', () => setFlagsFromString('--heap-growing-percent=0'));
}
