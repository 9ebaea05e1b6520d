import { availableParallelism, totalmem } from 'node:os';
import { OrbweaverError } from '../../base/errors.ts';
import type { ScorePart } from '../../contracts/search-index.ts';
import type { SearchAnswer, SearchRequest, SearchService } from '../../contracts/search-service.ts';
import { SearchedIndexes, type SearchedPlaces } from './searched-indexes.ts';
import { type PendingJob, SearchingThread, type ThreadReports } from './searching-thread.ts';
import type { SearchJob } from './thread-messages.ts';

export interface SearchThreadsOptions extends Omit<SearchedPlaces, 'folder'> {
  /** Threads at most; they are started when they are needed. */
  readonly threads?: number;
  /** Queries that may wait for a thread; further ones are refused. */
  readonly mostWaiting?: number;
  /** Modules of plug-ins, as `resolvePlugins` gives them. */
  readonly plugins?: readonly string[];
  /** Another module for the threads to run, which tests let die. */
  readonly body?: URL;
}

/** More threads than these would cost more memory than they save time. */
const MOST_THREADS = 4;
/** Chosen, not measured: several times the 64 readers that a small machine is meant for. */
const MOST_WAITING = 256;
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
  readonly #mostThreads: number;
  readonly #mostWaiting: number;
  readonly #body: URL | undefined;
  readonly #plugins: readonly string[];
  #searched: SearchedIndexes;
  readonly #threads = new Set<SearchingThread>();
  /** Threads that search other places than those of now: one that is about to take over, and those at their last query. */
  readonly #aside = new Set<SearchingThread>();
  /** First come, first served; a set, because those in the middle leave too. */
  readonly #waiting = new Set<PendingJob>();
  #closing = false;

  constructor(folder: string, options: SearchThreadsOptions = {}) {
    this.#mostThreads = options.threads ?? Math.min(MOST_THREADS, availableParallelism());
    this.#mostWaiting = options.mostWaiting ?? MOST_WAITING;
    this.#body = options.body;
    this.#plugins = options.plugins ?? [];
    const { also, remote } = options;
    this.#searched = new SearchedIndexes({ folder, ...(also && { also }), ...(remote && { remote }) });
  }

  get documents(): number {
    const searched = this.#searched;
    if (searched.places.remote === undefined) return searched.documentsHere();
    return searched.documentsTogether(() => this.#askDocuments());
  }

  /** Asks all shards how many documents they have. */
  async countTogether(): Promise<void> {
    await this.#searched.countTogether(() => this.#askDocuments());
  }

  /**
   * Searches other places from now on. Queries under way end where they began, and those that come meanwhile are answered from there, until
   * a thread has opened the new places. Where it cannot, this throws the reason, and everything stays as it was. One move at a time.
   */
  async moveTo(places: SearchedPlaces): Promise<void> {
    if (this.#closing) throw closed();
    const next = new SearchedIndexes(places);
    await new Promise<void>((resolve, reject) => {
      let hasOpened = false;
      const thread: SearchingThread = this.#newThread(next, {
        free: () => {
          if (!hasOpened && !this.#closing) this.#take(thread, next);
          hasOpened = true;
          resolve();
          this.#released(thread);
        },
        ended: (fault, opened) => {
          reject(fault);
          this.#ended(thread, fault, opened);
        },
      });
      this.#aside.add(thread);
    });
    // Where they cannot be counted now, by too many queries that wait, say, they are searched all the same, and counted later.
    if (places.remote !== undefined) await this.countTogether().catch(() => {});
  }

  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    const { cache } = this.#searched;
    const known = cache.get(request);
    if (known !== undefined) return JSON.parse(known);
    const json = (await this.#run({ kind: 'search', request }, signal)) as string;
    cache.set(request, json);
    return JSON.parse(json);
  }

  async complete(typed: string, limit: number, signal?: AbortSignal): Promise<readonly string[]> {
    return (await this.#run({ kind: 'complete', typed, limit }, signal)) as readonly string[];
  }

  async explainScore(query: string, id: string, signal?: AbortSignal): Promise<ScorePart | undefined> {
    return (await this.#run({ kind: 'explain', query, id }, signal)) as ScorePart | undefined;
  }

  async indexedAt(id: string, signal?: AbortSignal): Promise<number | undefined> {
    return (await this.#run({ kind: 'indexed-at', id }, signal)) as number | undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    for (const { reject } of this.#waiting) reject(closed());
    this.#waiting.clear();
    await Promise.all([...this.#threads, ...this.#aside].map((thread) => thread.close()));
  }

  async #askDocuments(): Promise<number> {
    return (await this.#run({ kind: 'documents' })) as number;
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
    for (const thread of [...this.#threads, ...this.#aside]) thread.cancel(pending);
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

  #startThread(): void {
    const thread: SearchingThread = this.#newThread(this.#searched, {
      free: () => this.#released(thread),
      ended: (fault, opened) => this.#ended(thread, fault, opened),
    });
    this.#threads.add(thread);
  }

  #newThread(searched: SearchedIndexes, reports: ThreadReports): SearchingThread {
    const documents = documentsIfReadable(searched);
    const most = Math.min(MOST_CACHE_BYTES, CACHE_PART_OF_MEMORY * totalmem());
    const cached = Math.max(LEAST_CACHE_BYTES, Math.min(most, CACHE_BYTES_PER_DOCUMENT * documents));
    const cacheBytes = Math.floor(cached / this.#mostThreads);
    const oldMb = LEAST_OLD_MB + Math.ceil((OLD_BYTES_PER_DOCUMENT * documents) / (1024 * 1024));
    const data = { ...searched.places, cacheBytes, oldMb, plugins: this.#plugins };
    return new SearchingThread(data, reports, this.#body);
  }

  /** The thread has opened its places: it takes over, and the others go when they have answered. */
  #take(thread: SearchingThread, searched: SearchedIndexes): void {
    const former = [...this.#threads];
    this.#searched = searched;
    this.#threads.clear();
    this.#threads.add(thread);
    this.#aside.delete(thread);
    for (const one of former) this.#aside.add(one);
    for (const one of former) this.#released(one);
  }

  /** It can take a job, or end where it searches what is searched no more. */
  #released(thread: SearchingThread): void {
    if (this.#aside.has(thread) && thread.isFree) void thread.close();
    else this.#dispatch();
  }

  #ended(thread: SearchingThread, fault: OrbweaverError, opened: boolean): void {
    const wasAside = this.#aside.delete(thread);
    this.#threads.delete(thread);
    // Where not even one thread can open the index, another would not either: whoever waits is told why.
    if (!wasAside && !opened && this.#threads.size === 0) this.#rejectWaiting(fault);
    this.#dispatch();
  }

  #rejectWaiting(fault: OrbweaverError): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(fault);
  }
}

function documentsIfReadable(searched: SearchedIndexes): number {
  try {
    return searched.documentsHere();
  } catch {
    // The thread meets the same fault when it opens the index, and reports it with a remedy.
    return 0;
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
