import type { PatternReport, TrapVerdict } from '../../contracts/trap-guard.ts';
import { type Findings, holdReason, NO_FINDINGS } from './hold-reason.ts';

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
/** Where a held pattern starts from: one good probe opens it again, on a short leash. */
const HELD_BALANCE = -6;
const LOWEST = -12;
/** Findings are halved at so many, so that the reason tells of the last visits. */
const RECENT = 64;
const TARGET_BITS = 256;
const MOST_PROBES = 4;
const SLOWER = 2;
const LONGEST_WAIT = 24;

/**
 * The book of one pattern: an allowance of visits to begin with, what each visit cost or brought, and whether it is held
 * back. Invariant: held exactly from the moment the balance falls below 0 until it has risen to 0 again.
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
  /** What is said of its URLs while it is held; one object, for it is said of every link. */
  verdict: TrapVerdict = OPEN;
  known = 0;
  fromElsewhere = 0;
  visits = 0;
  novel = 0;
  nearDuplicates = 0;
  duplicates = 0;
  failures = 0;
  /** Of the last visit that was looked at closely. */
  lastClosure = 0;
  lastBytes = -1;
  lastLinks = -1;
  lastSimhash: bigint | undefined;
  /** Known links that every page has; where the links themselves are not shown. */
  usualKnown = Number.POSITIVE_INFINITY;
  findings: Readonly<Findings> = NOTHING_FOUND;
  probeAt = 0;
  probeWait = 0;
  askedAt = 0;
  askedWait = 0;
  #reason = '';
  #probes: string[] = [];
  #targets: Int32Array | undefined;
  #targetCount = 0;

  constructor(pattern: string, kind: AccountKind, up: PatternAccount | undefined, allowance: number) {
    this.pattern = pattern;
    this.kind = kind;
    this.up = up;
    this.allowance = allowance;
    this.balance = allowance;
  }

  /** Its visits have paid for themselves: it answers for itself alone. */
  get proven(): boolean {
    return this.balance >= this.allowance + PROVEN_AT;
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
    if (this.held && this.balance >= 0) {
      this.held = false;
      this.verdict = OPEN;
      this.#probes = [];
    } else if (!this.held && this.balance < 0) {
      this.held = true;
      this.balance = HELD_BALANCE;
      this.#hold(holdReason(this.findings));
      this.probeWait = probeEvery;
      this.askedWait = probeEvery / 60;
      this.probeAt = now + this.probeWait;
      this.askedAt = now + this.askedWait;
    }
  }

  /** Gives back what endings of a kind have cost, each so much. */
  forgive(finding: keyof Findings, each: number, now: number, probeEvery: number): void {
    const times = this.findings[finding];
    if (times === 0) return;
    const findings = this.#ownFindings();
    findings[finding] = 0;
    findings.visits -= times;
    this.pay(times * each, now, probeEvery);
  }

  /**
   * Whether this URL of a held pattern may be asked for, to see whether things have changed. Rare, and rarer each time; sooner
   * where a page of good standing names it.
   */
  probes(url: string, wanted: boolean, now: number, probeEvery: number): boolean {
    if (this.#probes.includes(url)) return true;
    if (now >= this.probeAt) {
      this.probeWait = Math.min(this.probeWait * SLOWER, probeEvery * LONGEST_WAIT);
      this.probeAt = now + this.probeWait;
    } else if (wanted && now >= this.askedAt) {
      this.askedWait = Math.min(this.askedWait * SLOWER, probeEvery * LONGEST_WAIT);
      this.askedAt = now + this.askedWait;
    } else return false;
    if (this.#probes.length >= MOST_PROBES) this.#probes.shift();
    this.#probes.push(url);
    return true;
  }

  /**
   * Remembers a known URL that a page of the pattern names; whether it is one that its pages had not named yet. Navigation is
   * on every page and so counts once. A small set of bits, emptied when half full: mistakes are rare and harmless.
   */
  names(hash: number): boolean {
    this.#targets ??= new Int32Array(TARGET_BITS / 32);
    const bit = hash & (TARGET_BITS - 1);
    const mask = 1 << (bit & 31);
    if ((this.#targets[bit >> 5] & mask) !== 0) return false;
    if (++this.#targetCount > TARGET_BITS / 2) {
      this.#targets.fill(0);
      this.#targetCount = 1;
    }
    this.#targets[bit >> 5] |= mask;
    return true;
  }

  report(hand?: 'open' | 'hold'): PatternReport {
    const { pattern, known, visits, novel, nearDuplicates, duplicates, failures, fromElsewhere } = this;
    const learnt = this.held ? `held: ${this.#reason}; ${Math.max(0, known - visits)} URLs wait` : undefined;
    return {
      pattern,
      state: hand === undefined ? (this.held ? 'held' : 'open') : hand === 'open' ? 'opened-by-hand' : 'held-by-hand',
      ...(learnt === undefined ? {} : { reason: learnt }),
      known,
      visits,
      novel,
      nearDuplicates,
      duplicates,
      failures,
      fromElsewhere,
    };
  }

  /** As numbers, for the snapshot. */
  save(): readonly unknown[] {
    const { findings: f } = this;
    return [
      this.balance,
      this.held ? 1 : 0,
      this.known,
      this.fromElsewhere,
      this.visits,
      this.novel,
      this.nearDuplicates,
      this.duplicates,
      this.failures,
      this.lastClosure,
      Number.isFinite(this.usualKnown) ? this.usualKnown : -1,
      this.probeAt,
      this.probeWait,
      this.askedAt,
      this.askedWait,
      ...FINDINGS.map((name) => f[name]),
      ...(this.held ? [this.#reason, this.#probes] : []),
    ];
  }

  load(saved: readonly unknown[]): void {
    const number = (at: number): number => (typeof saved[at] === 'number' ? (saved[at] as number) : 0);
    this.balance = number(0);
    this.held = number(1) === 1;
    this.known = number(2);
    this.fromElsewhere = number(3);
    this.visits = number(4);
    this.novel = number(5);
    this.nearDuplicates = number(6);
    this.duplicates = number(7);
    this.failures = number(8);
    this.lastClosure = number(9);
    this.usualKnown = number(10) < 0 ? Number.POSITIVE_INFINITY : number(10);
    this.probeAt = number(11);
    this.probeWait = number(12);
    this.askedAt = number(13);
    this.askedWait = number(14);
    const findings = this.#ownFindings();
    FINDINGS.forEach((name, i) => {
      findings[name] = number(15 + i);
    });
    if (!this.held) return;
    const reason = saved[15 + FINDINGS.length];
    const probes = saved[16 + FINDINGS.length];
    this.#hold(typeof reason === 'string' ? reason : '');
    this.#probes = Array.isArray(probes) ? probes.filter((url) => typeof url === 'string') : [];
  }

  /** Most patterns are never visited: they share one empty record. */
  #ownFindings(): Findings {
    if (this.findings === NOTHING_FOUND) this.findings = NO_FINDINGS();
    return this.findings;
  }

  #hold(reason: string): void {
    this.#reason = reason;
    this.verdict = Object.freeze({ held: true, pattern: this.pattern, reason: `${this.pattern} is held: ${reason}` });
  }
}

const FINDINGS = Object.keys(NO_FINDINGS()) as readonly (keyof Findings)[];

function halve(findings: Findings): void {
  for (const name of FINDINGS) findings[name] = findings[name] >> 1;
}
