import type { Clock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import type { Settings } from '../base/settings/schema.ts';
import type { CrawlTask } from '../contracts/crawl-task.ts';
import type { CrawlEvents, CrawlProgress } from '../contracts/events.ts';
import type { Prioritizer } from '../contracts/policies.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import type { UrlFilter } from '../contracts/url-filter.ts';
import type { SqliteState } from '../engines/sqlite/sqlite-state.ts';
import { oneShot } from '../revisit/one-shot.ts';
import { createFilterChain } from '../scope/filter-chain.ts';
import { hostKeyOf } from '../url/host-key.ts';
import { normalizeUrl } from '../url/normalize.ts';
import { Conductor, type EndReason } from './conductor.ts';
import type { Crawl, CrawlSummary } from './crawl.ts';
import { rememberDomains } from './domain-of-host.ts';
import type { EventHub } from './event-hub.ts';
import { type KeptLessons, Lessons } from './lessons.ts';
import { NewHostPace } from './new-host-pace.ts';
import type { CrewReports, PageCrew } from './page-crew.ts';
import type { RunRecord } from './run-record.ts';
import { rulesKeyOf } from './settings-to-parts.ts';

export interface FolderCrawlParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly random: () => number;
  readonly state: SqliteState;
  readonly hire: (reports: CrewReports) => PageCrew;
  readonly prioritizer: Prioritizer;
  readonly events: EventHub<CrawlEvents>;
  readonly clock: Clock;
  /** How the folder was crawled before; for a new one what this run begins with. */
  readonly run: RunRecord;
  /** Closes everything that was opened, last first. */
  readonly close: () => Promise<void>;
}

/** One crawl in its folder, from seeds to summary. */
export class FolderCrawl implements Crawl {
  readonly #parts: FolderCrawlParts;
  #run: RunRecord;
  #conductor: Conductor | undefined;
  #stopping = false;

  constructor(parts: FolderCrawlParts) {
    this.#parts = parts;
    this.#run = parts.run;
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  async addSeeds(urls: readonly string[]): Promise<void> {
    const { state, prioritizer } = this.#parts;
    const seeds = urls.map((url) => this.#seedOf(url));
    this.#remember({ seeds: [...new Set([...this.#run.seeds, ...seeds])] });
    await state.frontier.add(seeds.map((url) => seedTask(url, prioritizer.lane(0))));
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
    await using conductor = await this.#makeConductor(filter, lessons);
    this.#conductor = conductor;
    if (this.#stopping) conductor.stop();
    const ended = await conductor.run();
    lessons.save();
    return ended;
  }

  stop(): void {
    this.#stopping = true;
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
  async #makeConductor(filter: UrlFilter, lessons: Lessons): Promise<Conductor> {
    const { settings, state, hire, prioritizer, clock, events } = this.#parts;
    const rules = rulesKeyOf(settings, this.#run.seeds);
    if (this.#run.rules !== '' && this.#run.rules !== rules) {
      await state.reconsider((task, by) => (by !== 'directive' || settings.followNofollow) && filter.judge(task).admit);
    }
    const duplicatesOf = [...new Set([...(this.#run.duplicatesOf ?? []), ...settings.duplicatesOf])];
    this.#remember({ rules, startedAt: clock.now(), ...(duplicatesOf.length === 0 ? {} : { duplicatesOf }) });
    const { pages, bytes } = await state.pages.totals();
    return new Conductor({
      frontier: state.frontier,
      hire,
      rules: {
        urlOptions: this.#run.urlOptions,
        filter,
        prioritizer,
        revisit: oneShot,
        maxRedirects: settings.maxRedirects,
        learnt: (task) => lessons.judgeLink(task),
      },
      discernment: lessons.discernment,
      pace: new NewHostPace(rememberDomains()),
      holds: (task) => lessons.holds(task),
      tend: (last) => lessons.tend(last),
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

function seedTask(url: CanonicalUrl, lane: number): CrawlTask {
  return { url, host: hostKeyOf(url), depth: 0, redirects: 0, lane, discovery: { how: 'seed' }, purpose: 'page' };
}
