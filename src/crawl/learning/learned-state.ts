import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { SpamScore } from '../../contracts/content/spam.ts';
import type { CrawlTask, RefusedBy } from '../../contracts/crawl-task.ts';
import type { SketchKeeper } from '../../contracts/state/sketch-keeper.ts';
import type { PatternReport, TrapGuard } from '../../contracts/trap-guard.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { UrlFilter } from '../../contracts/url-filter.ts';
import { MirrorFinder, type MirrorPair } from '../../dedupe/mirrors/mirror-finder.ts';
import { NearIndex } from '../../dedupe/near/near-index.ts';
import { SoftNotFound } from '../../dedupe/soft-not-found/soft-not-found.ts';
import { DomainBudgets } from '../../frontier/domain-budgets.ts';
import { HostSpam } from '../../rank/spam/host-spam.ts';
import { LinkFarmWatch } from '../../rank/spam/link-farm.ts';
import { LearningGuard } from '../../scope/traps/learning-guard.ts';
import { FormFiller } from '../../seeds/forms/form-filler.ts';
import { formHosts } from '../../seeds/forms/form-hosts.ts';
import { rememberDomains } from '../../url/domain-of-host.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import type { HeldBackReason, HeldBackUrls } from '../crawl.ts';
import { domainBudgetsOf, guardOptionsOf, urlOptionsOf } from '../settings-to-parts.ts';
import { type CloakedPage, CloakingChecks } from '../visit/cloaking-checks.ts';
import { FormVisits } from './form-visits.ts';
import { LearningJournal } from './learning-journal.ts';
import { NearDuplicates } from './near-duplicates.ts';
import { type HeldBack, PageClassifier, type PageClassifierParts } from './page-classifier.ts';
import { readSwitches, type Switches, switchesTurnedAt } from './switches.ts';

/** What a crawl folder remembers of what was learnt; kept in the state under the name 'lessons'. */
export interface LearnedStateSnapshot {
  /** What each part needs to go on. */
  readonly parts: Readonly<Record<string, unknown>>;
  /** What people are shown. */
  readonly patterns: readonly PatternReport[];
  readonly mirrors: readonly MirrorPair[];
  /** What was overruled when this was written. */
  readonly switches?: { readonly traps: readonly string[]; readonly mirrors: readonly string[] };
  /** Hosts that count as spam. */
  readonly spamHosts: readonly { readonly host: string; readonly spam: SpamScore }[];
  /** Pages that a browser is sent another text for. */
  readonly cloaked?: readonly CloakedPage[];
}

export interface LearnedStateParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly seeds: readonly CanonicalUrl[];
  readonly clock: Clock;
  readonly random: () => number;
  readonly sketches: SketchKeeper;
  readonly filter: UrlFilter;
  readonly read: () => LearnedStateSnapshot | undefined;
  /** What was learnt since that was written; see learning-journal.ts. */
  readonly journal: () => Iterable<Uint8Array>;
  /** Writes what was learnt, in place of the journal up to now. */
  readonly write: (learnedState: LearnedStateSnapshot) => void;
  /** Rises whenever there is more that others have held back. */
  readonly arrivals: () => number;
  /** Judges what is held back again; what it admits comes in. */
  readonly reconsider: (admits: (task: CrawlTask) => boolean, reasons: readonly RefusedBy[]) => Promise<number>;
}

/** Snapshots keep the journal short. What the journal leaves out, scores of spam, is lost with a crash and learnt again. */
const SAVE_EVERY_MS = 10_000;
/** Saving may take one part in this many of the time, however much there is to save. */
const SAVING_SHARE = 200;
const LOOK_EVERY_MS = 1000;
/** The same for looking through what is held back. */
const LOOKING_SHARE = 50;
/** What the crawl itself has learnt, and may unlearn. */
const REVERSIBLE: readonly RefusedBy[] = ['trap', 'mirror', 'budget'];
const HELD: readonly RefusedBy[] = ['trap', 'budget'];
const PATTERNS_SHOWN = 500;
const SPAM_HOSTS_SHOWN = 1000;

/** What one part keeps between runs. */
interface Keeps {
  snapshot(): unknown;
  restore(snapshot: unknown): void;
}

/** Makes the learners of a crawl, keeps what they have learnt across runs, and hears what people have overruled. */
export class LearnedState {
  readonly classifier: PageClassifier;
  /** Absent where no forms are filled in. */
  readonly forms: FormVisits | undefined;
  /** What the settlements under way have taught. */
  readonly journal: LearningJournal;
  readonly #parts: LearnedStateParts;
  readonly #learners: PageClassifierParts;
  /** One URL of each reason to hold back: when that one is let in, the others are looked at as well. */
  readonly #examples = new Map<string, CrawlTask>();
  readonly #filler: FormFiller | undefined;
  #farmHosts: readonly string[] = [];
  #turnedAt: number | undefined;
  #turnedTraps: readonly string[] = [];
  #turnedMirrors: readonly string[] = [];
  #looked = Number.NEGATIVE_INFINITY;
  #arrivals = 0;
  #lookEveryMs = LOOK_EVERY_MS;
  #saved: number;
  #saveEveryMs = SAVE_EVERY_MS;

