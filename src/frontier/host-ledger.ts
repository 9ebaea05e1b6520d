import { CLOCK_SLACK_MS } from '../base/clock.ts';
import type { Hold, HostUse } from '../contracts/crawl-task.ts';
import type { FrontierOptions, HostBudgets } from '../contracts/state/frontier-options.ts';
import { FILES_HOST } from '../url/host-key.ts';
import { exhausted, noBudgets } from './budgets.ts';
import type { ClockShift, SavedClock } from './clock-shift.ts';
import type { HostSchedule } from './host-schedule.ts';
import { type HostId, type HostTable, PARK_REASONS } from './host-table.ts';
import { backoff, hostDelay, unreachableLimitOf } from './politeness.ts';

const UNREACHABLE = PARK_REASONS.indexOf('unreachable');
const HELD_BY_HAND = PARK_REASONS.indexOf('held by hand');
const NO_MORE_PAGES = PARK_REASONS.indexOf('page budget used up');

/** No server is taken at its word for longer. */
const LONGEST_HOLD_MS = 30 * 86_400_000;

export type LedgerPolicy = Pick<FrontierOptions, 'politeness' | 'budgets' | 'revisits' | 'maxPages'>;

/**
 * Keeps the accounts of the hosts: what a request does to clock, back-off and budgets, how many URLs wait, who is held
 * or parked. Every change but `entered` is told to `touch`, so that an engine can write it down; what enters a queue an
 * engine knows itself.
 */
export class HostLedger {
  readonly #hosts: HostTable;
  readonly #schedule: HostSchedule;
  readonly #policy: LedgerPolicy;
  readonly #random: () => number;
  readonly #touch: (host: HostId) => void;
  /** Why hosts are held; only those that are, or were, have an entry. */
  readonly #holds: Map<HostId, Hold>;
  #queued = 0;
  #parked = 0;
  #pages = 0;
  #takesInNoMore = false;

  constructor(
    hosts: HostTable,
    schedule: HostSchedule,
    policy: LedgerPolicy,
    random: () => number,
    holds: Map<HostId, Hold>,
    touch: (host: HostId) => void,
  ) {
    this.#hosts = hosts;
    this.#schedule = schedule;
    this.#policy = policy;
    this.#random = random;
    this.#holds = holds;
    this.#touch = touch;
  }

  /** URLs in all back queues. */
  get queued(): number {
    return this.#queued;
  }

  /** Those of them that wait on parked hosts. */
  get parked(): number {
    return this.#parked;
  }

  /** Pages that all hosts have given, each counted once. */
  get pages(): number {
    return this.#pages;
  }

  /** Takes in a host from disk. Hosts that were parked get another chance in each run, unless a budget forbids it. */
  restore(host: HostId): void {
    const hosts = this.#hosts;
    this.#queued += hosts.queued[host];
    this.#pages += hosts.pages[host];
    if (hosts.parked[host] === UNREACHABLE) hosts.pushbacks[host] = 0;
    hosts.parked[host] = 0;
    this.parkIfExhausted(host);
    this.#schedule.place(host);
  }

  hasRoom(host: HostId): boolean {
    const budgets = this.#budgetsOf(host);
    return this.#hosts.queued[host] < budgets.maxQueued && exhausted(budgets, this.#hosts, host) === '';
  }

  /** Nothing new may be asked of the host, but what was asked before may. */
  onlyRevisits(host: HostId): boolean {
    const { revisits, maxPages = Number.POSITIVE_INFINITY } = this.#policy;
    if (revisits !== true) return false;
    const budgets = this.#budgetsOf(host);
    return this.#takesInNoMore || this.#hosts.pages[host] >= budgets.maxPages || this.#pages >= maxPages;
  }

  /** From now on nothing new may be asked of any host. */
  stopDiscovery(): void {
    this.#takesInNoMore = true;
  }

  /** Moves what was owed when the state was written; what had passed by then stays so. Before the host is scheduled. */
  shiftClock(host: HostId, { rests, holds }: ClockShift, saved: SavedClock, now: number): void {
    const { dueAt, holdUntil, pushedAt } = this.#hosts;
    const before = [dueAt[host], holdUntil[host], pushedAt[host]];
    dueAt[host] = dueAt[host] > saved.at ? dueAt[host] + rests : Math.min(dueAt[host], now);
    holdUntil[host] = holdUntil[host] > saved.at ? holdUntil[host] + holds : Math.min(holdUntil[host], now);
    pushedAt[host] = Math.min(pushedAt[host], now);
    const after = [dueAt[host], holdUntil[host], pushedAt[host]];
    if (after.some((time, at) => time !== before[at])) this.#touch(host);
  }

