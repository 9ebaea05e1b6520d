import type { Clock } from '../../base/clock.ts';
import type { CrawlOrder } from '../../contracts/crawl-order.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { Frontier } from '../../contracts/frontier.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { UrlFilter } from '../../contracts/url-filter.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import type { NamedItem } from '../revisits/feed-assertions.ts';
import type { RevisitScheduler } from '../revisits/revisit-scheduler.ts';
import type { PushedWord, PushInbox } from './push-inbox.ts';

export interface PushConsumerParts {
  readonly inbox: PushInbox;
  readonly frontier: Frontier;
  readonly filter: UrlFilter;
  readonly order: CrawlOrder;
  readonly urlOptions: UrlOptions;
  /** Absent in a crawl that visits every page once. */
  readonly scheduler?: RevisitScheduler;
  readonly clock: Clock;
}

const HEAR_EVERY_MS = 1000;
const LONGEST_REST_MS = 86_400_000;
/** URLs that wait for a visit to end which may have begun before they were pushed. */
const MOST_UNDER_WAY = 1000;

/** What others have told of: new URLs come in like links, known ones are visited sooner. */
export class PushConsumer {
  readonly #parts: PushConsumerParts;
  /** When the user has pushed them. Lost with a crash, as is the visit that is under way then: it is made again. */
  readonly #underWay = new Map<CanonicalUrl, number>();
  #heardAt = 0;

  constructor(parts: PushConsumerParts) {
    this.#parts = parts;
  }

  /** Looks into the inbox, once in a while. True where URLs came in. */
  async consume(): Promise<boolean> {
    const { inbox, scheduler, clock } = this.#parts;
    if (Math.abs(clock.now() - this.#heardAt) < HEAR_EVERY_MS) return false;
    this.#heardAt = clock.now();
    for (const [url, since] of [...this.#underWay]) await this.#order(url, since);
    const heard = inbox.take();
    for (const { url, restUntil } of heard) if (restUntil !== undefined) await this.#rest(url, restUntil);
    const words = heard.filter(({ restUntil }) => restUntil === undefined);
    for (const { url } of words.filter(({ poll }) => poll === true)) await scheduler?.polled(url);
    const told = words.filter(({ poll, topic }) => poll !== true && topic === undefined);
    let added = await this.#admit(told);
    const ofTopic = Map.groupBy(
      words.filter(({ topic }) => topic !== undefined),
      ({ topic }) => topic as string,
    );
    for (const [topic, items] of ofTopic) added = (await this.#admitItems(topic, items)) || added;
    inbox.settle();
    return added;
  }

  /** Another process asks the host. Whatever was written, it does not rest for ever. */
  async #rest(url: string, until: number): Promise<void> {
    const { frontier, clock } = this.#parts;
    const now = clock.now();
    const known = normalizeUrl(url, this.#parts.urlOptions);
    if (known === undefined || until <= now) return;
    await frontier.holdHosts(
      [hostKeyOf(known)],
      Math.min(until, now + LONGEST_REST_MS),
      'the server asks it for a key file',
    );
  }

  async #admit(words: readonly PushedWord[]): Promise<boolean> {
    const { frontier, scheduler, clock } = this.#parts;
    const wanted = this.#wanted(words, 'push');
    if (wanted.length === 0) return false;
    const verdicts = await frontier.add(wanted.map(({ task }) => task));
    for (const { task, word } of wanted.filter((_, at) => verdicts[at] === 'known')) {
      if (word.by === 'site') await scheduler?.pushed(task.url);
      else await this.#order(task.url, clock.now());
    }
    return verdicts.includes('added');
  }

  async #order(url: CanonicalUrl, since: number): Promise<void> {
    const isUnderWay = (await this.#parts.scheduler?.ordered(url, since)) === true;
    if (isUnderWay && this.#underWay.size < MOST_UNDER_WAY) this.#underWay.set(url, since);
    else this.#underWay.delete(url);
  }

  /** Items of a feed: what is known of them is weighed as if the feed had been read. */
  async #admitItems(topic: string, words: readonly PushedWord[]): Promise<boolean> {
    const { frontier, scheduler } = this.#parts;
    const wanted = this.#wanted(words, 'feed', scheduler?.feedOf(topic));
    if (wanted.length === 0) return false;
    const verdicts = await frontier.add(wanted.map(({ task }) => task));
    const items = wanted.map(({ task, word }): NamedItem => ({ mark: 0, ...word.item, url: task.url }));
    await scheduler?.heard(topic, items);
    return verdicts.includes('added');
  }

  #wanted(
    words: readonly PushedWord[],
    how: 'push' | 'feed',
    from?: CanonicalUrl,
  ): { readonly task: CrawlTask; readonly word: PushedWord }[] {
    const { filter, order, urlOptions } = this.#parts;
    return words.flatMap((word) => {
      const url = normalizeUrl(word.url, urlOptions);
      if (url === undefined) return [];
      const discovery = { how, ...(from === undefined ? {} : { from }) };
      const task: CrawlTask = {
        ...{ url, host: hostKeyOf(url), depth: 0, redirects: 0, lane: 0 },
        ...{ discovery, purpose: 'page' },
      };
      return filter.judge(task).admit ? [{ task: { ...task, ...order.place(task) }, word }] : [];
    });
  }
}
