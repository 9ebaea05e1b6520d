import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { settingFlags } from '../../../../src/base/settings/setting-flags.ts';
import { callProgram } from '../../../called-program.ts';

const MOST_LINES = 60;

describe('the help of commands with settings', () => {
  test('--help fits on a screen and has examples; --help-all has every setting', async () => {
    const short = await callProgram(['crawl', '--help']);
    assert.equal(short.status, 0);
    assert.ok(short.stdout.split('\n').length < MOST_LINES, short.stdout);
    for (const shown of ['--max-pages <n>', '--no-robots', '--dir <folder>', '--help-all', 'Examples:', 'Exit status:'])
      assert.ok(short.stdout.includes(shown), `${shown} is missing`);
    assert.doesNotMatch(short.stdout, /--trap-memory/);
    const all = await callProgram(['crawl', '--help-all']);
    assert.equal(all.status, 0);
    for (const { usage, negatedUsage = usage } of settingFlags())
      assert.ok(all.stdout.includes(usage) || all.stdout.includes(negatedUsage), `${usage} is missing`);
  });

  test('a flag that the short help leaves out is still suggested', async () => {
    const { status, stderr } = await callProgram(['crawl', '--trap-memry', '3']);
    assert.equal(status, 2);
    assert.match(stderr, /Did you mean --trap-memory\?/);
  });
});
