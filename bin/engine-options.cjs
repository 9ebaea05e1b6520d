// How Node.js is started for a crawl: by the launcher, and by whoever measures the memory of a crawl.
const { readFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/**
 * What a page leaves behind is garbage at once; without bounds the engine lets it pile up, in each thread, to 100 MB among what is
 * young, and more among the rest. What is required runs in every thread.
 */
const FLAGS = [
  '--max-semi-space-size=8',
  ...(isAddressSpaceBounded() ? ['--disable-wasm-trap-handler'] : []),
  ...['quick-imports.cjs', 'bounded-heaps.cjs'].map((name) => `--require=${join(__dirname, name)}`),
];

const environment = {
  // The system's allocator keeps what was freed: in an arena for each thread, and large pieces among the small ones.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '524288',
  MALLOC_TRIM_THRESHOLD_: '524288',
  // So that threads, too, find modules as they were compiled by an earlier run, and need not hold what reads TypeScript.
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  ...process.env,
};

/**
 * By `ulimit -v` and the like. The engine reserves 8 GB of addresses around each memory of WebAssembly, of which a thread has several and
 * each language of the index one, to do without checks of bounds, with which a sketch takes a sixth longer.
 */
function isAddressSpaceBounded() {
  try {
    return /^Max address space +\d/m.test(readFileSync('/proc/self/limits', 'latin1'));
  } catch {
    return false; // Another system, where nothing bounds it.
  }
}

module.exports = { FLAGS, environment, isAddressSpaceBounded };