  /** The machine slept, and time went ahead by `ms` at once: a host that rested has as much of its rest left as before. */
  wokeUp(host: HostId, ms: number, now: number): void {
    if (this.#hosts.dueAt[host] <= now - ms) return;
    this.#hosts.dueAt[host] += ms;
    this.#touch(host);
  }

  /**
   * Times further ahead than the longest wait there is were set by a clock that was wrong: the host would be silent until
   * then. They are taken back as far as its last request lies in the future. Before the host is scheduled.
   */
  trustClock(host: HostId, now: number): void {
    const hosts = this.#hosts;
    const { politeness } = this.#policy;
    const latest = now + this.delay(host);
    const ahead = Math.max(hosts.dueAt[host] - latest, hosts.pushedAt[host] - now);
    const longest = now + Math.max(politeness.backoffMaxMs, LONGEST_HOLD_MS);
    if (ahead <= 0 && hosts.holdUntil[host] <= longest) return;
    const wrong = ahead > CLOCK_SLACK_MS ? ahead : 0;
    hosts.dueAt[host] = Math.min(hosts.dueAt[host], latest);
    hosts.pushedAt[host] = Math.min(hosts.pushedAt[host], now);
    hosts.holdUntil[host] = Math.min(Math.max(0, hosts.holdUntil[host] - wrong), longest);
    this.#touch(host);
  }

  /** There is nothing to be visited again for now on a host that gives nothing else. */
  parkUntilRevisit(host: HostId): void {
    this.#park(host, NO_MORE_PAGES);
  }

  /** Somebody wants nothing asked of the host, or wants that no more. Of one that is parked for another reason only that changes. */
  holdByHand(host: HostId, isHeld: boolean): void {
    const isParked = this.#hosts.parked[host] === HELD_BY_HAND;
    if (isHeld === isParked) return;
    if (isHeld) this.#park(host, HELD_BY_HAND);
    else {
      this.#parked -= this.#hosts.queued[host];
      this.#hosts.parked[host] = 0;
      this.#touch(host);
      this.parkIfExhausted(host);
    }
    this.#schedule.reschedule(host);
  }

  /** A URL has come into the host's back queue; `again` where it was visited before. */
  entered(host: HostId, lane: number, again = false): void {
    const hosts = this.#hosts;
    if (again && this.#policy.revisits === true && hosts.parked[host] === NO_MORE_PAGES) this.#unpark(host);
    if (hosts.queued[host] === 0 || lane < hosts.lane[host]) {
      hosts.lane[host] = lane;
      this.#schedule.promote(host, lane);
    }
    hosts.queued[host]++;
    this.#queued++;
    if (hosts.parked[host] !== 0) this.#parked++;
    if (hosts.queued[host] === hosts.leases[host] + hosts.answered[host] + hosts.ahead[host] + 1)
      this.#schedule.place(host);
  }

  /** A URL in its back queue has become more urgent. */
  promoted(host: HostId, lane: number): void {
    if (lane >= this.#hosts.lane[host]) return;
    this.#hosts.lane[host] = lane;
    this.#schedule.promote(host, lane);
    this.#touch(host);
  }

  left(host: HostId): void {
    this.#hosts.queued[host]--;
    this.#queued--;
    if (this.#hosts.parked[host] !== 0) this.#parked--;
    this.#touch(host);
  }

  /** How long the host rests after a request. */
  delay(host: HostId): number {
    if (this.#isDisk(host)) return 0;
    return hostDelay(this.#policy.politeness, this.#hosts.lastFetchMs[host], this.#hosts.crawlDelayMs[host]);
  }

  /** The host was, or may have been, busy with us until `end`. */
  restAfter(host: HostId, end: number): void {
    this.#hosts.dueAt[host] = Math.max(this.#hosts.dueAt[host], end + this.delay(host));
    this.#touch(host);
  }

  /** A request of an earlier process, of which no end is known: it took as long as it may have taken. */
  restAfterLost(host: HostId, { since, end }: { readonly since: number; readonly end: number }): void {
    const { lastFetchMs, crawlDelayMs, dueAt } = this.#hosts;
    const fetchMs = Math.max(lastFetchMs[host], end - since);
    const delay = this.#isDisk(host) ? 0 : hostDelay(this.#policy.politeness, fetchMs, crawlDelayMs[host]);
    dueAt[host] = Math.max(dueAt[host], end + delay);
    this.#touch(host);
  }

  /** The host may have several requests under way: its rest counts between their starts. */
  isConcurrent(host: HostId): boolean {
    return this.#hosts.concurrency[host] > 1;
  }

  /**
   * How many more leases may be given ahead to a host that is asked for as much as it may be: none where its requests are to be apart from
   * each other, or where answers may use a budget up.
   */
  roomAhead(host: HostId, now: number): number {
    const { leases, answered, ahead, concurrency, queued, parked, holdUntil, crawlDelayMs, pages } = this.#hosts;
    const { minimumDelayMs, delayFactor } = this.#policy.politeness;
    const budgets = this.#budgetsOf(host);
    const rests = !this.#isDisk(host) && (minimumDelayMs > 0 || delayFactor > 0 || crawlDelayMs[host] > 0);
    if (rests || parked[host] !== 0 || holdUntil[host] > now || leases[host] < concurrency[host]) return 0;
    if (Number.isFinite(budgets.maxBytes) || Number.isFinite(budgets.maxMs) || this.onlyRevisits(host)) return 0;
    const open = leases[host] + answered[host] + ahead[host];
    const room = concurrency[host] - answered[host] - ahead[host];
    return Math.max(0, Math.min(room, queued[host] - open, budgets.maxPages - pages[host] - open));
  }

  /** A request to a concurrent host begins. */
  began(host: HostId, at: number): void {
    // One that was given ahead may have begun a moment ago: what was learnt since counts as well.
    this.#hosts.dueAt[host] = Math.max(this.#hosts.dueAt[host], at + this.delay(host));
    this.#touch(host);
    this.#schedule.begun(host);
  }

  /** A request that was to begin at a time was not sent after all. Where another has begun since, its rest counts. */
  unbegun(host: HostId, { since, dueBefore }: { readonly since: number; readonly dueBefore: number }): void {
    if (this.#hosts.dueAt[host] !== since + this.delay(host)) return;
    this.#hosts.dueAt[host] = dueBefore;
    this.#touch(host);
  }

  /** What a request does to its host. `proves` unless the answer only points elsewhere: that forgives nothing. */
  spend(host: HostId, use: HostUse, beganAt: number, isPage: boolean, proves: boolean): void {
    const hosts = this.#hosts;
    const delayBefore = this.delay(host);
    hosts.lastFetchMs[host] = use.fetchMs;
    hosts.bytes[host] += use.bytes;
    hosts.spentMs[host] += use.fetchMs;
    if (this.isConcurrent(host)) hosts.dueAt[host] += Math.max(0, this.delay(host) - delayBefore);
    else hosts.dueAt[host] = use.endedAt + this.delay(host);
    if (isPage) {
      hosts.pages[host]++;
      this.#pages++;
    }
    if (use.pushback !== undefined) this.#pushedBack(host, use.endedAt, use.pushback, beganAt);
    else if (proves) this.#answered(host, use.endedAt);
    this.#touch(host);
  }

  /** Holds only grow. */
  hold(host: HostId, until: number, why: string): void {
    if (until <= this.#hosts.holdUntil[host]) return;
    this.#hosts.holdUntil[host] = until;
    this.#holds.set(host, { why });
    this.#touch(host);
    this.#schedule.reschedule(host);
  }

  /** A reason to wait that came from elsewhere, not with an answer of the host itself. */
  pushBack(host: HostId, at: number, pushback: NonNullable<HostUse['pushback']>): void {
    this.#pushedBack(host, at, pushback, at);
    this.#touch(host);
    this.#schedule.reschedule(host);
  }

  /** A longer Crawl-delay counts from the last request on, also when it is learned only later. */
  setCrawlDelay(host: HostId, crawlDelayMs: number): void {
    const before = this.delay(host);
    this.#hosts.crawlDelayMs[host] = crawlDelayMs;
    this.#hosts.dueAt[host] += Math.max(0, this.delay(host) - before);
    this.#touch(host);
    this.#schedule.reschedule(host);
  }

  /** Ends a hold whose reason has gone. */
  unhold(host: HostId, why: string): void {
    if (this.#holds.get(host)?.why !== why) return;
    this.#hosts.holdUntil[host] = 0;
    this.#holds.delete(host);
    this.#touch(host);
    this.#schedule.reschedule(host);
  }

  parkIfExhausted(host: HostId): void {
    const budgets = this.#budgetsOf(host);
    // What pages there are to be visited again a claim finds out.
    const counted = this.onlyRevisits(host) ? { ...budgets, maxPages: Number.POSITIVE_INFINITY } : budgets;
    const reason = PARK_REASONS.indexOf(exhausted(counted, this.#hosts, host));
    if (reason > 0) this.#park(host, reason);
  }

  /** Files of this machine: they trouble nobody else, so that no rest is owed and no budget kept. */
  #isDisk(host: HostId): boolean {
    return this.#hosts.keyOf(host) === FILES_HOST;
  }

  #budgetsOf(host: HostId): HostBudgets {
    return this.#isDisk(host) ? noBudgets : this.#policy.budgets;
  }

  /** A host that answers is reachable; one that asked for less is forgiven only after a quiet time. */
  #answered(host: HostId, at: number): void {
    if (this.#wasQuiet(host, at) || this.#holds.get(host)?.kind === 'unreachable') this.#hosts.pushbacks[host] = 0;
  }

  #pushedBack(host: HostId, at: number, pushback: NonNullable<HostUse['pushback']>, beganAt: number): void {
    const hosts = this.#hosts;
    const { politeness } = this.#policy;
    if (this.#wasQuiet(host, at)) hosts.pushbacks[host] = 0;
    // Requests that were under way together meet the same trouble: it counts once.
    const isSameTrouble = this.isConcurrent(host) && hosts.pushbacks[host] > 0 && beganAt < hosts.pushedAt[host];
    const { kind, why } = pushback;
    const inARow = kind === 'unreachable' ? Math.max(1, this.#unreachableBefore(host) + (isSameTrouble ? 0 : 1)) : 0;
    if (!isSameTrouble) hosts.pushbacks[host] = Math.min(hosts.pushbacks[host] + 1, 255);
    hosts.pushedAt[host] = at;
    const wait = backoff(politeness, inARow || hosts.pushbacks[host], pushback.retryAfterMs, this.#random);
    hosts.holdUntil[host] = Math.max(hosts.holdUntil[host], at + wait);
    this.#holds.set(host, { kind, why, ...(inARow > 1 ? { times: inARow } : {}) });
    const everReached = hosts.pages[host] > 0 || hosts.bytes[host] > 0;
    const tooOften = inARow >= unreachableLimitOf(politeness, everReached);
    // A crawl that goes on for ever has no next run in which to try again: there the host only rests, at last for a day.
    const mayGiveUp = this.#policy.revisits !== true && pushback.kind === 'unreachable';
    const givenUp = mayGiveUp && (tooOften || pushback.final === true);
    if (givenUp) this.#park(host, UNREACHABLE);
  }

  /** How often in a row the host could not be reached: who was busy in between could be. */
  #unreachableBefore(host: HostId): number {
    const pushbacks = this.#hosts.pushbacks[host];
    const { kind, times = 1 } = this.#holds.get(host) ?? {};
    if (pushbacks === 0 || kind === 'busy') return 0;
    return kind === 'unreachable' ? Math.min(times, pushbacks) : pushbacks;
  }

  /** Quiet time counts from the end of the last hold: the hold itself proves nothing. */
  #wasQuiet(host: HostId, at: number): boolean {
    const since = Math.max(this.#hosts.pushedAt[host], this.#hosts.holdUntil[host]);
    return at - since > this.#policy.politeness.forgivenessMs;
  }

  #unpark(host: HostId): void {
    this.#parked -= this.#hosts.queued[host];
    this.#hosts.parked[host] = 0;
    this.#touch(host);
    this.#schedule.place(host);
  }

  #park(host: HostId, reason: number): void {
    if (this.#hosts.parked[host] === 0) this.#parked += this.#hosts.queued[host];
    this.#hosts.parked[host] = reason;
    this.#touch(host);
  }
}
