import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../../../src/cli/program.ts';
import { renderManPage } from '../../../tools/generate-man.ts';

const page = new URL('../../../man/orbweaver.1', import.meta.url);
/** Without groff, man shows nothing. */
const missing = ['man', 'groff'].filter((name) => spawnSync(name, ['--version']).status !== 0);

test('the manual page is as the commands and settings are', async () => {
  assert.equal(readFileSync(page, 'utf8'), await renderManPage(), 'run: npm run docs');
});

test('the manual page is shown without a warning, with every command', {
  skip: missing.length > 0 && `there is no ${missing.join(' and no ')}`,
}, async () => {
  const { status, stdout, stderr } = spawnSync(
    'man',
    ['--warnings=mac,char,escape,syntax', '-l', fileURLToPath(page)],
    {
      encoding: 'utf8',
      env: { ...process.env, MANPAGER: 'cat', MANWIDTH: '200', LC_ALL: 'C.UTF-8' },
    },
  );
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  for (const command of (await buildProgram()).commands) assert.ok(stdout.includes(`orbweaver ${command.name()}`));
  assert.match(stdout, /--retry-status/);
});

test('completions name every command and every setting of a crawl', async () => {
  const program = await buildProgram();
  const { callProgram } = await import('../../called-program.ts');
  const crawl = program.commands.find((command) => command.name() === 'crawl');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await callProgram(['completion', shell]);
    for (const command of program.commands) assert.ok(stdout.includes(command.name()), `${shell}: ${command.name()}`);
    for (const name of ['proxy', 'retry-status', 'signature-key', 'forms', 'render'])
      assert.ok(crawl?.options.some(({ long }) => long === `--${name}`) && stdout.includes(name), `${shell}: ${name}`);
  }
});
