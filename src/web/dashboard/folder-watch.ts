import type { Clock } from '../../base/clock.ts';
import type { ControlStore } from '../../contracts/crawl-control.ts';
import type { StateReader } from '../../contracts/state/state-reader.ts';
import { archiveFolder } from '../../crawl/crawl-folder.ts';
import type { LearnedStateSnapshot } from '../../crawl/learning/learned-state.ts';
import { describeHostTrouble, type UnreachableLimits } from '../../crawl/report/describe-host-trouble.ts';
import type { RunRecord } from '../../crawl/report/run-record.ts';
import type { RevisitSchedulerSnapshot } from '../../crawl/revisits/revisit-scheduler.ts';
import { openControl } from '../../engines/open-control.ts';
import { openStateReader } from '../../engines/open-reader.ts';
import type { CrawlLook, CrawlWatch } from './crawl-watch.ts';
import { lastVisits } from './last-visits.ts';

const HOSTS_SHOWN = 10;
const LEARNT_SHOWN = 10;
const VISITS_SHOWN = 15;
/** Several readers share one look; one that was costly is shared for longer. */
const LEAST_AGE_MS = 1000;
const COST_SHARE = 20;
/** What was learnt is written down every ten seconds, and may be large. */
const LEARNT_AGE_MS = 10_000;

type Learnt = Pick<CrawlLook, 'held' | 'mirrors' | 'spamHosts' | 'upkeep'>;

/** Looks at a crawl folder, beside the crawl that runs in it. */
export class FolderWatch implements CrawlWatch, Disposable {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #state: StateReader;
  readonly #control: ControlStore;
  #last: { readonly look: Promise<CrawlLook>; readonly goodUntil: number } | undefined;
  #learnt: { readonly value: Learnt; readonly at: number } | undefined;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
    this.#state = openStateReader(folder);
    this.#control = openControl(folder);
  }

  look(): Promise<CrawlLook> {
    const now = this.#clock.now();
    if (this.#last !== undefined && now < this.#last.goodUntil) return this.#last.look;
    const look = this.#lookNow(now).finally(() => {
      this.#last = { look, goodUntil: now + Math.max(LEAST_AGE_MS, (this.#clock.now() - now) * COST_SHARE) };
    });
    this.#last = { look, goodUntil: Number.POSITIVE_INFINITY };
    return look;
  }

  [Symbol.dispose](): void {
    this.#state[Symbol.dispose]();
    this.#control[Symbol.dispose]();
  }

  async #lookNow(at: number): Promise<CrawlLook> {
    const run = this.#state.read<RunRecord>('run');
    return {
      at,
      ...(run === undefined ? {} : { startedAt: run.startedAt, requestsBefore: run.requestsBefore ?? 0 }),
      ...(run?.endedAt === undefined ? {} : { ended: { at: run.endedAt, why: run.ended ?? 'ended' } }),
      ...this.#paused(),
      totals: await this.#state.pages.totals(),
      ...this.#state.queueCounts(),
      busiest: this.#state.hosts.busiest(HOSTS_SHOWN).filter(({ queued }) => queued > 0),
      slowest: this.#state.hosts.slowest(HOSTS_SHOWN),
      ...this.#hostsInTrouble(at, run?.unreachable),
      ...this.#whatWasLearnt(at),
      visits: lastVisits(archiveFolder(this.#folder), this.#newestFile(), VISITS_SHOWN),
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

  #whatWasLearnt(at: number): Learnt {
    if (this.#learnt !== undefined && at - this.#learnt.at < LEARNT_AGE_MS) return this.#learnt.value;
    const learnedState = this.#state.read<LearnedStateSnapshot>('lessons');
    const upkeep = this.#state.read<RevisitSchedulerSnapshot>('upkeep');
    const held = (learnedState?.patterns ?? []).filter(({ state }) => state.startsWith('held'));
    const value: Learnt = {
      held: held.slice(0, LEARNT_SHOWN).map(({ pattern, reason, known, visits }) => ({
        ...{ pattern, known, visits },
        ...(reason === undefined ? {} : { reason }),
      })),
      mirrors: (learnedState?.mirrors ?? [])
        .slice(0, LEARNT_SHOWN)
        .map(({ mirror, original, why }) => ({ mirror, original, why })),
      spamHosts: learnedState?.spamHosts.length ?? 0,
      ...(upkeep === undefined ? {} : { upkeep: { policy: upkeep.policy, forecast: upkeep.forecast } }),
    };
    this.#learnt = { value, at };
    return value;
  }

  /** With how much of its list of visits is settled. */
  #newestFile(): { readonly name: string; readonly indexEnd: number } | undefined {
    const newest = [...this.#state.archiveFiles()].at(-1);
    return newest && { name: newest[0], indexEnd: newest[1].indexEnd };
  }
}
