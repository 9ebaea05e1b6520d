import type { Clock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import type { Settings } from '../base/settings/schema.ts';
import { userAgentOf } from '../base/settings/user-agent.ts';
import type { CrawlOrder } from '../contracts/crawl-order.ts';
import type { CrawlTask, RefusedBy } from '../contracts/crawl-task.ts';
import type { CrawlEvents, CrawlProgress } from '../contracts/events.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import type { UrlFilter } from '../contracts/url-filter.ts';
import type { SqliteState } from '../engines/sqlite/sqlite-state.ts';
import { createFilterChain } from '../scope/filter-chain.ts';
import { hostKeyOf } from '../url/host-key.ts';
import { normalizeUrl } from '../url/normalize.ts';
import { Conductor, type EndReason } from './conductor.ts';
import type { Crawl, CrawlSummary } from './crawl.ts';
import { rememberDomains } from './domain-of-host.ts';
import type { EventHub } from './event-hub.ts';
import { type KeptLessons, Lessons } from './lessons.ts';
import { NewHostPace } from './new-host-pace.ts';
import { type KeptFocus, type OpenedFocus, openFocus } from './open-focus.ts';
import { type OpenedUpkeep, openUpkeep } from './open-upkeep.ts';
import type { CrewReports, PageCrew } from './page-crew.ts';
import { PageWeights } from './page-weights.ts';
import { PushInbox } from './push-inbox.ts';
import { neverAgain } from './revisit-rule.ts';
import type { RunRecord } from './run-record.ts';
import { rulesKeyOf, topicKeyOf } from './settings-to-parts.ts';
import { WebhookSender } from './webhooks.ts';

export interface FolderCrawlParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly random: () => number;
  readonly state: SqliteState;
  readonly hire: (reports: CrewReports) => PageCrew;
  readonly order: CrawlOrder;
  /** Main texts of sample pages. */
  readonly fetchTexts: (urls: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, string>>;
  readonly events: EventHub<CrawlEvents>;
  readonly clock: Clock;
  /** How the folder was crawled before; for a new one what this run begins with. */
  readonly run: RunRecord;
  /** Closes everything that was opened, last first. */
  readonly close: () => Promise<void>;
}

/** What a run decides by, and has learnt. */
interface Learnt {
  readonly lessons: Lessons;
  readonly filter: UrlFilter;
  readonly inbox: PushInbox;
  readonly upkeep?: OpenedUpkeep;
  readonly focus?: OpenedFocus;
}

const TEND_EVERY_MS = 5000;
const HEAR_EVERY_MS = 1000;

/** One crawl in its folder, from seeds to summary. */
export class FolderCrawl implements Crawl {
  readonly #parts: FolderCrawlParts;
  #run: RunRecord;
  #conductor: Conductor | undefined;
  readonly #stopped = new AbortController();
  #stopping = false;
  #tendedAt = 0;
  #heardAt = 0;

  constructor(parts: FolderCrawlParts) {
    this.#parts = parts;
    this.#run = parts.run;
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  async addSeeds(urls: readonly string[]): Promise<void> {
    const { state, order } = this.#parts;
    const seeds = urls.map((url) => this.#seedOf(url));
    this.#remember({ seeds: [...new Set([...this.#run.seeds, ...seeds])] });
    await state.frontier.add(seeds.map((url) => seedTask(url, order)));
    this.#conductor?.notice();
  }

  async hasWork(): Promise<boolean> {
    return (await this.#parts.state.frontier.counts()).known > 0;
  }

  async run(): Promise<CrawlSummary> {
    const { state, clock } = this.#parts;
    const began = performance.now();
    const cpu = process.cpuUsage();
    const ended = await this.#conduct();
    this.#remember({ endedAt: clock.now(), ended });
    const { user, system } = process.cpuUsage(cpu);
    return {
      ended,
      ...(await state.pages.totals()),
      seconds: (performance.now() - began) / 1000,
      cpuSeconds: (user + system) / 1e6,
      maxRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
      frontier: await state.frontier.counts(),
    };
  }

  async #conduct(): Promise<EndReason> {
    const filter = createFilterChain(this.#parts.settings, this.#run.seeds, this.#parts.clock);
    const lessons = this.#makeLessons(filter);
    using weights = new PageWeights(this.#parts.folder, this.#parts.clock);
    const upkeep = await this.#openUpkeep(weights);
    const focus = await this.#openFocus();
    const inbox = this.#openInbox();
    const learnt: Learnt = { lessons, filter, inbox, ...(upkeep && { upkeep }), ...(focus && { focus }) };
    if (this.#parts.order.moves) this.#parts.order.restore(this.#parts.state.frontier.waiting());
    await using webhooks = this.#makeWebhooks();
    webhooks.start();
    await using conductor = await this.#makeConductor(filter, learnt);
    this.#conductor = conductor;
    if (this.#stopping) conductor.stop();
    const ended = await conductor.run();
    lessons.save();
    upkeep?.upkeep.save();
    focus?.save();
    return ended;
  }

  #makeWebhooks(): WebhookSender {
    const { settings, state, clock, random, folder, events } = this.#parts;
    const named = (url: string): string => `webhook ${url}`;
    return new WebhookSender({
      urls: settings.webhook,
      secret: settings.webhookSecret,
      crawl: folder,
      userAgent: userAgentOf(settings, this.#run.version),
      log: state.changes,
      position: (url) => ({
        read: () => state.read<number>(named(url)),
        write: (number) => state.write(named(url), number),
      }),
      clock,
      random,
      onTrouble: (message) => events.emit('warning', { code: 'WEBHOOK', message }),
    });
  }

  #openInbox(): PushInbox {
    const { state, folder } = this.#parts;
    return new PushInbox(folder, state.read<number>('push') ?? 0, (place) => state.write('push', place));
  }

  #openFocus(): Promise<OpenedFocus | undefined> {
    const { settings, state, fetchTexts, events } = this.#parts;
    return openFocus({
      settings,
      kept: state.read<KeptFocus>('focus'),
      write: (focus) => state.write('focus', focus),
      fetchTexts: (urls) => fetchTexts(urls, this.#stopped.signal),
      onMissing: (urls) => {
        const message = `These sample pages could not be had: ${urls.join(' ')}`;
        events.emit('warning', { code: 'SAMPLE_MISSING', message });
      },
    });
  }

  /** Looks after what takes no part in the single visit. True where URLs were let in. */
  async #tend(learnt: Learnt, last?: boolean): Promise<boolean> {
    const { lessons, upkeep, focus } = learnt;
    const { order, state, clock } = this.#parts;
    upkeep?.upkeep.tend();
    if (clock.now() - this.#tendedAt >= TEND_EVERY_MS) {
      this.#tendedAt = clock.now();
      const moves = order.moves ? order.tend(clock.now()) : [];
      if (moves.length > 0) await state.frontier.move(moves);
      focus?.save();
    }
    const pushed = await this.#hearPushes(learnt);
    return (await lessons.tend(last)) || pushed;
  }

  /** What others have told of: new URLs come in like links, known ones are visited sooner. True where some came in. */
  async #hearPushes({ inbox, filter, upkeep }: Learnt): Promise<boolean> {
    const { state, order, clock } = this.#parts;
    if (clock.now() - this.#heardAt < HEAR_EVERY_MS) return false;
    this.#heardAt = clock.now();
    const tasks = inbox.take().flatMap((told) => {
      const url = normalizeUrl(told, this.#run.urlOptions);
      return url === undefined ? [] : [pushedTask(url)];
    });
    if (tasks.length === 0) return false;
    const wanted = tasks.filter((task) => filter.judge(task).admit);
    const verdicts = await state.frontier.add(wanted.map((task) => ({ ...task, ...order.place(task) })));
    for (let at = 0; at < wanted.length; at++)
      if (verdicts[at] === 'known') await upkeep?.upkeep.pushed(wanted[at].url);
    return verdicts.includes('added');
  }

  /** What was crawled without a thought of later visits gets them now. */
  async #openUpkeep(weights: PageWeights): Promise<OpenedUpkeep | undefined> {
    const { settings, state, clock, random } = this.#parts;
    if (!settings.continuous) return undefined;
    const opened = openUpkeep({ settings, state, clock, random, weightOf: (url) => weights.of(url) });
    await state.planVisits((page) => opened.rule.begin(page, clock.now()));
    return opened;
  }

  stop(): void {
    this.#stopping = true;
    this.#stopped.abort();
    this.#conductor?.stop();
  }

  async progress(): Promise<CrawlProgress> {
    if (this.#conductor !== undefined) return this.#conductor.progress();
    const none = {
      elapsedMs: 0,
      pages: 0,
      requests: 0,
      bytes: 0,
      failed: 0,
      refused: 0,
      pagesPerSecond: 0,
      inFlight: 0,
    };
    return { ...none, frontier: await this.#parts.state.frontier.counts() };
  }

  on<Name extends keyof CrawlEvents>(name: Name, listener: (event: CrawlEvents[Name]) => void): Disposable {
    return this.#parts.events.on(name, listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.close();
  }

  /** Seeds decide on the scope, so the rules are made when the run begins. */
  async #makeConductor(filter: UrlFilter, learnt: Learnt): Promise<Conductor> {
    const { lessons, upkeep, focus } = learnt;
    const { settings, state, hire, order, clock, events } = this.#parts;
    const rules = rulesKeyOf(settings, this.#run.seeds);
    const topic = topicKeyOf(settings);
    const before = this.#run;
    if (before.rules !== '' && before.rules !== rules) {
      const lets = (by: RefusedBy): boolean => by !== 'topic' && (by !== 'directive' || settings.followNofollow);
      await state.reconsider((task, by) => lets(by) && filter.judge(task).admit);
    }
    // What another topic left aside may be on this one.
    if ((before.topic ?? '') !== topic) await state.reconsider((task) => filter.judge(task).admit, ['topic']);
    const duplicatesOf = [...new Set([...(this.#run.duplicatesOf ?? []), ...settings.duplicatesOf])];
    this.#remember({ rules, topic, startedAt: clock.now(), ...(duplicatesOf.length === 0 ? {} : { duplicatesOf }) });
    const { pages, bytes } = await state.pages.totals();
    return new Conductor({
      frontier: state.frontier,
      hire,
      rules: {
        urlOptions: this.#run.urlOptions,
        filter,
        order,
        revisit: upkeep?.rule ?? neverAgain,
        maxRedirects: settings.maxRedirects,
        learnt: (task) => lessons.judgeLink(task),
      },
      discernment: lessons.discernment,
      pace: new NewHostPace(rememberDomains()),
      holds: (task) => lessons.holds(task),
      tend: (last) => this.#tend(learnt, last),
      ...(upkeep === undefined ? {} : { upkeep: upkeep.upkeep }),
      ...(focus === undefined ? {} : { focus: focus.focus }),
      clock,
      events,
      limits: { maxPages: settings.maxPages, maxBytes: settings.maxBytes, maxDurationMs: settings.maxDuration },
      before: { pages, bytes },
      concurrency: settings.concurrency,
    });
  }

  #makeLessons(filter: UrlFilter): Lessons {
    const { settings, state, clock, folder, random } = this.#parts;
    return new Lessons({
      folder,
      settings,
      seeds: this.#run.seeds,
      clock,
      random,
      likenesses: state.likenesses,
      filter,
      read: () => state.read<KeptLessons>('lessons'),
      write: (lessons) => state.write('lessons', lessons),
      reconsider: (admits, reasons) => state.reconsider(admits, reasons),
    });
  }

  #remember(change: Partial<RunRecord>): void {
    this.#run = { ...this.#run, ...change };
    this.#parts.state.write('run', this.#run);
  }

  #seedOf(text: string): CanonicalUrl {
    const url = normalizeUrl(text, this.#run.urlOptions);
    if (url !== undefined) return url;
    throw new OrbweaverError('SEED_INVALID', `${text} is not an http or https URL.`, {
      remedy: 'Write seeds as https://example.org/path.',
    });
  }
}

function pushedTask(url: CanonicalUrl): CrawlTask {
  const discovery = { how: 'push' as const };
  return { url, host: hostKeyOf(url), depth: 0, redirects: 0, lane: 0, discovery, purpose: 'page' };
}

/** Seeds come first, whatever the order makes of them. */
function seedTask(url: CanonicalUrl, order: CrawlOrder): CrawlTask {
  const discovery = { how: 'seed' as const };
  const task = { url, host: hostKeyOf(url), depth: 0, redirects: 0, lane: 0, discovery, purpose: 'page' as const };
  const { why } = order.place(task);
  return { ...task, ...(why === undefined ? {} : { why }) };
}
