import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { addCompletionCommand } from '../../../../src/cli/commands/completion-command.ts';
import { temporaryFolder } from '../../archive/archive-fixture.ts';

/** What the command prints for a small program. */
function script(shell: string): string {
  const program = new Command('orbweaver');
  program
    .command('crawl')
    .description("Crawl: don't wait")
    .option('--max-depth <n>', 'depth: how deep')
    .option('--max-duration <t>');
  const inspect = program.command('inspect');
  inspect.command('robots');
  addCompletionCommand(program);
  const write = process.stdout.write;
  let printed = '';
  process.stdout.write = (text) => {
    printed += text;
    return true;
  };
  try {
    program.parse(['node', 'orbweaver', 'completion', shell]);
  } finally {
    process.stdout.write = write;
  }
  return printed;
}

function has(shell: string): false | string {
  return spawnSync(shell, ['-c', 'true']).status === 0 ? false : `${shell} is not installed`;
}

test('bash completes commands, subcommands and options, and leaves other words to file names', {
  skip: has('bash'),
}, () => {
  const complete = (...words: string[]): string => {
    const typed = `COMP_WORDS=(orbweaver ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`;
    const { stdout, stderr } = spawnSync('bash', [
      '-c',
      `${script('bash')}\n${typed}; _orbweaver; echo "\${COMPREPLY[@]}"`,
    ]);
    assert.equal(stderr.toString(), '');
    return stdout.toString().trim();
  };
  assert.equal(complete('cr'), 'crawl');
  assert.equal(complete('crawl', '--max-du'), '--max-duration');
  assert.equal(complete('inspect', 'ro'), 'robots');
  assert.equal(complete('completion', 'z'), 'zsh');
  assert.equal(complete('crawl', 'seeds'), '');
});

for (const shell of ['zsh', 'fish'])
  test(`the script for ${shell} is one that ${shell} reads`, { skip: has(shell) }, (t) => {
    const file = join(temporaryFolder(t), 'script');
    writeFileSync(file, script(shell));
    const { status, stderr } = spawnSync(shell, ['-n', file]);
    assert.deepEqual([status, stderr.toString()], [0, '']);
  });

test('descriptions are quoted, whatever stands in them', () => {
  assert.match(script('fish'), /-d 'Crawl: don'\\''t wait'/);
  assert.match(script('zsh'), /'crawl:Crawl\\: don'\\''t wait'/);
});
