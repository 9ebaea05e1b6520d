import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { OrbweaverError } from '../../../base/errors.ts';
import type { Settings } from '../../../base/settings/schema.ts';
import { shellWord } from '../../../base/shell-word.ts';
import type { CrawlReader } from '../../../crawl/report/crawl-reader.ts';
import { resolvePlugins } from '../../../plugins/load-plugins.ts';
import { indexFolder } from '../../../search/indexing/index-folder.ts';
import { type AskedSearch, askedStore, openAskedCrawl, searchedPlaces } from '../../arguments/asked-crawl.ts';
import { settingsOf } from '../../arguments/setting-options.ts';
import { version } from '../../version.ts';
import { followNodes } from '../nodes/follow-nodes.ts';

export interface McpFlags {
  readonly dir: string;
  readonly store?: string;
  readonly allowCrawl?: boolean;
}

/** Serves until the client closes standard input. Standard output is the client's: nothing else is written there. */
export async function runMcp(command: Command, flags: McpFlags): Promise<void> {
  const { settings } = await settingsOf(command, flags.dir);
  await using opened = new AsyncDisposableStack();
  const { store } = await askedStore(flags);
  if (store !== undefined && flags.allowCrawl === true)
    throw new OrbweaverError('USAGE', '--allow-crawl takes a crawl in a folder, not one of several nodes.', {
      remedy: 'Leave it out, or tell the crawl of new pages with: orbweaver push URL',
    });
  const asked: AskedSearch = store === undefined ? { places: { folder: flags.dir } } : await searchedPlaces(flags);
  const { folder, ...places } = asked.places;
  const { hasState } = await import('../../../engines/state-folder.ts');
  if (store === undefined && flags.allowCrawl !== true && !hasState(folder) && !existsSync(indexFolder(folder)))
    throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `There is no crawl in ${folder}.`, {
      remedy: `Name its folder with --dir, or start one with: orbweaver crawl URL --dir ${shellWord(folder)}`,
    });
  const { SearchThreads } = await import('../../../search/threads/search-threads.ts');
  const search = opened.use(new SearchThreads(folder, { ...places, plugins: resolvePlugins(settings.plugins) }));
  if (asked.nodes !== undefined) await followNodes(asked.nodes, search, opened);
  let reader = store === undefined ? undefined : opened.use(await openAskedCrawl(flags, 'site'));
  const reading = await import('../../../crawl/report/crawl-reader.ts');
  const crawl = (): CrawlReader | undefined => {
    // A crawl may begin after us.
    if (reader === undefined && hasState(folder)) reader = opened.use(new reading.CrawlReader(folder));
    return reader;
  };
  const { CrawlTools } = await import('../../../mcp/crawl-tools.ts');
  const tools = new CrawlTools({ search, crawl });
  const crawler = flags.allowCrawl === true ? await openCrawler(folder, settings) : undefined;
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createMcpServer } = await import('../../../mcp/mcp-server.ts');
  const parts = { tools, version, ...(crawler && { crawler }) };
  const handle = serveStdio(() => createMcpServer(parts), {
    onerror: (error) => process.stderr.write(`orbweaver: mcp: ${error.message}\n`),
  });
  await untilOver();
  await handle.close();
}

async function openCrawler(folder: string, settings: Settings) {
  const { UrlCrawler } = await import('../../../mcp/crawl-url.ts');
  return new UrlCrawler({ folder, settings, version });
}

/** The client has gone, or somebody ends us. */
async function untilOver(): Promise<void> {
  await new Promise<void>((end) => {
    process.stdin.once('end', () => end());
    process.stdin.once('close', () => end());
    process.once('SIGINT', () => end());
    process.once('SIGTERM', () => end());
  });
}
