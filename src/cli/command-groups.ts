import type { Command } from 'commander';

/** Commands that one module adds. */
export interface CommandGroup {
  readonly names: readonly string[];
  add(program: Command, version: string): Promise<void>;
}

/** In the order of the help. Each is loaded when it is needed: all together take longer than a search. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    names: ['crawl'],
    add: async (program, version) =>
      (await import('./commands/crawl/crawl-command.ts')).addCrawlCommand(program, version),
  },
  {
    names: ['plan'],
    add: async (program, version) => (await import('./commands/plan-command.ts')).addPlanCommand(program, version),
  },
  {
    names: ['coverage'],
    add: async (program) => (await import('./commands/coverage-command.ts')).addCoverageCommand(program),
  },
  {
    names: ['quality'],
    add: async (program, version) =>
      (await import('./commands/quality/quality-command.ts')).addQualityCommand(program, version),
  },
  {
    names: ['urls'],
    add: async (program) => (await import('./commands/urls/urls-command.ts')).addUrlsCommand(program),
  },
  {
    names: ['login'],
    add: async (program, version) =>
      (await import('./commands/login/login-command.ts')).addLoginCommand(program, version),
  },
  {
    names: ['status', 'get', 'versions', 'explain'],
    add: async (program) => (await import('./commands/reading-commands.ts')).addReadingCommands(program),
  },
  {
    names: ['pages'],
    add: async (program) => (await import('./commands/pages-command.ts')).addPagesCommand(program),
  },
  {
    names: ['rows'],
    add: async (program) => (await import('./commands/extract/rows-command.ts')).addRowsCommand(program),
  },
  {
    names: ['report'],
    add: async (program) => (await import('./commands/report/report-command.ts')).addReportCommand(program),
  },
  {
    names: ['export'],
    add: async (program) => (await import('./commands/export/export-command.ts')).addExportCommand(program),
  },
  {
    names: ['changes'],
    add: async (program) => (await import('./commands/changes-command.ts')).addChangesCommand(program),
  },
  {
    names: ['diff'],
    add: async (program) => (await import('./commands/diff-command.ts')).addDiffCommand(program),
  },
  {
    names: ['duplicates', 'traps', 'mirrors'],
    add: async (program) => (await import('./commands/learnt-commands.ts')).addLearntCommands(program),
  },
  {
    names: ['pause', 'resume', 'stop', 'set', 'hold', 'open', 'submit', 'requeue'],
    add: async (program) => (await import('./commands/control/control-commands.ts')).addControlCommands(program),
  },
  {
    names: ['search'],
    add: async (program) => (await import('./commands/search-command.ts')).addSearchCommand(program),
  },
  {
    names: ['serve'],
    add: async (program, version) => (await import('./commands/serve-command.ts')).addServeCommand(program, version),
  },
  {
    names: ['index'],
    add: async (program) => (await import('./commands/index-command.ts')).addIndexCommand(program),
  },
  {
    names: ['opensearch'],
    add: async (program) => (await import('./commands/opensearch/opensearch-command.ts')).addOpenSearchCommand(program),
  },
  {
    names: ['check'],
    add: async (program) => (await import('./commands/check-command.ts')).addCheckCommand(program),
  },
  {
    names: ['audit'],
    add: async (program) => (await import('./commands/audit-command.ts')).addAuditCommand(program),
  },
  {
    names: ['forget'],
    add: async (program) => (await import('./commands/forget-command.ts')).addForgetCommand(program),
  },
  {
    names: ['import'],
    add: async (program, version) =>
      (await import('./commands/import/import-command.ts')).addImportCommand(program, version),
  },
  {
    names: ['links', 'rank'],
    add: async (program) => (await import('./commands/links-command.ts')).addLinksCommand(program),
  },
  {
    names: ['node', 'cluster'],
    add: async (program, version) =>
      (await import('./commands/nodes/node-command.ts')).addNodeCommands(program, version),
  },
  {
    names: ['migrate'],
    add: async (program) => (await import('./commands/migrate-command.ts')).addMigrateCommand(program),
  },
  {
    names: ['push'],
    add: async (program) => (await import('./commands/control/push-command.ts')).addPushCommand(program),
  },
  {
    names: ['mcp'],
    add: async (program) => (await import('./commands/mcp/mcp-command.ts')).addMcpCommand(program),
  },
  {
    names: ['bot'],
    add: async (program, version) => (await import('./commands/bot/bot-command.ts')).addBotCommand(program, version),
  },
  {
    names: ['inspect'],
    add: async (program, version) =>
      (await import('./commands/inspect-command.ts')).addInspectCommand(program, version),
  },
  {
    names: ['start', 'simulate'],
    add: async (program, version) => (await import('./commands/demo-commands.ts')).addDemoCommands(program, version),
  },
  {
    names: ['docs'],
    add: async (program) => (await import('./commands/docs-command.ts')).addDocsCommand(program),
  },
  {
    names: ['completion'],
    add: async (program) => (await import('./commands/completion-command.ts')).addCompletionCommand(program),
  },
];
