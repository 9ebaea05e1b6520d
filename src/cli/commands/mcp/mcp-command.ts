import type { Command } from 'commander';
import { addSettingOptions } from '../../arguments/setting-options.ts';
import type { McpFlags } from './run-mcp.ts';

/** `mcp`: a crawl for agents, over standard input and output. */
export function addMcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .description(
      'Answer agents over standard input and output (Model Context Protocol): search, get, explain, changes.',
    )
    .option('--dir <folder>', 'the crawl folder', 'my-crawl')
    .option('--allow-crawl', 'let agents fetch single URLs into the folder, by the rules of its settings')
    .addHelpText('after', EXAMPLES);
  addSettingOptions(command);
  command.action(async (flags: McpFlags) => {
    const { runMcp } = await import('./run-mcp.ts');
    await runMcp(command, flags);
  });
}

const EXAMPLES = `
Examples:
  orbweaver mcp --dir my-crawl                     reads alone
  orbweaver mcp --dir my-crawl --allow-crawl       may also fetch; give the settings that the crawl began with
  claude mcp add my-crawl -- npx orbweaver mcp --dir /path/to/my-crawl

"orbweaver serve" answers the same over HTTP, at /mcp. See docs/mcp.md.
`;
