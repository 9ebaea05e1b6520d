import assert from 'node:assert/strict';
import test from 'node:test';
import { Command } from 'commander';
import { COMMAND_GROUPS } from '../../../src/cli/command-groups.ts';

test('each group of commands adds those that it names', async () => {
  for (const { names, add } of COMMAND_GROUPS) {
    const program = new Command();
    await add(program, '0.0.0');
    assert.deepEqual(
      program.commands.map((command) => command.name()),
      names,
    );
  }
});
