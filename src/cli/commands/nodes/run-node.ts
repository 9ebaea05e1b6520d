import type { Command } from 'commander';
import { OrbweaverError } from '../../../base/errors.ts';
import { loadSettingsFile } from '../../../base/settings/load-settings-file.ts';
import { resolveSettings } from '../../../base/settings/resolve-settings.ts';
import type { Settings } from '../../../base/settings/schema.ts';
import { shellWord } from '../../../base/shell-word.ts';
import { openCrawl } from '../../../crawl/assemble.ts';
import type { Crawl } from '../../../crawl/crawl.ts';
import { settingsPath } from '../../../crawl/crawl-folder.ts';
import { readCrawlRecord } from '../../../crawl/nodes/cluster-view.ts';
import { type HandOverPorts, openHandOver } from '../../../search/indexing/handed/hand-over-ports.ts';
import { givenSettings, settingsOf } from '../../arguments/setting-options.ts';
import type { CrawlResult } from '../../output/crawl-summary.ts';
import { shipRest } from '../../output/tell-unshipped.ts';
import { writeText } from '../../output/write-text.ts';
import { counted, writtenBytes } from '../../output/written-amount.ts';
import { type Shown, superviseCrawl } from '../crawl/supervise-crawl.ts';
import { isFollowed, sendRestOfNode, withSentDocuments } from '../opensearch/send-documents.ts';
import { keptPages, writePagesOf } from './index-nodes.ts';
import { servedIndex } from './serve-index.ts';

export interface NodeFlags {
  readonly folder: string;
  readonly searchOnly?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Joins a crawl that stands in a database. Its settings count, but for what this machine says of itself. */
export async function runNode(command: Command, flags: NodeFlags, version: string): Promise<void> {
  const { store } = (await settingsOf(command, flags.folder)).settings;
  if (store === '')
    throw new OrbweaverError('USAGE', 'A node needs the database of its crawl.', {
      remedy: 'Name it with --store postgres://… or with ORBWEAVER_STORE.',
    });
  if (flags.searchOnly === true) {
    const { serveIndexOnly } = await import('./serve-index.ts');
    await serveIndexOnly(store, flags.folder, (await settingsOf(command, flags.folder)).settings);
    return;
  }
  const record = await readCrawlRecord(store);
  const file = await loadSettingsFile(settingsPath(flags.folder), { optional: true });
  const { settings } = resolveSettings({
    flags: givenSettings(command),
    env: process.env,
    file: { ...record.settings, ...file },
  });
  const handOver = openHandOver(settings);
  await using crawl = await openCrawl({
    ...{ folder: flags.folder, settings, version, joins: true },
    ...(isFollowed(settings) ? { keptPages: keptPages(flags.folder) } : {}),
    ...servedIndex(flags.folder, settings),
    ...(handOver === undefined ? {} : { handOver }),
  });
  await runAsNode(crawl, flags.folder, settings, flags, handOver);
}

/** Runs a crawl as one of its nodes, to the end of the crawl or of the node. */
export async function runAsNode(
  crawl: Crawl,
  folder: string,
  settings: Settings,
  { json, quiet }: Pick<NodeFlags, 'json' | 'quiet'>,
  handOver?: HandOverPorts,
): Promise<void> {
  const shown = { ...(json === undefined ? {} : { json }), ...(quiet === undefined ? {} : { quiet }) };
  const { ended, seconds, cpuSeconds, maxRssMb } = await followedRun(crawl, folder, settings, shown, handOver);
  if (settings.index && ended !== 'stopped') await bringIndexUpToDate(folder, settings.store);
  else if (isFollowed(settings) && ended !== 'stopped') await writePagesOf(settings.store, folder);
  if (ended !== 'stopped') await sendRestOfNode(folder, settings);
  const { pages, requests, bytes } = await crawl.progress();
  await shipRest(crawl, folder, `orbweaver node --folder ${shellWord(folder)}`);
  const brought = { ended, pages, requests, bytes, seconds, cpuSeconds, maxRssMb };
  if (json) process.stdout.write(`${JSON.stringify(brought)}\n`);
  else
    writeText(
      `This node has ended (${ended}). It brought ${counted(pages, 'page')} with ${counted(requests, 'request')}, ${writtenBytes(bytes)}, in ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU.\n`,
    );
  process.exitCode = 0;
}

/** Runs the node, and fills its index beside it. */
async function followedRun(
  crawl: Crawl,
  folder: string,
  settings: Settings,
  shown: Shown,
  handOver: HandOverPorts | undefined,
): Promise<CrawlResult> {
  const run = (how: Shown) =>
    withSentDocuments(folder, settings, () => superviseCrawl(crawl, folder, settings, how), true);
  if (!settings.index) return await run(shown);
  const { startFollowing } = await import('../../../search/indexing/start-following.ts');
  const media = settings.images !== 'off';
  const following = startFollowing(folder, { media, ...(handOver === undefined ? {} : { handOver }) });
  try {
    return await run({ ...shown, indexing: following });
  } finally {
    // Ranks and all else that needs the whole come when the pages were compared with the database once more.
    await following.stop('pause');
    const { fault } = following;
    if (fault !== undefined) tellIncomplete(fault);
  }
}

/** What goes wrong with the index is told, and ends nothing. */
async function bringIndexUpToDate(folder: string, store: string): Promise<void> {
  const { indexNode } = await import('./index-nodes.ts');
  try {
    await indexNode(store, folder, () => {});
  } catch (error) {
    tellIncomplete(error);
  }
}

function tellIncomplete(error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The search index is not complete: ${why} To complete it: orbweaver index --store …\n`);
}
