import { existsSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import type { Command } from 'commander';
import { OrbweaverError } from '../../../base/errors.ts';
import type { Settings } from '../../../base/settings/schema.ts';
import { userAgentOf } from '../../../base/settings/user-agent.ts';
import { shellWord } from '../../../base/shell-word.ts';
import { openCrawl } from '../../../crawl/assemble.ts';
import type { Crawl } from '../../../crawl/crawl.ts';
import { extractionReport } from '../../../crawl/extraction/extraction-report.ts';
import { readRules } from '../../../crawl/extraction/read-rules.ts';
import { topicDescription } from '../../../crawl/learning/open-focus.ts';
import type { EventLog } from '../../../observe/log/event-log.ts';
import { loadPlugins, resolvePlugins } from '../../../plugins/load-plugins.ts';
import { pluginFailed } from '../../../plugins/plugins.ts';
import { compilePattern } from '../../../scope/url-pattern.ts';
import { type HandOverPorts, openHandOver } from '../../../search/indexing/handed/hand-over-ports.ts';
import { readSeedList } from '../../../seeds/read-seeds.ts';
import { settingsOf } from '../../arguments/setting-options.ts';
import { openCrawlLog } from '../../output/crawl-log.ts';
import { type CrawlResult, describeSummary, isEmpty, jsonSummary, parkedHosts } from '../../output/crawl-summary.ts';
import { failWith } from '../../output/fail-with.ts';
import { nothingStored } from '../../output/nothing-stored.ts';
import { shipRest } from '../../output/tell-unshipped.ts';
import { terminalText } from '../../output/terminal-text.ts';
import { writeText } from '../../output/write-text.ts';
import type { LookingDisplay } from '../import/show-import.ts';
import { isFollowed, withSentDocuments } from '../opensearch/send-documents.ts';
import { type Shown, superviseCrawl } from './supervise-crawl.ts';

export interface CrawlFlags extends Pick<Shown, 'onIndexing' | 'onInterrupt' | 'run'> {
  readonly dir: string;
  readonly seeds?: readonly string[];
  readonly seedsFrom?: readonly string[];
  readonly again?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Crawls or resumes, as the flags of the command say. True: there is something to search. */
export async function runCrawl(
  command: Command,
  urls: readonly string[],
  flags: CrawlFlags,
  version: string,
): Promise<boolean> {
  const { settings } = await settingsOf(command, flags.dir);
  refuseSwitchValues(urls);
  const lists = flags.seeds ?? [];
  const plugins = resolvePlugins(settings.plugins);
  const context = { folder: flags.dir, userAgent: userAgentOf(settings, version) };
  const { schemes, names } = await loadPlugins(plugins, context);
  using _strays = names.length > 0 ? endOnStrayFaults(names, flags.dir) : undefined;
  const found = await seedsFrom(flags.seedsFrom ?? [], settings);
  const seeds = await readSeedList({
    args: [...urls, ...found],
    schemes,
    local: true,
    lines: settings.seed,
    files: lists.filter((list) => list !== '-'),
    ...(lists.includes('-') ? { stdin: process.stdin } : {}),
    optional: true,
    notice: (message) => {
      if (!flags.json && !flags.quiet) process.stderr.write(`${terminalText(message)}\n`);
    },
  });
  // What can be refused is refused before a folder is made.
  const { refuseMaster } = await import('../../../search/indexing/master/master-place.ts');
  refuseMaster(flags.dir);
  for (const pattern of [...settings.include, ...settings.exclude]) compilePattern(pattern);
  topicDescription(settings);
  await readRules(settings);
  if (seeds.length === 0 && !existsSync(flags.dir)) throw nothingToCrawl(flags.dir);
  const handOver = openHandOver(settings);
  const isNode = settings.partitions > 1;
  const { keptPages } = isNode && isFollowed(settings) ? await import('../nodes/index-nodes.ts') : {};
  const { servedIndex } = isNode ? await import('../nodes/serve-index.ts') : {};
  const looking = await lookingDisplay(settings, flags);
  await using crawl = await openCrawl({
    ...{ folder: flags.dir, settings, version, again: flags.again === true },
    ...(keptPages === undefined ? {} : { keptPages: keptPages(flags.dir) }),
    ...servedIndex?.(flags.dir, settings),
    ...(handOver === undefined ? {} : { handOver }),
    ...(looking && { archives: { onProgress: (progress) => looking.show(progress), onReports: () => looking.end() } }),
  });
  await crawl.addSeeds(seeds);
  if (!(await crawl.hasWork())) throw nothingToCrawl(flags.dir);
  if (crawl.folders.length > 0 && settings.filesPriority === 'low') lowerPriority();
  if (isNode) {
    const { runAsNode } = await import('../nodes/run-node.ts');
    await runAsNode(crawl, flags.dir, settings, flags, handOver);
    return false;
  }
  const ran = await crawlAndIndex(crawl, flags.dir, settings, flags, handOver);
  const extraction = settings.extract === '' ? undefined : extractionReport(flags.dir);
  const summary = { ...ran, ...(extraction && { extraction }) };
  await shipRest(crawl, flags.dir, `orbweaver crawl --dir ${shellWord(flags.dir)}`);
  if (flags.json) process.stdout.write(`${JSON.stringify(jsonSummary(summary))}\n`);
  else writeText(describeSummary(summary, flags.dir, await parkedHosts(summary, flags.dir)));
  process.exitCode = exitCodeOf(summary);
  const nothing = await nothingStored(summary, flags.dir);
  if (nothing !== undefined) failWith(nothing);
  return settings.index && !isEmpty(summary);
}

async function seedsFrom(folders: readonly string[], settings: Settings): Promise<string[]> {
  if (folders.length === 0) return [];
  const { topicSeeds } = await import('./topic-seeds.ts');
  const found: string[] = [];
  for (const folder of folders) found.push(...(await topicSeeds(folder, settings)));
  return found;
}

/** Of a crawl that is answered from archives: how far they are looked through. */
async function lookingDisplay({ fromWarc }: Settings, flags: CrawlFlags): Promise<LookingDisplay | undefined> {
  if (fromWarc.length === 0 || flags.json || flags.quiet) return undefined;
  const { LookingDisplay } = await import('../import/show-import.ts');
  return new LookingDisplay(process.stderr);
}

/** Threads that are started from now on follow. */
function lowerPriority(): void {
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Some systems do not allow it; the crawl is only less gentle.
  }
}

/** A promise that a plug-in leaves behind and that fails, or a timer of its that throws: Node would print a bare stack. */
function endOnStrayFaults(plugins: readonly string[], folder: string): Disposable {
  const end = (cause: unknown): never => {
    failWith(pluginFailed(plugins.join(', '), cause), folder);
    process.exit();
  };
  const strays = ['unhandledRejection', 'uncaughtException'] as const;
  for (const stray of strays) process.once(stray, end);
  return {
    [Symbol.dispose]() {
      for (const stray of strays) process.off(stray, end);
    },
  };
}

/** A switch takes no value; what follows it would become the name of a host. */
function refuseSwitchValues(urls: readonly string[]): void {
  const value = urls.find((url) => /^(true|false|yes|no|on|off)$/i.test(url));
  if (value === undefined) return;
  throw new OrbweaverError('USAGE', `'${value}' is no URL.`, {
    remedy: 'A switch takes no value: --text turns it on, --no-text off.',
  });
}

function nothingToCrawl(folder: string): OrbweaverError {
  return new OrbweaverError('NO_SEEDS', `There is nothing to crawl: no seed was given, and ${folder} holds no crawl.`, {
    remedy: 'Name at least one URL, such as: orbweaver crawl https://example.org/',
  });
}

/** Runs the crawl and, beside it, fills its search index. What goes wrong with the index is told, and ends nothing. */
export async function crawlAndIndex(
  crawl: Crawl,
  folder: string,
  settings: Settings,
  flags: Shown,
  handOver?: HandOverPorts,
): Promise<CrawlResult> {
  const run = (how: Shown) => withSentDocuments(folder, settings, () => superviseCrawl(crawl, folder, settings, how));
  if (!settings.index) return await run(flags);
  const { startFollowing } = await import('../../../search/indexing/start-following.ts');
  const shadow = settings.continuous && settings.updates === 'shadow' ? { shadowEveryMs: settings.shadowEvery } : {};
  const { hasOlderIndex } = await import('../../../search/indexing/older-index.ts');
  const log = openCrawlLog(settings);
  if (hasOlderIndex(folder)) tellOf(log, 'The search index has an older form: it is rebuilt.');
  const media = settings.images !== 'off';
  const following = startFollowing(folder, { ...shadow, media, ...(handOver === undefined ? {} : { handOver }) });
  flags.onIndexing?.();
  let isOver = false;
  try {
    const result = await run({ ...flags, indexing: following });
    isOver = result.ended !== 'stopped';
    return result;
  } finally {
    await following.stop(isOver ? 'finish' : 'pause');
    const { fault, report } = following;
    const left = hasOlderIndex(folder) ? 'It still has an older form.' : 'The last pages are not in it yet.';
    const why = fault?.message ?? (report?.caughtUp === false ? left : undefined);
    if (why !== undefined)
      tellOf(
        log,
        `The search index is not complete: ${why} The next run goes on with it, or: orbweaver index --dir ${shellWord(folder)}`,
      );
  }
}

function tellOf(log: EventLog | undefined, message: string): void {
  if (log === undefined) process.stderr.write(`${message}\n`);
  else log.tell('warn', 'index.incomplete', { message });
}

/** 0: finished or limit reached; 6: hosts left parked; 7: URLs held back; 130: stopped. No page: nothing-stored.ts. */
export function exitCodeOf({ ended }: CrawlResult): number {
  if (ended === 'stopped') return 130;
  if (ended === 'held-back') return 7;
  return ended === 'parked' ? 6 : 0;
}
