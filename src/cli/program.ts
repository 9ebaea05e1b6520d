import { Command, CommanderError } from 'commander';
import { failWith } from './output/fail-with.ts';
import { version } from './version.ts';

/** Runs a command line; the result is `process.exitCode`. Commands are loaded when called, which keeps the start fast. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = bareProgram();
  try {
    const { addCrawlCommand } = await import('./commands/crawl/crawl-command.ts');
    addCrawlCommand(program, version);
    // The command that is in a hurry need not wait for what the others import.
    if (argv[2] !== 'crawl') await addOtherCommands(program, version);
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
  const { addCrawlCommand } = await import('./commands/crawl/crawl-command.ts');
  addCrawlCommand(program, version);
  await addOtherCommands(program, version);
  return program;
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

async function addOtherCommands(program: Command, version: string): Promise<void> {
  const { addPlanCommand } = await import('./commands/plan-command.ts');
  addPlanCommand(program, version);
  const { addCoverageCommand } = await import('./commands/coverage-command.ts');
  addCoverageCommand(program);
  const { addQualityCommand } = await import('./commands/quality/quality-command.ts');
  addQualityCommand(program, version);
  const { addUrlsCommand } = await import('./commands/urls/urls-command.ts');
  addUrlsCommand(program);
  const { addLoginCommand } = await import('./commands/login/login-command.ts');
  addLoginCommand(program, version);
  const { addReadingCommands } = await import('./commands/reading-commands.ts');
  addReadingCommands(program);
  const { addPagesCommand } = await import('./commands/pages-command.ts');
  addPagesCommand(program);
  const { addRowsCommand } = await import('./commands/extract/rows-command.ts');
  addRowsCommand(program);
  const { addReportCommand } = await import('./commands/report/report-command.ts');
  addReportCommand(program);
  const { addExportCommand } = await import('./commands/export/export-command.ts');
  addExportCommand(program);
  const { addChangesCommand } = await import('./commands/changes-command.ts');
  addChangesCommand(program);
  const { addDiffCommand } = await import('./commands/diff-command.ts');
  addDiffCommand(program);
  const { addLearntCommands } = await import('./commands/learnt-commands.ts');
  addLearntCommands(program);
  const { addControlCommands } = await import('./commands/control/control-commands.ts');
  addControlCommands(program);
  const { addSearchCommand } = await import('./commands/search-command.ts');
  addSearchCommand(program);
  const { addServeCommand } = await import('./commands/serve-command.ts');
  addServeCommand(program, version);
  const { addIndexCommand } = await import('./commands/index-command.ts');
  addIndexCommand(program);
  const { addOpenSearchCommand } = await import('./commands/opensearch/opensearch-command.ts');
  addOpenSearchCommand(program);
  const { addCheckCommand } = await import('./commands/check-command.ts');
  addCheckCommand(program);
  const { addAuditCommand } = await import('./commands/audit-command.ts');
  addAuditCommand(program);
  const { addForgetCommand } = await import('./commands/forget-command.ts');
  addForgetCommand(program);
  const { addImportCommand } = await import('./commands/import/import-command.ts');
  addImportCommand(program, version);
  const { addLinksCommand } = await import('./commands/links-command.ts');
  addLinksCommand(program);
  const { addNodeCommands } = await import('./commands/nodes/node-command.ts');
  addNodeCommands(program, version);
  const { addMigrateCommand } = await import('./commands/migrate-command.ts');
  addMigrateCommand(program);
  const { addPushCommand } = await import('./commands/control/push-command.ts');
  addPushCommand(program);
  const { addMcpCommand } = await import('./commands/mcp/mcp-command.ts');
  addMcpCommand(program);
  const { addBotCommand } = await import('./commands/bot/bot-command.ts');
  addBotCommand(program, version);
  const { addInspectCommand } = await import('./commands/inspect-command.ts');
  addInspectCommand(program, version);
  const { addDemoCommands } = await import('./commands/demo-commands.ts');
  addDemoCommands(program, version);
  const { addDocsCommand } = await import('./commands/docs-command.ts');
  addDocsCommand(program);
  const { addCompletionCommand } = await import('./commands/completion-command.ts');
  addCompletionCommand(program);
}

/** The folder that the command line names. */
function askedFolder(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === '--dir' || word.startsWith('--dir='));
  return at === -1 ? undefined : argv[at].slice('--dir='.length) || argv[at + 1];
}
