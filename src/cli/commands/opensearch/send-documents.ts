import type { Settings } from '../../../base/settings/schema.ts';
import { shellWord } from '../../../base/shell-word.ts';
import { accessOf } from '../../../search/opensearch/access-of-settings.ts';
import type { SinkReport } from '../../../search/opensearch/follow-into-opensearch.ts';
import type { CrawlResult } from '../../output/crawl-summary.ts';

/**
 * Runs a crawl and, where the settings name an index, sends its documents there beside it. What goes wrong with that is told, and
 * ends nothing.
 */
export async function withSentDocuments(
  folder: string,
  settings: Settings,
  run: () => Promise<CrawlResult>,
  isNode = false,
): Promise<CrawlResult> {
  const access = accessOf(settings);
  if (access === undefined) return await run();
  const { startSink } = await import('../../../search/opensearch/start-sink.ts');
  const sink = startSink(folder, access, (message) => process.stderr.write(`OpenSearch: ${message}\n`));
  let isOver = false;
  try {
    const result = await run();
    // The pages of a node are compared with the database first.
    isOver = result.ended !== 'stopped' && !isNode;
    return result;
  } finally {
    await sink.stop(isOver ? 'finish' : 'pause');
    if (!isNode) tellSent(folder, sink.report, sink.fault);
  }
}

/** The last documents of a node, when its pages were compared with the database. */
export async function sendRestOfNode(folder: string, settings: Settings): Promise<void> {
  const access = accessOf(settings);
  if (access === undefined) return;
  try {
    const { followIntoOpenSearch } = await import('../../../search/opensearch/follow-into-opensearch.ts');
    tellSent(folder, await followIntoOpenSearch(folder, { access, mode: 'catch-up' }));
  } catch (error) {
    tellSent(folder, undefined, error as Error);
  }
}

/** Whether the pages of a node are read beside it: for its search index, or to be sent elsewhere. */
export function isFollowed({ index, opensearch }: Pick<Settings, 'index' | 'opensearch'>): boolean {
  return index || opensearch !== '';
}

function tellSent(folder: string, report: SinkReport | undefined, fault?: Error): void {
  const left = report?.caughtUp === false ? 'The last documents were not sent yet.' : undefined;
  const rejected = (report?.rejected ?? 0) > 0 ? `${report?.rejected} documents were not taken.` : undefined;
  const why = fault?.message ?? left ?? rejected;
  if (why === undefined) return;
  process.stderr.write(
    `The OpenSearch index is not complete: ${why} The next run goes on with it, or: orbweaver opensearch --dir ${shellWord(folder)}\n`,
  );
}