  constructor(parts: LearnedStateParts) {
    this.#parts = parts;
    this.journal = new LearningJournal(parts.clock);
    this.#learners = makeLearners(parts, this.journal);
    this.classifier = new PageClassifier(this.#learners);
    this.#filler = fillerOf(parts.settings);
    this.forms = formVisitsOf(this.#filler, this.journal, parts.settings);
    const kept = parts.read();
    for (const [name, learner] of this.#keepers()) {
      if (kept?.parts[name] !== undefined) learner.restore(kept.parts[name]);
    }
    this.#turnedTraps = kept?.switches?.traps ?? [];
    this.#turnedMirrors = kept?.switches?.mirrors ?? [];
    // Before the replay: what is new on their hosts counts otherwise than elsewhere.
    for (const seed of parts.seeds) this.exempt(seed);
    const { mirrors, guard, notFound, budgets } = this.#learners;
    this.journal.replay(parts.journal(), {
      guard,
      mirrors,
      notFound,
      budgets,
      standIns: mirrors?.standIns,
      forms: this.#filler,
    });
    this.#saved = parts.clock.now();
    this.#hearSwitches();
  }

  /** Domains of seeds have no budget, and what is new on hosts of seeds is never held against them. */
  exempt(seed: CanonicalUrl): void {
    const { budgets, guard, domainOf } = this.#learners;
    const host = hostKeyOf(seed);
    budgets?.exempt(domainOf(host), host);
    guard?.wants(seed);
  }

  /** What the crawl has learnt of a link. */
  judgeLink(task: CrawlTask): HeldBack | undefined {
    return this.#remember(this.classifier.judgeLink(task), task);
  }

  /** Why a URL whose turn has come is not asked for. */
  holds(task: CrawlTask): HeldBack | undefined {
    return this.#remember(this.classifier.holds(task), task);
  }

  /** Looks after what takes no part in the single visit. True where URLs were let in; `last`: nothing else is left. */
  async maintain(last = false): Promise<boolean> {
    const now = this.#parts.clock.now();
    let letIn = false;
    if (last || Math.abs(now - this.#looked) >= this.#lookEveryMs) {
      // What was held back in an earlier run may have been let go since.
      const first = this.#looked === Number.NEGATIVE_INFINITY;
      this.#looked = now;
      if (last) this.#learners.guard?.freeSamples();
      const arrivals = this.#parts.arrivals();
      // What another has held back, who knew other pages, is judged by what is known here.
      const someArrived = arrivals !== this.#arrivals;
      this.#arrivals = arrivals;
      if (this.#hearSwitches() || first || someArrived || this.#someLetIn()) letIn = await this.#letIn();
    }
    if (Math.abs(now - this.#saved) >= this.#saveEveryMs) this.save();
    return letIn;
  }

  /** What is held back as things stand, read from the state. */
  async heldBack(): Promise<HeldBackUrls> {
    const reasons = new Map<string, HeldBackReason>();
    let urls = 0;
    await this.#parts.reconsider((task) => {
      const held = this.#parts.filter.judge(task).admit ? this.classifier.holds(task) : undefined;
      if (held === undefined || (held.by !== 'trap' && held.by !== 'budget')) return false;
      const { by, rule, pattern } = held;
      const known = reasons.get(rule)?.urls ?? 0;
      reasons.set(rule, { by, rule, urls: known + 1, ...(pattern === undefined ? {} : { pattern }) });
      urls++;
      return false;
    }, HELD);
    return { urls, reasons: [...reasons.values()].sort((a, b) => b.urls - a.urls).slice(0, PATTERNS_SHOWN) };
  }

  save(): void {
    const { guard, mirrors, hostSpam, cloaks } = this.#learners;
    const began = performance.now();
    this.#markFarms();
    this.#saved = this.#parts.clock.now();
    // What no settlement has taken along yet is part of the snapshot.
    this.journal.take();
    this.#parts.write({
      parts: Object.fromEntries([...this.#keepers()].map(([name, learner]) => [name, learner.snapshot()])),
      patterns: guard?.report(PATTERNS_SHOWN) ?? [],
      mirrors: mirrors?.report() ?? [],
      switches: { traps: this.#turnedTraps, mirrors: this.#turnedMirrors },
      spamHosts: hostSpam?.worst(SPAM_HOSTS_SHOWN) ?? [],
      cloaked: cloaks?.found ?? [],
    });
    this.#saveEveryMs = Math.max(SAVE_EVERY_MS, (performance.now() - began) * SAVING_SHARE);
  }

  /** Farms show only in the links of many hosts, so they are looked for now and then. */
  #markFarms(): void {
    const { farms, hostSpam } = this.#learners;
    if (farms === undefined || hostSpam === undefined) return;
    const found = farms.farmSigns();
    for (const host of this.#farmHosts) if (!found.has(host)) hostSpam.setOwnSign(host, 'link-farm', undefined);
    for (const [host, sign] of found) hostSpam.setOwnSign(host, 'link-farm', sign);
    this.#farmHosts = [...found.keys()];
  }

  #remember(held: HeldBack | undefined, task: CrawlTask): HeldBack | undefined {
    if (held !== undefined && !this.#examples.has(held.rule) && this.#examples.size < PATTERNS_SHOWN)
      this.#examples.set(held.rule, task);
    return held;
  }

  #someLetIn(): boolean {
    for (const task of this.#examples.values()) if (this.classifier.holds(task) === undefined) return true;
    return false;
  }

  async #letIn(): Promise<boolean> {
    const began = performance.now();
    this.#examples.clear();
    const { reconsider, filter } = this.#parts;
    const { budgets, domainOf } = this.#learners;
    // No more than there is room for: what comes in has not spent anything yet.
    const room = new Map<string, number>();
    const hasRoom = (task: CrawlTask): boolean => {
      if (budgets === undefined) return true;
      const domain = domainOf(task.host);
      const left = room.get(domain) ?? budgets.allowance(domain) - budgets.spent(domain);
      room.set(domain, left - 1);
      return left > 0;
    };
    const admitted = await reconsider((task) => {
      // Rules that look at the URL alone speak in the name of the traps too.
      if (!filter.judge(task).admit) return false;
      return this.#remember(this.classifier.holds(task), task) === undefined && hasRoom(task);
    }, REVERSIBLE);
    this.#lookEveryMs = Math.max(LOOK_EVERY_MS, (performance.now() - began) * LOOKING_SHARE);
    return admitted > 0;
  }

  /** Whether somebody has turned one since. The file is the truth: what it does not name is left to the crawl. */
  #hearSwitches(): boolean {
    const { folder } = this.#parts;
    const at = switchesTurnedAt(folder);
    if (at === this.#turnedAt) return false;
    const first = this.#turnedAt === undefined;
    this.#turnedAt = at;
    const told = this.#readSwitches(first);
    if (told === undefined) return false;
    const { guard, mirrors } = this.#learners;
    for (const pattern of this.#turnedTraps) if (!(pattern in told.traps)) guard?.set(pattern, 'learn');
    for (const origin of this.#turnedMirrors) if (!(origin in told.mirrors)) mirrors?.set(origin, 'learn');
    for (const [pattern, state] of Object.entries(told.traps)) guard?.set(pattern, state);
    for (const [origin, state] of Object.entries(told.mirrors)) mirrors?.set(origin, state);
    this.#turnedTraps = Object.keys(told.traps);
    this.#turnedMirrors = Object.keys(told.mirrors);
    return true;
  }

  /** A file that is spoilt while the crawl runs changes nothing; at the start it is an error. */
  #readSwitches(first: boolean): Switches | undefined {
    try {
      return readSwitches(this.#parts.folder);
    } catch (error) {
      if (first) throw error;
      return undefined;
    }
  }

  *#keepers(): Generator<readonly [name: string, learner: Keeps]> {
    const { guard, mirrors, notFound, budgets, hostSpam, farms, cloaks } = this.#learners;
    const forms = this.#filler;
    const all: Record<string, Keeps | undefined> = {
      guard,
      mirrors,
      notFound,
      budgets,
      hostSpam,
      farms,
      cloaks,
      forms,
    };
    for (const [name, learner] of Object.entries(all)) if (learner !== undefined) yield [name, learner];
  }
}

function spamParts(share: number, random: () => number): Pick<PageClassifierParts, 'hostSpam' | 'farms' | 'cloaks'> {
  const hostSpam = new HostSpam();
  return {
    hostSpam,
    farms: new LinkFarmWatch(),
    ...(share > 0 ? { cloaks: new CloakingChecks(share, random, hostSpam) } : {}),
  };
}

function makeLearners(
  { settings, random, sketches }: LearnedStateParts,
  journal: LearningJournal,
): PageClassifierParts {
  const domainOf = rememberDomains();
  const guardOptions = guardOptionsOf(settings);
  const guard: TrapGuard | undefined = guardOptions && new LearningGuard(guardOptions, journal);
  const budgets = new DomainBudgets(domainBudgetsOf(settings, Math.floor(random() * 2 ** 32)));
  const { text, nearDuplicates, nearThreshold: threshold, mirrors, softNotFound, spam } = settings;
  return {
    domainOf,
    random,
    journal,
    ...(guard === undefined ? {} : { guard }),
    budgets,
    ...(mirrors ? { mirrors: new MirrorFinder() } : {}),
    ...(text && nearDuplicates
      ? { near: new NearDuplicates(sketches, (store) => new NearIndex(store, { threshold })) }
      : {}),
    ...(text && softNotFound ? { notFound: new SoftNotFound() } : {}),
    ...(text && spam ? spamParts(settings.cloakingChecks, random) : {}),
  };
}

function fillerOf(settings: Settings): FormFiller | undefined {
  if (settings.forms.length === 0) return undefined;
  const options = urlOptionsOf(settings);
  return new FormFiller({ mostRequests: settings.formRequests, urlOf: (url) => normalizeUrl(url, options) });
}

function formVisitsOf(filler: FormFiller | undefined, journal: LearningJournal, { forms }: Settings) {
  return filler && new FormVisits({ filler, journal, isFormHost: formHosts(forms) });
}
