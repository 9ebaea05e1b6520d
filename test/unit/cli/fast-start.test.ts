import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../../../bin/orbweaver.cjs', import.meta.url));
/** Tells on standard error which modules are loaded. */
const TELLING = `import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => { process.stderr.write(url + '\\n'); return next(url, context); } });`;

function loadedBy(...args: readonly string[]): string[] {
  const telling = `data:text/javascript,${encodeURIComponent(TELLING)}`;
  const { stderr } = spawnSync(process.execPath, ['--import', telling, LAUNCHER, ...args], { encoding: 'utf8' });
  return stderr.split('\n').flatMap((url) => /\/src\/(.*\.ts)$/.exec(url)?.[1] ?? []);
}

test('modules are loaded when their command is called', () => {
  const heavy = /^(?:archive|convert|dedupe|extract|fetch|index|rank|search|simulate)\//;
  const ofHelp = loadedBy('--help');
  assert.ok(ofHelp.includes('cli/main.ts') && ofHelp.includes('cli/commands/crawl/crawl-command.ts'));
  assert.deepEqual(
    ofHelp.filter((module) => heavy.test(module)),
    [],
  );
  assert.ok(loadedBy('get', 'http://a.test/', '--dir', 'none').some((module) => heavy.test(module)));
});
