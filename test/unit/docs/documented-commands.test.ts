import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from '../../../src/cli/program.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FENCE = /^```(\w*)$/;

interface CommandLine {
  readonly where: string;
  readonly words: readonly string[];
}

test('every command and option in the blocks of README, tutorial, guides and reference exists', async () => {
  const program = await buildProgram();
  const pages = ['README.md', ...globSync('docs/{,how-to/}*.md', { cwd: ROOT })];
  const lines = pages.flatMap((page) => commandLines(page, readFileSync(join(ROOT, page), 'utf8')));
  assert.ok(lines.length > 150, `only ${lines.length} commands were found`);
  assert.deepEqual(
    lines.flatMap(({ where, words }) => problems(program, words).map((problem) => `${where}: ${problem}`)),
    [],
  );
});

test('a command and an option that do not exist are found', async () => {
  const program = await buildProgram();
  assert.deepEqual(problems(program, ['crawl', 'URL', '--no-robots', '--max-pages=3']), []);
  assert.deepEqual(problems(program, ['crwl', 'URL']), ['there is no command crwl']);
  assert.deepEqual(problems(program, ['export', 'csv', '--colums', 'x']), ['export has no option --colums']);
  assert.deepEqual(problems(program, ['import', 'warc', 'x', '--nothing']), ['import warc has no option --nothing']);
});

/** `orbweaver …` in blocks for shells, and in those without a name: continued lines as one, comments cut off. */
function commandLines(page: string, markdown: string): CommandLine[] {
  const found: CommandLine[] = [];
  let block: string | undefined;
  for (const [at, line] of markdown.replaceAll(/\\\n/g, ' ').split('\n').entries()) {
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) block = block === undefined ? fence : undefined;
    else if (block === 'sh' || block === '')
      for (const match of line.matchAll(/(?:^|[\s;|&(])(?:npx )?orbweaver ((?:[^#|;&>]|(?<=\S)#)*)/g)) {
        // In blocks without a name commands begin the line; the rest is output.
        if (block === '' && !/^(?:npx )?orbweaver /.test(line)) continue;
        // Behind a wide gap such a block explains the command.
        const [written] = block === '' ? match[1].split(/ {3,}/, 1) : [match[1]];
        const words = written.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
        found.push({ where: `${page}:${at + 1}`, words });
      }
  }
  return found;
}

function problems(program: Command, words: readonly string[]): string[] {
  let command = program;
  const rest = [...words];
  for (;;) {
    const next = command.commands.find((one) => one.name() === rest[0]);
    if (next === undefined) break;
    rest.shift();
    command = next;
  }
  if (command === program) return rest[0]?.startsWith('-') === false ? [`there is no command ${rest[0]}`] : [];
  const known = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  const name = words.slice(0, words.length - rest.length).join(' ');
  return rest
    .filter((word) => /^--?[a-z]/.test(word))
    .map((word) => word.split('=', 1)[0])
    .filter((option) => !known.has(option) && !['--help', '-h', '--help-all'].includes(option))
    .map((option) => `${name} has no option ${option}`);
}
