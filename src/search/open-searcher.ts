import { existsSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import { shellWord } from '../base/shell-word.ts';
import { createAnalyzer } from '../index/analysis/analyzer.ts';
import { SegmentIndexSet } from '../index/segment-index-set.ts';
import { newestManifest } from '../index/store/manifest.ts';
import { NewestManifest } from '../index/store/newest-manifest.ts';
import type { Plugins } from '../plugins/plugins.ts';
import { indexFolder, mediaFolder } from './indexing/index-folder.ts';
import { MediaTexts } from './indexing/media/media-texts.ts';
import { withRebuildRemedy } from './indexing/older-index.ts';
import { openTextSource } from './indexing/text-source-of-folder.ts';
import { Searcher, type SearcherParts } from './searcher.ts';
import type { RemoteShards } from './shards/open-shards.ts';
import { SnapshotLeases } from './snapshot-leases.ts';
import type { TextSource } from './text-source.ts';

export interface OpenSearcherOptions {
  /** Where texts for snippets come from; the archive and the imported documents of the folder where it is not given. */
  readonly texts?: TextSource & Partial<Disposable>;
  readonly now?: () => number;
  readonly plugins?: Plugins;
  /** Bytes of postings kept in memory. */
  readonly cacheBytes?: number;
  /** Further folders, searched as if all were one: those of the other nodes of a crawl. */
  readonly also?: readonly string[];
  /** Shards on other machines, searched with them. */
  readonly remote?: RemoteShards;
}

/** The words that snippets ask about most; whole vocabularies, as an indexer keeps them, would take more memory than time. */
const REMEMBERED_WORDS = 1 << 13;

/** Search over a crawl folder, or those of the nodes of a crawl, beside whoever writes to them. */
export async function openSearcher(folder: string, options: OpenSearcherOptions = {}): Promise<Searcher> {
  const { also = [], remote } = options;
  if (remote !== undefined) return openShardedSearcher([folder, ...also], remote, options);
  if (!existsSync(folder)) {
    throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `There is no folder ${folder}.`, {
      remedy: `Crawl first: orbweaver crawl URL --dir ${shellWord(folder)}`,
    });
  }
  // A node that has stored nothing has no index.
  const indexed = [folder, ...also].filter((one) => newestManifest(indexFolder(one)) > 0);
  if (indexed.length === 0) {
    throw new OrbweaverError('INDEX_MISSING', `There is no search index in ${folder}.`, {
      remedy: `To make one: orbweaver index --dir ${shellWord(folder)}`,
    });
  }
  const texts = options.texts ?? textsOf(indexed.map(openTextSource));
  let media: Searcher | undefined;
  const pages = searcherOver({ ...options, places: indexed.map(indexFolder), named: folder, texts });
  return new Searcher({
    ...pages,
    // Opened when somebody asks for one; others may make it at any time.
    media: () => {
      media ??= openMediaSearcher(indexed, options);
      return media;
    },
    close: async () => {
      await media?.[Symbol.asyncDispose]();
      await pages.close();
    },
  });
}

/** Search over pictures, films and sounds; undefined where none are described. */
function openMediaSearcher(folders: readonly string[], options: OpenSearcherOptions): Searcher | undefined {
  const described = folders.filter((one) => newestManifest(mediaFolder(one)) > 0);
  if (described.length === 0) return undefined;
  const { plugins: _signals, ...others } = options;
  const places = described.map(mediaFolder);
  return new Searcher({
    ...searcherOver({ ...others, places, named: folders[0], texts: new MediaTexts(described) }),
    manyPerHost: true,
  });
}

interface SearchedIndexOptions extends OpenSearcherOptions {
  /** The folders of the indexes. */
  readonly places: readonly string[];
  /** As errors name it. */
  readonly named: string;
  readonly texts: TextSource & Partial<Disposable>;
}

function searcherOver({ places, named, texts, now, plugins, cacheBytes }: SearchedIndexOptions): SearcherParts {
  const { analyzeQuery, termsOf } = createAnalyzer({ remembered: REMEMBERED_WORDS });
  const index = openIndexes(places, named, cacheBytes);
  const newest = places.map((place) => new NewestManifest(place, systemClock.now));
  const leases = new SnapshotLeases({
    version: () => newest.reduce((sum, manifest) => sum + manifest.number(), 0),
    snapshot: () => index.snapshot(),
  });
  return {
    ...{ leases, texts, analyze: analyzeQuery, termsOf },
    ...(plugins === undefined ? {} : { plugins }),
    now: now ?? (() => performance.now()),
    close: async () => {
      leases[Symbol.dispose]();
      index[Symbol.dispose]();
      texts[Symbol.dispose]?.();
    },
  };
}

/** Folders without an index are passed over: their nodes may just have begun. */
async function openShardedSearcher(
  folders: readonly string[],
  remote: RemoteShards,
  { plugins }: OpenSearcherOptions,
): Promise<Searcher> {
  const { openShards } = await import('./shards/open-shards.ts');
  const shards = openShards(
    folders.filter((one) => newestManifest(indexFolder(one)) > 0),
    remote,
  );
  const { set } = shards;
  const leases = new SnapshotLeases(set);
  const { analyzeQuery, termsOf } = createAnalyzer({ remembered: REMEMBERED_WORDS });
  return new Searcher({
    ...{ leases, texts: set, analyze: analyzeQuery, termsOf },
    ...(plugins === undefined ? {} : { plugins }),
    now: () => performance.now(),
    leftOut: () => set.leftOut,
    close: async () => {
      leases[Symbol.dispose]();
      shards[Symbol.dispose]();
    },
  });
}

function openIndexes(folders: readonly string[], named: string, cacheBytes: number | undefined): SegmentIndexSet {
  try {
    return new SegmentIndexSet({ folders, ...(cacheBytes === undefined ? {} : { cacheBytes }) });
  } catch (error) {
    throw withRebuildRemedy(error, named);
  }
}

/** A text comes from the folder that has it. */
function textsOf(sources: readonly (TextSource & Disposable)[]): TextSource & Disposable {
  const [only, ...others] = sources;
  if (others.length === 0) return only;
  return {
    async texts(copies) {
      const found = await Promise.all(sources.map((source) => source.texts(copies)));
      return copies.map((_, at) => found.map((texts) => texts[at]).find((text) => text !== undefined));
    },
    async description(id, fetchedAt) {
      for (const source of sources) {
        const description = await source.description?.(id, fetchedAt);
        if (description !== undefined) return description;
      }
      return undefined;
    },
    [Symbol.dispose]: () => {
      for (const source of sources) source[Symbol.dispose]();
    },
  };
}
