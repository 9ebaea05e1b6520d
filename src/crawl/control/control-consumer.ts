import type { Clock } from '../../base/clock.ts';
import type { ControlStore, RecordedOperation } from '../../contracts/crawl-control.ts';
import type { CrawlOrder } from '../../contracts/crawl-order.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { CrawlEvents } from '../../contracts/events.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import type { FilterVerdict } from '../../contracts/url-filter.ts';
import type { FilterChain } from '../../scope/filter-chain.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import type { EventHub } from '../report/event-hub.ts';
import type { RevisitScheduler } from '../revisits/revisit-scheduler.ts';
import type { LiveSettings } from './live-settings.ts';

export interface ControlConsumerParts {
  readonly store: ControlStore;
  readonly live: LiveSettings;
  readonly clock: Clock;
  readonly events: EventHub<CrawlEvents>;
  /** Ends the run. */
  readonly stop: () => void;
}

/** What operations act on, once the parts of a run are there. */
export interface ControlledRun {
  readonly state: Pick<OwnedPartition, 'frontier' | 'pages' | 'retry'>;
  readonly filter: FilterChain;
  readonly order: CrawlOrder;
  readonly urlOptions: UrlOptions;
  /** Of a continuous crawl. */
  readonly scheduler?: Pick<RevisitScheduler, 'ordered'>;
  /** Other patterns count from now on: links that were refused are judged again. */
  readonly patternsChanged: () => Promise<void>;
  /** Other settings count: requests that were allowed ahead are not any more. */
  readonly recall: () => void;
}

const LOOK_EVERY_MS = 250;
const URLS_TOLD = 3;

/**
 * Takes up what was asked of the crawl, by whatever process. Applying an operation a second time changes nothing more, so that a kill
 * between applying it and saying so does no harm.
 */
