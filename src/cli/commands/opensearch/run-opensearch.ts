import { OrbweaverError } from '../../../base/errors.ts';
import { shellWord } from '../../../base/shell-word.ts';
import { openCluster } from '../../../crawl/nodes/cluster-view.ts';
import { nodeFolders } from '../../../crawl/nodes/store-crawl.ts';
import { hasState } from '../../../engines/state-folder.ts';
import { followIntoOpenSearch, type SinkReport } from '../../../search/opensearch/follow-into-opensearch.ts';
import { readSinkPlace } from '../../../search/opensearch/sink-place.ts';
import { terminalText } from '../../output/terminal-text.ts';
import { counted } from '../../output/written-amount.ts';
import { writePagesOf } from '../nodes/index-nodes.ts';
import { askedIndex, type OpenSearchFlags } from './asked-index.ts';

const TELL_MS = 2000;

/** Sends the documents of a folder, or those of the nodes of this machine that are not at work. */
export async function runOpenSearch(flags: OpenSearchFlags, store: string | undefined): Promise<void> {
  if (store !== undefined && flags.watch === true)
    throw new OrbweaverError('USAGE', '--watch is for one crawl in a folder.', {
      remedy: 'Nodes that are at work send by themselves, where the setting opensearch is given.',
    });
  if (store === undefined && !hasState(flags.dir))
    throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `There is nothing to send in ${flags.dir}.`, {
      remedy: `Crawl first: orbweaver crawl URL --dir ${shellWord(flags.dir)}`,
    });
  const folders = store === undefined ? [flags.dir] : await restingNodes(store);
  const sum = { indexed: 0, deleted: 0, superseded: 0, rejected: 0 };
  for (const folder of folders) {
    if (store !== undefined) await writePagesOf(store, folder);
    const report = await send(folder, flags);
    for (const key of ['indexed', 'deleted', 'superseded', 'rejected'] as const) sum[key] += report[key];
  }
  if (flags.json === true) process.stdout.write(`${JSON.stringify(sum)}\n`);
  else
    process.stdout.write(
      `${counted(sum.indexed, 'document')} sent, ${sum.deleted} deleted, ${sum.superseded} newer there already, ${sum.rejected} not taken.\n`,
    );
  if (sum.rejected > 0)
    throw new OrbweaverError('SINK_FAILED', `${counted(sum.rejected, 'document')} were not taken.`, {
      remedy: 'The reasons stand above, and in opensearch/rejected.jsonl of the folder. The next run tries them again.',
    });
}

/** After pages were forgotten: they leave the index at once, or it is said that they are still there. */
export async function renewSinks(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    if (readSinkPlace(folder) === undefined) continue;
    try {
      await followIntoOpenSearch(folder, { access: await askedIndex(folder), mode: 'catch-up' });
    } catch (error) {
      process.stderr.write(
        `The documents of forgotten pages may still be in the OpenSearch index: ${(error as Error).message} To remove them: orbweaver opensearch --dir ${shellWord(folder)}\n`,
      );
    }
  }
}

async function send(folder: string, flags: OpenSearchFlags): Promise<SinkReport> {
  const access = await askedIndex(folder, flags.opensearch);
  const isQuiet = flags.quiet === true || flags.json === true;
  let toldAt = Number.NEGATIVE_INFINITY;
  const stopping = new AbortController();
  const onSignal = (): void => {
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    return await followIntoOpenSearch(folder, {
      ...{ access, mode: flags.watch === true ? 'until-stopped' : 'catch-up', pause: stopping.signal },
      ...(flags.again === true ? { again: true } : {}),
      onProgress: ({ indexed }) => {
        if (isQuiet || performance.now() - toldAt < TELL_MS) return;
        toldAt = performance.now();
        process.stderr.write(`${counted(indexed, 'document')} sent\n`);
      },
      onTrouble: (message) => process.stderr.write(`${terminalText(message)}\n`),
    });
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

async function restingNodes(store: string): Promise<readonly string[]> {
  await using cluster = await openCluster(store);
  const { nodes } = await cluster.nodes.view();
  for (const { name } of nodes.filter(({ isAlive }) => isAlive))
    process.stderr.write(`The node ${name} is at work: it sends its documents by itself.\n`);
  return nodeFolders(nodes.filter(({ isAlive }) => !isAlive)).here;
}
