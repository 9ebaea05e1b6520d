import type { Clock } from '../../base/clock.ts';
import type { ControlStore } from '../../contracts/crawl-control.ts';
import type { CrawlSample, MonitorReader } from '../../contracts/state/monitor.ts';
import type { StateReader } from '../../contracts/state/state-reader.ts';
import { archiveFolder } from '../../crawl/crawl-folder.ts';
import type { LearnedStateSnapshot } from '../../crawl/learning/learned-state.ts';
import { readQuality } from '../../crawl/quality/quality-file.ts';
import { describeHostTrouble, type UnreachableLimits } from '../../crawl/report/describe-host-trouble.ts';
import type { RunRecord } from '../../crawl/report/run-record.ts';
import type { RevisitSchedulerSnapshot } from '../../crawl/revisits/revisit-scheduler.ts';
import { openControl } from '../../engines/open-control.ts';
import { openMonitorReader } from '../../engines/open-monitor.ts';
import { openStateReader } from '../../engines/open-reader.ts';
import type { CrawlLook, CrawlWatch, MonitorLook } from './crawl-watch.ts';
import { lastVisits } from './last-visits.ts';
import { SharedLook } from './shared-look.ts';

const HOSTS_SHOWN = 10;
const LEARNT_SHOWN = 10;
const VISITS_SHOWN = 15;
const TROUBLES_SHOWN = 15;
/** Sums are one row each: what they cost does not grow with the crawl, so they are fresh whatever the rest costs. */
const LOOK_AGE_MS = 250;
const LOOK_COST_SHARE = 1;
/** The record of the run holds all seeds: of 20,000 it is 1.5 MB. */
const RUN_AGE_MS = 250;
const RUN_COST_SHARE = 0.005;
/** Goes through all hosts. */
const HOSTS_AGE_MS = 900;
/** What was learnt is written down every ten seconds, and may be large. */
const LEARNT_AGE_MS = 10_000;
/** Of the time of a processor. With many hosts their lists are made less often. */
const COST_SHARE = 0.01;
/** Old samples are thinned by the crawl: what was read is forgotten now and then. */
const SAMPLES_AGE_MS = 120_000;

type Hosts = Pick<CrawlLook, 'standing' | 'busiest' | 'slowest' | 'waiting' | 'waitingHosts'>;
type Learnt = Pick<CrawlLook, 'held' | 'mirrors' | 'spamHosts' | 'upkeep' | 'quality'>;

