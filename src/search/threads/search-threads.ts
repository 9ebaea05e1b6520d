import { availableParallelism, totalmem } from 'node:os';
import { systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { ScorePart } from '../../contracts/search-index.ts';
import type { SearchAnswer, SearchRequest, SearchService } from '../../contracts/search-service.ts';
import { CommittedCount } from '../../index/store/committed-count.ts';
import { NewestManifest } from '../../index/store/newest-manifest.ts';
import { indexFolder } from '../indexing/index-folder.ts';
import type { RemoteShards } from '../shards/open-shards.ts';
import { AnswerCache } from './answer-cache.ts';
import { type PendingJob, SearchingThread } from './searching-thread.ts';
import type { SearchJob } from './thread-messages.ts';

export interface SearchThreadsOptions {
  /** Threads at most; they are started when they are needed. */
  readonly threads?: number;
  /** Queries that may wait for a thread; further ones are refused. */
  readonly mostWaiting?: number;
  /** Modules of plug-ins, as `resolvePlugins` gives them. */
  readonly plugins?: readonly string[];
  /** Further folders, searched as if all were one: those of the other nodes of a crawl. */
  readonly also?: readonly string[];
  /** Shards on other machines, searched with them. */
  readonly remote?: RemoteShards;
  /** Another module for the threads to run, which tests let die. */
  readonly body?: URL;
}

/** More threads than these would cost more memory than they save time. */
const MOST_THREADS = 4;
/** Chosen, not measured: several times the 64 readers that a small machine is meant for. */
const MOST_WAITING = 256;
const REMOTE_STATE_MS = 1000;
/**
 * Postings in memory, over all threads: so much per document, within bounds, of which one is a part of the machine's memory. Those
 * of a small index would never fill more. A common term takes two thirds of a byte per document; to lay out one that is not
 * in memory takes longer than to search it.
 */
const CACHE_BYTES_PER_DOCUMENT = 768;
const LEAST_CACHE_BYTES = 20 * 1024 * 1024;
const MOST_CACHE_BYTES = 1024 * 1024 * 1024;
const CACHE_PART_OF_MEMORY = 1 / 32;

/**
 * Objects that a thread may hold: far more than the 15 MB that it needs for small indexes, and more for the names of hosts of
 * large ones. A smaller bound is meant to make the engine collect sooner.
 */
const LEAST_OLD_MB = 256;
const OLD_BYTES_PER_DOCUMENT = 256;

/**
 * Search in threads beside the one that serves, which stays free to answer. A thread works on one query at a time; those
 * that wait are bounded, and leave the queue with the client who asked. A thread that dies takes its query with it and is
 * replaced as soon as there is work.
 */
export class SearchThreads implements SearchService {
  readonly #folder: string;
  readonly #mostThreads: number;
  readonly #mostWaiting: number;
  readonly #body: URL | undefined;
  readonly #plugins: readonly string[];
  readonly #also: readonly string[];
  readonly #remote: RemoteShards | undefined;
  /** Of all shards, where some are on other machines. */
  #together = { documents: 0, at: Number.NEGATIVE_INFINITY };
  readonly #counts: readonly CommittedCount[];
  readonly #cache: AnswerCache;
  readonly #threads = new Set<SearchingThread>();
  /** First come, first served; a set, because those in the middle leave too. */
  readonly #waiting = new Set<PendingJob>();
  #closing = false;

  constructor(folder: string, options: SearchThreadsOptions = {}) {
    this.#folder = folder;
    this.#mostThreads = options.threads ?? Math.min(MOST_THREADS, availableParallelism());
    this.#mostWaiting = options.mostWaiting ?? MOST_WAITING;
    this.#body = options.body;
    this.#plugins = options.plugins ?? [];
    this.#also = options.also ?? [];
    this.#remote = options.remote;
    const places = [folder, ...this.#also].map(indexFolder);
    const newest = places.map((place) => new NewestManifest(place, systemClock.now));
    this.#counts = places.map((place, at) => new CommittedCount(place, newest[at]));
    // Nobody tells when something is committed on another machine: there answers are kept for as long as states are.
    const ofOthers = (): number => (this.#remote === undefined ? 0 : Math.floor(systemClock.now() / REMOTE_STATE_MS));
    this.#cache = new AnswerCache(() => newest.reduce((sum, manifest) => sum + manifest.number(), ofOthers()));
  }

  get documents(): number {
    if (this.#remote === undefined) return this.#documentsHere();
    if (systemClock.now() - this.#together.at >= REMOTE_STATE_MS) void this.countTogether().catch(() => {});
    return this.#together.documents;
  }

  /** Asks all shards how many documents they have. */
  async countTogether(): Promise<void> {
    this.#together = { ...this.#together, at: systemClock.now() };
    this.#together = { documents: (await this.#run({ kind: 'documents' })) as number, at: systemClock.now() };
  }

  #documentsHere(): number {
    return this.#counts.reduce((sum, count) => sum + count.documents(), 0);
  }

  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    const known = this.#cache.get(request);
    if (known !== undefined) return JSON.parse(known);
    const json = (await this.#run({ kind: 'search', request }, signal)) as string;
    this.#cache.set(request, json);
    return JSON.parse(json);
  }

  async complete(typed: string, limit: number, signal?: AbortSignal): Promise<readonly string[]> {
    return (await this.#run({ kind: 'complete', typed, limit }, signal)) as readonly string[];
  }

  async explainScore(query: string, id: string, signal?: AbortSignal): Promise<ScorePart | undefined> {
    return (await this.#run({ kind: 'explain', query, id }, signal)) as ScorePart | undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    for (const { reject } of this.#waiting) reject(closed());
    this.#waiting.clear();
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }

  async #run(job: SearchJob, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#closing) throw closed();
    if (this.#waiting.size >= this.#mostWaiting) {
      throw new OrbweaverError('SEARCH_BUSY', 'More queries wait for an answer than can be answered soon.', {
        remedy: 'Ask again in a few seconds.',
      });
    }
    return await new Promise((resolve, reject) => {
      const leave = (): void => this.#leave(pending, signal?.reason);
      const pending: PendingJob = {
        job,
        resolve: (answer) => {
          signal?.removeEventListener('abort', leave);
          resolve(answer);
        },
        reject: (fault) => {
          signal?.removeEventListener('abort', leave);
          reject(fault);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.add(pending);
      this.#dispatch();
    });
  }

  #leave(pending: PendingJob, reason: unknown): void {
    this.#waiting.delete(pending);
    for (const thread of this.#threads) thread.cancel(pending);
    pending.reject(reason);
  }

  #dispatch(): void {
    for (const thread of this.#threads) {
      if (!thread.isFree) continue;
      const [next] = this.#waiting;
      if (next === undefined) return;
      this.#waiting.delete(next);
      thread.start(next);
    }
    if (this.#waiting.size > 0 && this.#threads.size < this.#mostThreads && !this.#closing) this.#startThread();
  }

  #documentsIfReadable(): number {
    try {
      return this.#documentsHere();
    } catch {
      // The thread meets the same fault when it opens the index, and reports it with a remedy.
      return 0;
    }
  }

  #startThread(): void {
    const documents = this.#documentsIfReadable();
    const most = Math.min(MOST_CACHE_BYTES, CACHE_PART_OF_MEMORY * totalmem());
    const cached = Math.max(LEAST_CACHE_BYTES, Math.min(most, CACHE_BYTES_PER_DOCUMENT * documents));
    const cacheBytes = Math.floor(cached / this.#mostThreads);
    const oldMb = LEAST_OLD_MB + Math.ceil((OLD_BYTES_PER_DOCUMENT * documents) / (1024 * 1024));
    const thread = new SearchingThread(
      {
        ...{ folder: this.#folder, also: this.#also, cacheBytes, oldMb, plugins: this.#plugins },
        ...(this.#remote === undefined ? {} : { remote: this.#remote }),
      },
      {
        free: () => this.#dispatch(),
        ended: (fault, opened) => {
          this.#threads.delete(thread);
          // Where not even one thread can open the index, another would not either: whoever waits is told why.
          if (!opened && this.#threads.size === 0) this.#rejectWaiting(fault);
          this.#dispatch();
        },
      },
      this.#body,
    );
    this.#threads.add(thread);
  }

  #rejectWaiting(fault: OrbweaverError): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(fault);
  }
}

function closed(): OrbweaverError {
  return new OrbweaverError('INTERNAL', 'The search was closed while a query waited.');
}

/** Search over a crawl folder in threads; fails as `openSearcher` does where there is nothing to search. */
export async function openSearchThreads(folder: string, options: SearchThreadsOptions = {}): Promise<SearchThreads> {
  const search = new SearchThreads(folder, options);
  // The first answer shows that a thread can open the index.
  await search.complete('', 0);
  if (options.remote !== undefined) await search.countTogether();
  return search;
}
