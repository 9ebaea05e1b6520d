import { Command, CommanderError } from 'commander';
import { COMMAND_GROUPS, type CommandGroup } from './command-groups.ts';
import { failWith } from './output/fail-with.ts';
import { version } from './version.ts';

/** Runs a command line; the result is `process.exitCode`. Only the command that is called is loaded, which keeps the start fast. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = bareProgram();
  try {
    const asked = COMMAND_GROUPS.find(({ names }) => names.includes(argv[2] ?? ''));
    await addCommands(program, asked === undefined || argv[2] === 'completion' ? COMMAND_GROUPS : [asked]);
    await program.parseAsync(argv);
  } catch (error) {
    // Commander has printed its own message by now; help and version are no errors.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else failWith(error, askedFolder(argv));
  }
}

/** The program with all its commands. */
export async function buildProgram(): Promise<Command> {
  const program = bareProgram();
  await addCommands(program, COMMAND_GROUPS);
  return program;
}

async function addCommands(program: Command, groups: readonly CommandGroup[]): Promise<void> {
  for (const group of groups) await group.add(program, version);
}

function bareProgram(): Command {
  return new Command('orbweaver')
    .description('A polite, crash-proof web crawler. One command, one folder.')
    .version(version)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      // The same form as every other error: a stable code first.
      outputError: (text, write) => {
        const code = text.includes('unknown option') ? 'SETTING_UNKNOWN' : 'USAGE';
        const message = text
          .replace(/^error: /, '')
          .trimEnd()
          .replace(/\n/g, '\n  ');
        const remedy = text.includes('Did you mean') ? '' : '  --help after a command lists what it takes.\n';
        write(`orbweaver: ${code}: ${message}\n${remedy}`);
      },
    })
    .addHelpText('after', '\nEvery setting is explained in docs/settings.md, every error code in docs/errors.md.');
}

/** The folder that the command line names. */
function askedFolder(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === '--dir' || word.startsWith('--dir='));
  return at === -1 ? undefined : argv[at].slice('--dir='.length) || argv[at + 1];
}
