import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Command } from 'commander';
import { SETTING_GROUPS } from '../../../src/base/settings/schema.ts';
import { settingName } from '../../../src/base/settings/setting-names.ts';
import { buildProgram } from '../../../src/cli/program.ts';

const text = readFileSync(new URL('../../../docs/lectures.md', import.meta.url), 'utf8');
/** What stands in code and begins with the program or an option; options of other programs begin with one dash. */
const codes = [...text.matchAll(/`((?:orbweaver |--)[^`]+)`/g)].map(([, code]) => code);

/** Down to the command that the words name. */
function named(words: readonly string[], from: Command): Command {
  const next = from.commands.find((command) => command.name() === words[0]);
  return next === undefined ? from : named(words.slice(1), next);
}

// Links are looked at with those of all documents, in test/architecture/links.test.ts.
test('every command and option on the page of the lectures exists', async () => {
  const program = await buildProgram();
  const settings = new Set(
    SETTING_GROUPS.flatMap(({ keys }) => keys).flatMap((key) => [`--${settingName(key)}`, `--no-${settingName(key)}`]),
  );
  assert.ok(codes.length > 60, `${codes.length}`);
  for (const code of codes) {
    const words = code.split(' ');
    const command = words[0] === 'orbweaver' ? named(words.slice(1), program) : undefined;
    assert.notEqual(command, program, code);
    const options = new Set(command?.options.map(({ long }) => long));
    for (const option of words.filter((word) => word.startsWith('--')))
      assert.ok(settings.has(option) || options.has(option), `${option} in ${code}`);
  }
});
