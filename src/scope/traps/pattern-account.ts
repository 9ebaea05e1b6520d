import type { PatternReport, TrapVerdict } from '../../contracts/trap-guard.ts';
import { type Findings, holdReason, NO_FINDINGS } from './hold-reason.ts';
import { type LastLook, NEVER_LOOKED } from './last-look.ts';
import { NEVER_RESTRICTED, Restriction, SAMPLES } from './restriction.ts';

/**
 * 'leaf': the URLs of one shape. The others are groups of such: one page with any query, a folder, a host, the names below a
 * domain; and across the folders of a host 'parameter', whatever has that parameter, and 'name', whatever has a name of that form.
 */
export type AccountKind = 'leaf' | 'query' | 'folder' | 'host' | 'domain' | 'parameter' | 'name';

const NOTHING_FOUND: Readonly<Findings> = Object.freeze(NO_FINDINGS());
export const NO_TRAITS: readonly PatternAccount[] = Object.freeze([]);
export const OPEN: TrapVerdict = Object.freeze({ held: false });

/** What one visit says of a pattern. */
export interface Entry {
  readonly finding: keyof Findings;
  /** What is put to the account; negative where the visit cost more than it brought. */
  readonly amount: number;
  readonly slow: boolean;
}

/** How much more than its allowance a pattern can save up: what it lives on when it stops yielding. */
const MOST_SAVED = 12;
/** So much above its allowance it is believed to be worth its visits. */
const PROVEN_AT = 8;
/** Below 0 a pattern is sampled, here it is held: one page with new content opens it again. */
const HELD_AT = -6;
const LOWEST = -12;
/** Findings are halved at this many, so that the reason tells of the last visits. */
const RECENT = 64;
const TARGET_BITS = 256;
/** The first counts the bits. */
const TARGET_WORDS = 1 + TARGET_BITS / 32;
/** From this size on, a pattern that grows without end is shown to the user. */
const GROWING_PAGES = 500;
const GROWING_SHARE = 0.9;
const MOST_PROBES = 4;
const MOST_SAMPLES = 64;
const SLOWER = 2;
const LONGEST_WAIT = 24;

/**
 * The account of one pattern: an allowance of visits to begin with, what each visit cost or brought, and its state. While the
 * balance is below 0 the pattern is slowed: a few of its URLs at a time are let through as samples, the others wait. If the
 * samples bring nothing either and the balance falls to HELD_AT, it is held. Invariant: restricted (slowed or held) exactly
 * while the balance is below 0.
 */
export class PatternAccount {
  readonly pattern: string;
  readonly kind: AccountKind;
  /** The wider group, which answers for this one until it is proven. */
  readonly up: PatternAccount | undefined;
  readonly allowance: number;
  /** Of a leaf: its parameters, or else the form of its name. */
  traits: readonly PatternAccount[] = NO_TRAITS;
  balance: number;
  held = false;
  /** What is said of its URLs while it is restricted; one object, for it is said of every link. */
  verdict: TrapVerdict = OPEN;
  known = 0;
  fromElsewhere = 0;
  visits = 0;
  novel = 0;
  nearDuplicates = 0;
  duplicates = 0;
  failures = 0;
  findings: Readonly<Findings> = NOTHING_FOUND;
  /** Its own from when there is something to note: a crawl has thousands of accounts, most of which are never visited. */
  #look: Readonly<LastLook> = NEVER_LOOKED;
  #restriction: Readonly<Restriction> = NEVER_RESTRICTED;
  #targets: Int32Array | undefined;

  constructor(pattern: string, kind: AccountKind, up: PatternAccount | undefined, allowance: number) {
    this.pattern = pattern;
    this.kind = kind;
    this.up = up;
    this.allowance = allowance;
    this.balance = allowance;
  }

  /** Of the last visit that was looked at closely. */
  get lastClosure(): number {
    return this.#look.closure;
  }