export class ControlConsumer implements Disposable {
  readonly #parts: ControlConsumerParts;
  #run: ControlledRun | undefined;
  #isPaused = false;
  #heldHosts: ReadonlySet<HostKey> = new Set();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ControlConsumerParts) {
    this.#parts = parts;
    const { store, clock } = parts;
    // Those were meant for a run that is over.
    for (const { id, operation } of store.untaken())
      if (operation.kind === 'stop') store.taken(id, clock.now(), 'no crawl was running');
    this.#isPaused = store.state().pausedAt !== undefined;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  isHeldHost(host: HostKey): boolean {
    return this.#heldHosts.has(host);
  }

  /** From now on operations have something to act on. */
  async begin(run: ControlledRun): Promise<void> {
    this.#run = run;
    this.#heldHosts = new Set();
    await this.#takeUp();
  }

  /** Looks whether something was asked, once in a while. True where URLs came in. */
  async consume(): Promise<boolean> {
    const { store, clock } = this.#parts;
    if (Math.abs(clock.now() - this.#lookedAt) < LOOK_EVERY_MS) return false;
    this.#lookedAt = clock.now();
    return store.hasChanged() ? await this.#takeUp() : false;
  }

  /** Until nobody wants a pause; true: the run may begin. */
  async waitUntilResumed(stopped: AbortSignal): Promise<boolean> {
    await this.#takeUp();
    if (this.#isPaused) this.#tell('PAUSED', 'The crawl is paused: it asks for nothing until orbweaver resume.');
    while (this.#isPaused && !stopped.aborted) {
      await this.#parts.clock.sleep(LOOK_EVERY_MS, stopped);
      await this.consume();
    }
    return !stopped.aborted;
  }

  [Symbol.dispose](): void {
    this.#parts.store[Symbol.dispose]();
  }

  async #takeUp(): Promise<boolean> {
    const { store, live, clock } = this.#parts;
    store.hasChanged();
    const operations = store.untaken();
    const { pausedAt, settings, heldHosts } = store.state();
    this.#pause(pausedAt !== undefined);
    const changed = live.change(settings);
    if (changed.length > 0) this.#run?.recall();
    if (changed.includes('include') || changed.includes('exclude')) await this.#run?.patternsChanged();
    await this.#holdHosts(heldHosts);
    let added = false;
    for (const recorded of operations) {
      // Nothing is there yet that could take it.
      if (this.#run === undefined && (recorded.operation.kind === 'submit' || recorded.operation.kind === 'requeue'))
        continue;
      const { outcome, isNew = false } = await this.#apply(recorded);
      store.taken(recorded.id, clock.now(), outcome);
      added ||= isNew;
    }
    return added;
  }

  #pause(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) this.#tell('PAUSED', 'The crawl is paused: it asks for nothing until orbweaver resume.');
    else this.#tell('RESUMED', 'The crawl goes on.');
  }

  #tell(code: string, message: string): void {
    this.#parts.events.emit('warning', { code, message });
  }

  async #holdHosts(wanted: readonly HostKey[]): Promise<void> {
    if (this.#run === undefined) return;
    const { frontier } = this.#run.state;
    const held = new Set(wanted);
    const opened = [...this.#heldHosts].filter((host) => !held.has(host));
    const fresh = wanted.filter((host) => !this.#heldHosts.has(host));
    this.#heldHosts = held;
    if (fresh.length > 0) await frontier.parkHosts(fresh, true);
    if (opened.length > 0) await frontier.parkHosts(opened, false);
  }

  async #apply({ operation, at }: RecordedOperation): Promise<{ readonly outcome: string; readonly isNew?: boolean }> {
    switch (operation.kind) {
      case 'pause':
        return { outcome: this.#isPaused ? 'paused' : 'paused, and resumed since' };
      case 'resume':
        return { outcome: this.#isPaused ? 'resumed, and paused since' : 'goes on' };
      case 'stop':
        this.#parts.stop();
        return { outcome: 'the run ends' };
      case 'set':
        return { outcome: operation.value === null ? 'as the run was started' : 'holds from now on' };
      case 'host':
        return { outcome: operation.state === 'hold' ? 'held' : 'open' };
      // Heard with the switches, within a second.
      case 'pattern':
        return { outcome: operation.state === 'learn' ? 'left to the crawl' : operation.state };
      case 'submit':
        return await this.#submit(operation.urls);
      case 'requeue':
        return { outcome: await this.#requeue(operation.urls, at) };
    }
  }

  /** As far as the scope admits them; they come first, as seeds do. */
  async #submit(urls: readonly string[]): Promise<{ readonly outcome: string; readonly isNew: boolean }> {
    const { state, filter, order, urlOptions } = this.#run as ControlledRun;
    const refused: string[] = [];
    const tasks = urls.flatMap((text): CrawlTask[] => {
      const url = normalizeUrl(text, urlOptions);
      const verdict = url === undefined ? NO_URL : filter.judge(submittedTask(url));
      if (!verdict.admit) refused.push(`${text}: ${verdict.rule}`);
      if (url === undefined || !verdict.admit) return [];
      const task = submittedTask(url);
      return [{ ...task, ...order.place(task), lane: 0 }];
    });
    const verdicts = await state.frontier.add(tasks);
    const count = (wanted: string): number => verdicts.filter((verdict) => verdict === wanted).length;
    const parts = [
      `${count('added')} added`,
      count('known') > 0 && `${count('known')} known`,
      count('foreign') > 0 && `${count('foreign')} of hosts of other nodes`,
      count('over-budget') > 0 && `${count('over-budget')} over the budget of their host`,
      refused.length > 0 && `${refused.length} refused (${refused.slice(0, URLS_TOLD).join('; ')})`,
    ];
    return { outcome: parts.filter((part) => part !== false).join(', '), isNew: count('added') > 0 };
  }

  async #requeue(urls: readonly string[], since: number): Promise<string> {
    const counts = new Map<string, number>();
    for (const text of urls) {
      const became = await this.#requeueOne(text, since);
      counts.set(became, (counts.get(became) ?? 0) + 1);
    }
    return [...counts].map(([became, count]) => (urls.length === 1 ? became : `${count} ${became}`)).join(', ');
  }

  async #requeueOne(text: string, since: number): Promise<string> {
    const { state, scheduler, urlOptions } = this.#run as ControlledRun;
    const url = normalizeUrl(text, urlOptions);
    const page = url === undefined ? undefined : await state.pages.page(url);
    if (url === undefined || page === undefined) return 'not known: submit it';
    if (page.state === 'refused-link') return 'refused by a rule: submit it, or change the rule';
    if (page.state === 'leased') return 'is being asked for';
    if (page.visitedAt === undefined) return 'waits already';
    if ((await state.retry(() => true, [url])) > 0) return 'asked for once more';
    if (scheduler === undefined)
      return page.outcome?.kind === 'stored' || page.outcome?.kind === 'duplicate'
        ? 'stored: this crawl visits a page once; crawl --again or --continuous visits it once more'
        : 'waits already';
    await scheduler.ordered(url, since);
    return 'asked for once more';
  }
}

const NO_URL: FilterVerdict = { admit: false, by: 'scope', rule: 'not a URL that can be fetched' };

function submittedTask(url: CanonicalUrl): CrawlTask {
  const discovery = { how: 'push' as const };
  return { url, host: hostKeyOf(url), depth: 0, redirects: 0, lane: 0, discovery, purpose: 'page' };
}