/** Looks at a crawl folder, beside the crawl that runs in it. Several readers share one look; one that was costly is shared for longer. */
export class FolderWatch implements CrawlWatch, Disposable {
  readonly #folder: string;
  readonly #state: StateReader;
  #monitor: MonitorReader | undefined;
  #samples: CrawlSample[] = [];
  readonly #look: SharedLook<CrawlLook>;
  readonly #run: SharedLook<RunRecord | undefined>;
  readonly #hosts: SharedLook<Hosts>;
  readonly #learnt: SharedLook<Learnt>;
  readonly #allSamples: SharedLook<void>;
  readonly #control: ControlStore;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#state = openStateReader(folder);
    this.#look = new SharedLook(clock, LOOK_AGE_MS, (at) => this.#lookNow(at), LOOK_COST_SHARE);
    this.#run = new SharedLook(clock, RUN_AGE_MS, async () => this.#state.read<RunRecord>('run'), RUN_COST_SHARE);
    this.#hosts = new SharedLook(clock, HOSTS_AGE_MS, (at) => this.#lookAtHosts(at), COST_SHARE);
    this.#learnt = new SharedLook(clock, LEARNT_AGE_MS, async () => this.#whatWasLearnt(), COST_SHARE);
    this.#allSamples = new SharedLook(clock, SAMPLES_AGE_MS, async () => {
      this.#samples = [];
    });
    this.#control = openControl(folder);
  }

  look(): Promise<CrawlLook> {
    return this.#look.take();
  }

  [Symbol.dispose](): void {
    this.#state[Symbol.dispose]();
    this.#monitor?.[Symbol.dispose]();
    this.#control[Symbol.dispose]();
  }

  async #lookNow(at: number): Promise<CrawlLook> {
    const run = await this.#run.take();
    return {
      at,
      ...(run === undefined ? {} : { startedAt: run.startedAt, requestsBefore: run.requestsBefore ?? 0 }),
      ...(run?.endedAt === undefined ? {} : { ended: { at: run.endedAt, why: run.ended ?? 'ended' } }),
      ...this.#paused(),
      totals: await this.#state.pages.totals(),
      ...this.#state.queueCounts(),
      ...(await this.#hosts.take()),
      ...(await this.#learnt.take()),
      visits: lastVisits(archiveFolder(this.#folder), this.#newestFile(), VISITS_SHOWN),
      ...(await this.#whatWasNoted()),
    };
  }

  async #lookAtHosts(at: number): Promise<Hosts> {
    const { hosts } = this.#state;
    const standing = hosts.standing(at);
    return {
      standing,
      busiest: hosts.busiest(HOSTS_SHOWN).filter(({ queued }) => queued > 0),
      slowest: hosts.slowest(HOSTS_SHOWN),
      // Mostly there are none, and then all hosts need not be gone through again.
      ...(standing.held + standing.parked === 0
        ? { waiting: [], waitingHosts: 0 }
        : this.#hostsInTrouble(at, (await this.#run.take())?.unreachable)),
    };
  }

  #paused(): Pick<CrawlLook, 'pausedAt'> {
    const { pausedAt } = this.#control.state();
    return pausedAt === undefined ? {} : { pausedAt };
  }

  /** The latest trouble first. */
  #hostsInTrouble(at: number, limits: UnreachableLimits | undefined): Pick<CrawlLook, 'waiting' | 'waitingHosts'> {
    const { count, hosts } = this.#state.hosts.inTrouble(at, HOSTS_SHOWN);
    return {
      waitingHosts: count,
      waiting: hosts.map((host) => ({ ...host, ...describeHostTrouble(host, at, limits) })),
    };
  }

  #whatWasLearnt(): Learnt {
    const learnedState = this.#state.read<LearnedStateSnapshot>('lessons');
    const upkeep = this.#state.read<RevisitSchedulerSnapshot>('upkeep');
    const quality = readQuality(this.#folder);
    const held = (learnedState?.patterns ?? []).filter(({ state }) => state.startsWith('held'));
    return {
      held: held.slice(0, LEARNT_SHOWN).map(({ pattern, reason, known, visits }) => ({
        ...{ pattern, known, visits },
        ...(reason === undefined ? {} : { reason }),
      })),
      mirrors: (learnedState?.mirrors ?? [])
        .slice(0, LEARNT_SHOWN)
        .map(({ mirror, original, why }) => ({ mirror, original, why })),
      spamHosts: learnedState?.spamHosts.length ?? 0,
      ...(upkeep === undefined ? {} : { upkeep: { policy: upkeep.policy, forecast: upkeep.forecast } }),
      ...(quality === undefined ? {} : { quality }),
    };
  }

  async #whatWasNoted(): Promise<{ readonly monitor?: MonitorLook }> {
    // The file of a new crawl comes with its first second.
    this.#monitor ??= openMonitorReader(this.#folder);
    if (this.#monitor === undefined) return {};
    await this.#allSamples.take();
    try {
      const last = this.#samples.at(-1);
      // Only what is new is read; a clock that was set back makes that everything.
      this.#samples = [...this.#samples, ...this.#monitor.samples(last?.at)];
      const politeness = this.#monitor.politeness();
      const load = this.#monitor.load();
      return {
        monitor: {
          samples: this.#samples,
          statuses: this.#monitor.statuses(),
          troubles: this.#monitor.troubles(TROUBLES_SHOWN),
          ...(politeness === undefined ? {} : { politeness }),
          ...(load === undefined ? {} : { load }),
          tightest: this.#monitor.tightest(HOSTS_SHOWN),
        },
      };
    } catch {
      // Damaged, or replaced by the next run: opened again with the next look.
      this.#monitor[Symbol.dispose]();
      this.#monitor = undefined;
      return {};
    }
  }

  /** With how much of its list of visits is settled. */
  #newestFile(): { readonly name: string; readonly indexEnd: number } | undefined {
    const newest = [...this.#state.archiveFiles()].at(-1);
    return newest && { name: newest[0], indexEnd: newest[1].indexEnd };
  }
}