  set lastClosure(share: number) {
    if (share !== this.#look.closure) this.#ownLook().closure = share;
  }

  get lastBytes(): number {
    return this.#look.bytes;
  }

  set lastBytes(bytes: number) {
    if (bytes !== this.#look.bytes) this.#ownLook().bytes = bytes;
  }

  get lastLinks(): number {
    return this.#look.links;
  }

  set lastLinks(links: number) {
    if (links !== this.#look.links) this.#ownLook().links = links;
  }

  get lastSimhash(): bigint | undefined {
    return this.#look.simhash;
  }

  set lastSimhash(simhash: bigint | undefined) {
    if (simhash !== this.#look.simhash) this.#ownLook().simhash = simhash;
  }

  /** Known links that every page has; where the links themselves are not shown. */
  get usualKnown(): number {
    const { usualKnown } = this.#look;
    return usualKnown < 0 ? Number.POSITIVE_INFINITY : usualKnown;
  }

  set usualKnown(links: number) {
    this.#ownLook().usualKnown = Number.isFinite(links) ? links : -1;
  }

  /** Its visits have paid for themselves: it answers for itself alone. */
  get proven(): boolean {
    return this.balance >= this.allowance + PROVEN_AT;
  }

  /** Slowed or held. */
  get restricted(): boolean {
    return this.verdict.held;
  }

  /** Nearly all of its latest pages were new, and led to ever more of their kind. */
  get growing(): boolean {
    const { growing, visits } = this.findings;
    return growing >= GROWING_SHARE * visits && this.novel >= GROWING_PAGES;
  }

  /** Most of its latest pages were known already, or not there. */
  get stale(): boolean {
    const { visits, nearDuplicates, duplicates, softNotFound, gone, redirected } = this.findings;
    return 2 * (nearDuplicates + duplicates + softNotFound + gone + redirected) > visits;
  }

  /** Whether the other is this one or lies in it. */
  holds(other: PatternAccount): boolean {
    for (let at: PatternAccount | undefined = other; at !== undefined; at = at.up) if (at === this) return true;
    return false;
  }

  /** Held, and more visits have brought nothing either: not even a page of good standing is believed. */
  get exhausted(): boolean {
    return this.held && this.balance <= LOWEST;
  }

  enter(entry: Entry, now: number, probeEvery: number): void {
    this.visits++;
    const findings = this.#ownFindings();
    if (findings.visits >= RECENT) halve(findings);
    findings.visits++;
    findings[entry.finding]++;
    if (entry.slow) findings.slow++;
    this.pay(entry.amount, now, probeEvery);
  }

  /** Without a visit: a page that this pattern led to has proven to be worth it. */
  pay(amount: number, now: number, probeEvery: number): void {
    this.balance = Math.max(LOWEST, Math.min(this.allowance + MOST_SAVED, this.balance + amount));
    if (this.balance >= 0) {
      if (this.restricted) this.#open();
    } else if (this.held) return;
    else if (this.balance > HELD_AT) this.#restrict('slowed down', holdReason(this.findings));
    else {
      this.held = true;
      this.balance = HELD_AT;
      this.#restrict('held', holdReason(this.findings));
      const own = this.#ownRestriction();
      own.probes = [];
      own.probeWait = probeEvery;
      own.askedWait = probeEvery / 60;
      own.probeAt = now + own.probeWait;
      own.askedAt = now + own.askedWait;
    }
  }

  /** The visit of a sample has ended: the next one may be taken. */
  sampled(url: string): void {
    const { probes } = this.#restriction;
    const at = this.held ? -1 : probes.indexOf(url);
    if (at !== -1) probes.splice(at, 1);
  }

  /**
   * Nothing is under way: samples that were never visited, because robots.txt forbids them or the scope has changed, take no
   * place any longer, and more are taken at a time.
   */
  freeSamples(): void {
    if (this.held || this.#restriction.probes.length === 0) return;
    const own = this.#ownRestriction();
    own.probes = [];
    own.samples = Math.min(MOST_SAMPLES, own.samples * 2);
  }

  /**
   * Whether this URL of a restricted pattern may be asked for. Of one that is slowed: a few at a time. Of one that is held:
   * rarely, and more rarely each time; sooner where a page of good standing links to it.
   */
  mayProbe(url: string, wanted: boolean, now: number): boolean {
    const { probes, samples, probeAt, askedAt } = this.#restriction;
    if (probes.includes(url)) return true;
    if (!this.held) return probes.length < samples;
    return now >= probeAt || (wanted && now >= askedAt);
  }

  /** The URL is let through. */
  probe(url: string, now: number, probeEvery: number): void {
    const own = this.#ownRestriction();
    if (own.probes.includes(url)) return;
    if (this.held && now >= own.probeAt) {
      own.probeWait = Math.min(own.probeWait * SLOWER, probeEvery * LONGEST_WAIT);
      own.probeAt = now + own.probeWait;
    } else if (this.held) {
      own.askedWait = Math.min(own.askedWait * SLOWER, probeEvery * LONGEST_WAIT);
      own.askedAt = now + own.askedWait;
    }
    if (this.held && own.probes.length >= MOST_PROBES) own.probes.shift();
    own.probes.push(url);
  }

  /**
   * Remembers a known URL that a page of the pattern names; whether it is one that its pages had not named yet. Navigation is
   * on every page and so counts once. A small set of bits, emptied when half full: mistakes are rare and harmless.
   */
  names(hash: number): boolean {
    this.#targets ??= new Int32Array(TARGET_WORDS);
    const targets = this.#targets;
    const bit = hash & (TARGET_BITS - 1);
    const mask = 1 << (bit & 31);
    if ((targets[1 + (bit >> 5)] & mask) !== 0) return false;
    if (++targets[0] > TARGET_BITS / 2) {
      targets.fill(0);
      targets[0] = 1;
    }
    targets[1 + (bit >> 5)] |= mask;
    return true;
  }

  report(hand?: 'open' | 'hold'): PatternReport {
    const { pattern, known, visits, novel, nearDuplicates, duplicates, failures, fromElsewhere } = this;
    const waiting = Math.max(0, known - visits);
    const state = this.held ? 'held' : this.restricted ? 'slowed' : 'open';
    const learnt = this.restricted ? `${state}: ${this.#restriction.reason}; ${waiting} URLs wait` : undefined;
    return {
      pattern,
      state: hand === undefined ? state : hand === 'open' ? 'opened-by-hand' : 'held-by-hand',
      ...(learnt === undefined ? {} : { reason: learnt }),
      ...(this.growing && !this.restricted ? { growing: true as const } : {}),
      known,
      visits,
      novel,
      nearDuplicates,
      duplicates,
      failures,
      fromElsewhere,
    };
  }

  /** As plain values, for the snapshot. */
  save(): readonly unknown[] {
    const { findings: f } = this;
    const { reason, probes } = this.#restriction;
    return [
      ...NUMBERS.map((name) => this[name]),
      ...TIMES.map((name) => this.#restriction[name]),
      this.held ? 1 : 0,
      Number.isFinite(this.usualKnown) ? this.usualKnown : -1,
      this.lastSimhash?.toString(16) ?? '',
      this.#targets === undefined ? [] : [...this.#targets],
      f === NOTHING_FOUND ? [] : FINDINGS.map((name) => f[name]),
      ...(this.restricted ? [reason, probes] : []),
    ];
  }

  /** Takes what `save` gave; what is not there stays as it is in a new account. */
  load(saved: readonly unknown[]): void {
    NUMBERS.forEach((name, at) => {
      this[name] = numberOf(saved[at], this[name]);
    });
    TIMES.forEach((name, at) => {
      const time = numberOf(saved[NUMBERS.length + at], this.#restriction[name]);
      if (time !== this.#restriction[name]) this.#ownRestriction()[name] = time;
    });
    const rest = saved.slice(NUMBERS.length + TIMES.length);
    const [held, usualKnown, simhash, targets, findings, reason, probes] = rest;
    this.held = held === 1;
    if (numberOf(usualKnown, -1) >= 0) this.usualKnown = numberOf(usualKnown, -1);
    if (typeof simhash === 'string' && simhash !== '') this.lastSimhash = BigInt(`0x${simhash}`);
    if (Array.isArray(targets) && targets.length > 0) {
      this.#targets = Int32Array.from({ length: TARGET_WORDS }, (_, at) => numberOf(targets[at], 0));
    }
    if (Array.isArray(findings) && findings.length > 0) {
      const own = this.#ownFindings();
      FINDINGS.forEach((name, at) => {
        own[name] = numberOf(findings[at], 0);
      });
    }
    if (this.balance >= 0) return;
    this.#restrict(this.held ? 'held' : 'slowed down', typeof reason === 'string' ? reason : '');
    this.#ownRestriction().probes = Array.isArray(probes) ? probes.filter((url) => typeof url === 'string') : [];
  }

  /** Most patterns are never visited: they share one empty record. */
  #ownFindings(): Findings {
    if (this.findings === NOTHING_FOUND) this.findings = NO_FINDINGS();
    return this.findings;
  }

  #ownLook(): LastLook {
    if (this.#look === NEVER_LOOKED) this.#look = { ...NEVER_LOOKED };
    return this.#look;
  }

  #ownRestriction(): Restriction {
    if (this.#restriction === NEVER_RESTRICTED) this.#restriction = new Restriction();
    return this.#restriction;
  }

  #open(): void {
    this.held = false;
    this.verdict = OPEN;
    const own = this.#ownRestriction();
    own.probes = [];
    own.samples = SAMPLES;
  }

  #restrict(how: 'slowed down' | 'held', reason: string): void {
    this.#ownRestriction().reason = reason;
    this.verdict = Object.freeze({ held: true, pattern: this.pattern, reason: `${this.pattern} is ${how}: ${reason}` });
  }
}

const FINDINGS = Object.keys(NO_FINDINGS()) as readonly (keyof Findings)[];
/** Fields of an account that are numbers, in the order in which they are saved. */
const NUMBERS = [
  'balance',
  'known',
  'fromElsewhere',
  'visits',
  'novel',
  'nearDuplicates',
  'duplicates',
  'failures',
  'lastClosure',
  'lastBytes',
  'lastLinks',
] as const;
/** Those of its restriction, saved behind them. */
const TIMES = ['probeAt', 'probeWait', 'askedAt', 'askedWait'] as const;

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function halve(findings: Findings): void {
  for (const name of FINDINGS) findings[name] = findings[name] >> 1;
}
