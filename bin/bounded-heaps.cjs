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
/**
 * What lives in the first thread grows with hosts and pages, and a share of it would grow along: the share falls as that grows, so that the
 * heap keeps its size as long as this is enough. Less than the least would cost, by estimate, more than a hundredth of the processor time of a crawl.
 */
const MOST_HEAP = 96 * 2 ** 20;
const LEAST_GROWTH = 40;
/** Each change is one of all threads, and of no use where it is small. */
const STEP = 5;
const LOOK_EVERY_MS = 10_000;
/** The lowest of so many looks is about what lives: a heap is collected once a minute or oftener where garbage matters. */
const LOOKS = 6;
/** When a thread has loaded its modules. */
const LOADED_AFTER_MS = 2000;

if (isMainThread) setTimeout(bound, BOUNDED_AFTER_MS).unref();
else setTimeout(flushCompileCache, LOADED_AFTER_MS).unref();

/** For all threads. What was compiled is kept under the flags of the start, and has to be written under them. */
function bound() {
  flushCompileCache();
  const { getHeapStatistics, setFlagsFromString } = require('node:v8');
  let allowed;
  // An engine that does not know the flag goes on.
  const allow = (percent) => {
    if (percent !== allowed) setFlagsFromString(`--heap-growing-percent=${percent}`);
    allowed = percent;
  };
  allow(GROWTH);
  process.on('exit', () => allow(0));
  const used = [];
  const look = () => {
    if (used.push(getHeapStatistics().used_heap_size) > LOOKS) used.shift();
    if (used.length === LOOKS) allow(growthOf(Math.min(...used)));
    setTimeout(look, LOOK_EVERY_MS).unref();
  };
  setTimeout(look, LOOK_EVERY_MS).unref();
}

function growthOf(live) {
  const percent = Math.floor((100 * (MOST_HEAP - live)) / live / STEP) * STEP;
  return Math.min(GROWTH, Math.max(LEAST_GROWTH, percent));
}
