import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

const LAUNCHER = fileURLToPath(new URL('../../../bin/orbweaver.cjs', import.meta.url));
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
