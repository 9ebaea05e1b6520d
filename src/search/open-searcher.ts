import { existsSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import { shellWord } from '../base/shell-word.ts';
import { createAnalyzer } from '../index/analysis/analyzer.ts';
import { openSegmentIndex } from '../index/segment-index.ts';
import { NewestManifest } from '../index/store/newest-manifest.ts';
import type { Plugins } from '../plugins/plugins.ts';
import { indexFolder } from './indexing/index-folder.ts';
import { withRebuildRemedy } from './indexing/older-index.ts';
import { openTextSource } from './indexing/text-source-of-folder.ts';
import { Searcher } from './searcher.ts';
import { SnapshotLeases } from './snapshot-leases.ts';
import type { TextSource } from './text-source.ts';

export interface OpenSearcherOptions {
  /** Where texts for snippets come from; the archive and the imported documents of the folder where it is not given. */
  readonly texts?: TextSource & Partial<Disposable>;
  readonly now?: () => number;
  readonly plugins?: Plugins;
  /** Bytes of postings kept in memory. */
  readonly cacheBytes?: number;
}

/** The words that snippets ask about most; whole vocabularies, as an indexer keeps them, would take more memory than time. */
const REMEMBERED_WORDS = 1 << 13;

/** Search over a crawl folder, beside whoever writes to it. */
export async function openSearcher(folder: string, options: OpenSearcherOptions = {}): Promise<Searcher> {
  const place = indexFolder(folder);
  if (!existsSync(folder)) {
    throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `There is no folder ${folder}.`, {
      remedy: `Crawl first: orbweaver crawl URL --dir ${shellWord(folder)}`,
    });
  }
  const newest = new NewestManifest(place, systemClock.now);
  if (newest.number() === 0) {
    throw new OrbweaverError('INDEX_MISSING', `There is no search index in ${folder}.`, {
      remedy: `To make one: orbweaver index --dir ${shellWord(folder)}`,
    });
  }
  const { analyze, analyzeQuery, termsOf } = createAnalyzer({ remembered: REMEMBERED_WORDS });
  const index = await openSegmentIndex({
    ...{ folder: place, analyze, readOnly: true },
    ...(options.cacheBytes === undefined ? {} : { cacheBytes: options.cacheBytes }),
  }).catch((error) => {
    throw withRebuildRemedy(error, folder);
  });
  const leases = new SnapshotLeases({ version: () => newest.number(), snapshot: () => index.snapshot() });
  const texts = options.texts ?? openTextSource(folder);
  return new Searcher({
    leases,
    texts,
    analyze: analyzeQuery,
    termsOf,
    ...(options.plugins === undefined ? {} : { plugins: options.plugins }),
    now: options.now ?? (() => performance.now()),
    close: async () => {
      leases[Symbol.dispose]();
      await index[Symbol.asyncDispose]();
      texts[Symbol.dispose]?.();
    },
  });
}
