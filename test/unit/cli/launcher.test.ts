import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

const LAUNCHER = fileURLToPath(new URL('../../../bin/orbweaver.cjs', import.meta.url));
const SOURCE = new URL('../../../src/url/normalize.ts', import.meta.url).href;
const { FLAGS } = createRequire(import.meta.url)('../../../bin/engine-options.cjs') as {
  readonly FLAGS: readonly string[];
};
/** Tells on standard error what the process and its threads have. */
const TELLING =
  "process.stderr.write(JSON.stringify([process.env.NODE_COMPILE_CACHE, process.env.MALLOC_ARENA_MAX]) + '\\n');";

/** The last that was told: the launcher starts the command anew, with flags. */
function toldBy(env: NodeJS.ProcessEnv): unknown {
  const telling = `data:text/javascript,${encodeURIComponent(TELLING)}`;
  const { NODE_COMPILE_CACHE: _cache, MALLOC_ARENA_MAX: _arenas, ...rest } = process.env;
  const { stderr } = spawnSync(process.execPath, ['--import', telling, LAUNCHER, 'crawl', '--help'], {
    encoding: 'utf8',
    env: { ...rest, ...env },
  });
  return JSON.parse(stderr.trim().split('\n').at(-1) ?? '[]');
}

test('a long command and its threads have a cache of compiled modules and few arenas, unless the user wants otherwise', () => {
  const [cache, arenas] = toldBy({}) as string[];
  assert.match(cache, /node-compile-cache$/);
  assert.equal(arenas, '2');
  using folder = temporaryFolder();
  assert.deepEqual(toldBy({ NODE_COMPILE_CACHE: folder.path, MALLOC_ARENA_MAX: '8' }), [folder.path, '8']);
});

test('where addresses are bounded, memories of WebAssembly reserve none that they do not use, in any command', {
  skip: process.platform === 'linux' ? false : 'only Linux bounds them',
}, () => {
  const made = `const made = [];
try { while (made.length < 40) made.push(new WebAssembly.Memory({ initial: 2, maximum: 33 })); } catch {}
process.stderr.write(made.length + '\\n');`;
  const madeUnder = (limit: string, command: string): string | undefined => {
    const telling = `data:text/javascript,${encodeURIComponent(made)}`;
    const started = `ulimit -v ${limit} && exec "$0" --import "$1" "$2" ${command} --help`;
    const { stderr } = spawnSync('sh', ['-c', started, process.execPath, telling, LAUNCHER], { encoding: 'utf8' });
    return stderr.trim().split('\n').at(-1);
  };
  for (const command of ['crawl', 'index']) assert.equal(madeUnder('40000000', command), '40');
  const isBounded = spawnSync('sh', ['-c', 'ulimit -v'], { encoding: 'utf8' }).stdout.trim() !== 'unlimited';
  assert.equal(FLAGS.includes('--disable-wasm-trap-handler'), isBounded, 'elsewhere no time is spent on it');
});

test('imports of our own files ask the file system nothing, in threads too; others are resolved as ever', () => {
  using folder = temporaryFolder();
  const main = join(folder.path, 'main.mjs');
  // What the platform resolves itself comes to a hook that was there before; ours answers first.
  writeFileSync(
    main,
    `import { Worker, isMainThread } from 'node:worker_threads';
import { normalizeUrl } from ${JSON.stringify(SOURCE)};
if (isMainThread) new Worker(new URL(import.meta.url));
process.stderr.write(typeof normalizeUrl + '\\n');`,
  );
  const asked = `require('node:module').registerHooks({ resolve: (specifier, context, next) => {
    process._rawDebug(specifier); return next(specifier, context); } });`;
  const first = join(folder.path, 'first.cjs');
  writeFileSync(first, asked);
  const required = [first, ...FLAGS.flatMap((flag) => /^--require=(.*)$/.exec(flag)?.[1] ?? [])];
  const { stderr, status } = spawnSync(process.execPath, [...required.map((file) => `--require=${file}`), main], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const lines = stderr.trim().split('\n');
  assert.equal(lines.filter((line) => line === 'function').length, 2, stderr);
  assert.ok(lines.includes('node:worker_threads') && lines.includes(SOURCE), stderr);
  assert.deepEqual(
    lines.filter((line) => line.startsWith('.')),
    [],
  );
});

for (const [command, percent] of [
  ['crawl', 100],
  ['node', 100],
  ['serve', 50],
] as const)
  test(`heaps are bounded when ${command} has started, and what it has compiled is written under the flags it began with`, (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { mock } = t.mock.method(v8, 'setFlagsFromString', () => {});
    const heap = t.mock.method(v8, 'getHeapStatistics');
    const onExit = t.mock.method(process, 'on', () => process);
    const { argv } = process;
    process.argv = [...argv.slice(0, 2), command];
    t.after(() => {
      process.argv = argv;
    });
    const require = createRequire(import.meta.url);
    const module = require.resolve('../../../bin/bounded-heaps.cjs');
    delete require.cache[module];
    require(module);
    assert.equal(mock.callCount(), 0);
    t.mock.timers.tick(5000);
    assert.deepEqual(
      mock.calls.map((call) => call.arguments),
      [[`--heap-growing-percent=${percent}`]],
    );
    const [[event, atExit]] = onExit.mock.calls.map((call) => call.arguments as unknown as [string, () => void]);
    assert.equal(event, 'exit');
    mock.resetCalls();
    const minute = (...megabytes: readonly number[]): string[] => {
      for (const used of megabytes) {
        heap.mock.mockImplementation(() => ({ used_heap_size: used * 2 ** 20 }) as v8.HeapInfo);
        t.mock.timers.tick(10_000);
      }
      const flags = mock.calls.map(({ arguments: [flag] }) => String(flag).replace('--heap-growing-percent=', ''));
      mock.resetCalls();
      return flags;
    };
    // What lives is the lowest of a minute: garbage comes and goes.
    assert.deepEqual(minute(45, 60, 90, 90, 90, 90), []);
    assert.deepEqual(minute(61, 90, 70, 110, 62, 80), percent === 100 ? ['60', '55'] : []);
    assert.deepEqual(minute(100, 120, 190, 100, 130, 150), percent === 100 ? ['50', '40'] : ['40']);
    assert.deepEqual(minute(900, 900, 900, 900, 900, 900), []);
    assert.deepEqual(minute(20), [`${percent}`]);
    atExit();
    assert.deepEqual(mock.calls[0].arguments, ['--heap-growing-percent=0']);
  });
