import { fingerprint } from '../base/fingerprint.ts';
import type { TopicJudge } from '../contracts/content/topic.ts';
import type { CrawlOrder, EarlierRuns, OrderedVisit } from '../contracts/crawl-order.ts';
import type { CrawlTask } from '../contracts/crawl-task.ts';
import type { Place, PlaceChange } from '../contracts/place.ts';
import type { RecordedGraph } from './replay/recorded-graph.ts';
import type { TopicPages } from './topic-pages.ts';

/** What is known of a page that no visit has been to. */
interface Expected {
  promise: number;
  offTopicBefore: number;
}

/**
 * An order that weighs a topic, with the judge that a focused crawl has: each page is judged as it is visited, and what its
 * links promise is told to the order. Links that a focused crawl would not follow promise nothing, so that they come last.
 */
export class FocusedOrder implements CrawlOrder {
  readonly within: 'fifo' | 'lifo';
  readonly moves: boolean;
  readonly #inner: CrawlOrder;
  readonly #judge: TopicJudge;
  readonly #pages: TopicPages;
  readonly #pageOf: ReadonlyMap<bigint, number>;
  readonly #expected = new Map<bigint, Expected>();

  constructor(inner: CrawlOrder, judge: TopicJudge, pages: TopicPages, graph: RecordedGraph) {
    this.within = inner.within;
    this.moves = inner.moves;
    this.#inner = inner;
    this.#judge = judge;
    this.#pages = pages;
    this.#pageOf = new Map(graph.urls.map((url, page) => [fingerprint(url), page]));
  }

  place(task: CrawlTask): Place {
    const promise = this.#expected.get(task.fingerprint ?? fingerprint(task.url))?.promise;
    return this.#inner.place(task, promise === undefined ? undefined : { promise });
  }

  visited(visit: OrderedVisit): readonly PlaceChange[] {
    const page = this.#pageOf.get(visit.fingerprint);
    if (page === undefined || !visit.found) return this.#inner.visited(visit);
    const offTopicBefore = this.#expected.get(visit.fingerprint)?.offTopicBefore ?? 0;
    this.#expected.delete(visit.fingerprint);
    const features = this.#pages.features(page);
    const urls = { page: visit.fingerprint, links: visit.links };
    const { relevance, promise } = this.#judge.judge(features, offTopicBefore, urls);
    const told = this.#judge.follows(relevance, offTopicBefore) ? promise : promise.map(() => 0);
    this.#expect(visit, told, relevance >= 0.5 ? 0 : offTopicBefore + 1);
    return this.#inner.visited({ ...visit, relevance, promise: told });
  }

  maintain(now: number): readonly PlaceChange[] {
    return this.#inner.maintain(now);
  }

  restore(earlier: EarlierRuns): AsyncIterable<readonly PlaceChange[]> {
    return this.#inner.restore(earlier);
  }

  #expect({ links, unknown }: OrderedVisit, promise: Float32Array, offTopicBefore: number): void {
    for (const at of unknown) this.#expected.set(links[at], { promise: promise[at], offTopicBefore });
    for (let at = 0; at < links.length; at++) {
      const known = this.#expected.get(links[at]);
      if (known === undefined) continue;
      known.promise = Math.max(known.promise, promise[at]);
      known.offTopicBefore = Math.min(known.offTopicBefore, offTopicBefore);
    }
  }
}
