import { systemClock } from '../../base/clock.ts';
import { CommittedCount } from '../../index/store/committed-count.ts';
import { NewestManifest } from '../../index/store/newest-manifest.ts';
import { indexFolder, mediaFolder } from '../indexing/index-folder.ts';
import type { RemoteShards } from '../shards/open-shards.ts';
import { AnswerCache } from './answer-cache.ts';

/** What is searched as one. */
export interface SearchedPlaces {
  readonly folder: string;
  /** Further folders: those of the other nodes of a crawl. */
  readonly also?: readonly string[];
  /** Shards on other machines. */
  readonly remote?: RemoteShards;
}

const REMOTE_STATE_MS = 1000;

/** The indexes that threads search, seen from outside: their documents, and the answers given from their state. */
export class SearchedIndexes {
  readonly places: SearchedPlaces;
  /** Of these places alone: an answer of others is never given for them. */
  readonly cache: AnswerCache;
  readonly #counts: readonly CommittedCount[];
  /** Of all shards, where some are on other machines. */
  #together = { documents: 0, at: Number.NEGATIVE_INFINITY };

  constructor({ folder, also = [], remote }: SearchedPlaces) {
    this.places = { folder, also, ...(remote === undefined ? {} : { remote }) };
    const indexes = [folder, ...also].map(indexFolder);
    const newest = indexes.map((index) => new NewestManifest(index, systemClock.now));
    this.#counts = indexes.map((index, at) => new CommittedCount(index, newest[at]));
    // Nobody tells when something is committed on another machine: there answers are kept for as long as states are.
    const ofOthers = (): number => (remote === undefined ? 0 : Math.floor(systemClock.now() / REMOTE_STATE_MS));
    // Answers on pictures are kept as well.
    const media = [folder, ...also].map((one) => new NewestManifest(mediaFolder(one), systemClock.now));
    this.cache = new AnswerCache(() =>
      [...newest, ...media].reduce((sum, manifest) => sum + manifest.number(), ofOthers()),
    );
  }

  /** Documents in the folders of this machine. */
  documentsHere(): number {
    return this.#counts.reduce((sum, count) => sum + count.documents(), 0);
  }

  /** Documents of all shards, as they were counted last; `count` asks them, and is called where that was a while ago. */
  documentsTogether(count: () => Promise<number>): number {
    if (systemClock.now() - this.#together.at >= REMOTE_STATE_MS) void this.countTogether(count).catch(() => {});
    return this.#together.documents;
  }

  async countTogether(count: () => Promise<number>): Promise<void> {
    this.#together = { ...this.#together, at: systemClock.now() };
    this.#together = { documents: await count(), at: systemClock.now() };
  }
}
