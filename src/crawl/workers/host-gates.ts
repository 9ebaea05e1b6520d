import type { Claim } from '../../contracts/crawl-task.ts';
import type { BegunClaim } from '../../contracts/frontier.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { PageWork } from '../visit/page-work.ts';
import type { SettledClaim } from './thread-messages.ts';

export interface HostGatesParts {
  /** Most requests that a host may have under way. */
  readonly atOnce: (host: HostKey) => number;
  readonly now: () => number;
  /** A lease must outlast a request that begins under it. */
  readonly longestRequestMs: number;
  readonly begin: (claim: Claim) => void;
  /** The request of a claim has ended well; `next` is about to begin in its place. */
  readonly answered: (claim: Claim, next?: BegunClaim) => void;
  /** Claims go back: nobody was asked for them. */
  readonly unbegun: (claims: readonly Claim[]) => void;
}

interface Gate {
  /** Claimed ahead: each begins in place of another, in this order. */
  readonly ahead: Claim[];
  /** Might begin, but for an answer that is not settled. */
  readonly held: Claim[];
  /** Ids of claims with such an answer. */
  readonly closedBy: Set<number>;
}

/**
 * Lets requests to hosts that may have several under way begin. The next one begins the moment an answer is in, without a way to the
 * frontier and back; there are never more of them than the frontier has leases for, because each takes the place of another.
 *
 * An answer that may change the rest of its host (it asks for patience, failed, or is a robots.txt) closes the gate until it is settled. What waited
 * goes back then: the frontier knows what may be asked when.
 */
export class HostGates {
  readonly #parts: HostGatesParts;
  readonly #gates = new Map<HostKey, Gate>();
  /** Claims under way whose answer is in. */
  readonly #known = new Set<number>();

  constructor(parts: HostGatesParts) {
    this.#parts = parts;
  }

  /** Claims that may begin. */
  start(claims: readonly Claim[]): void {
    for (const claim of claims) this.#startOne(claim, this.#gates.get(claim.task.host));
  }

  /** Claims that wait for the end of others. */
  startAhead(claims: readonly Claim[]): void {
    for (const claim of claims) this.#gateOf(claim.task.host).ahead.push(claim);
  }

  /** Of those, these may begin: their host has room for them. Some may have begun already. */
  grant(ids: readonly number[]): void {
    const granted = new Set(ids);
    for (const gate of this.#gates.values())
      for (const claim of gate.ahead.filter(({ id }) => granted.has(id))) {
        gate.ahead.splice(gate.ahead.indexOf(claim), 1);
        if (this.#isTooLate(claim)) this.#parts.unbegun([claim]);
        else this.#startOne(claim, gate);
      }
  }

  /** Gives back all that waits for the end of others. */
  recall(): void {
    for (const [host, gate] of this.#gates) {
      const waiting = gate.ahead.splice(0);
      if (waiting.length > 0) this.#parts.unbegun(waiting);
      this.#forgetIfOpen(host, gate);
    }
  }

  /** The answer to a claim is in, and the rest of its host is what it was. */
  answered(claim: Claim): void {
    if (!this.#isGated(claim)) return;
    this.#known.add(claim.id);
    this.#goOn(claim);
  }

  /** The answer to a claim is in, and the rest of its host may be another now. */
  close(claim: Claim): void {
    if (!this.#isGated(claim)) return;
    this.#known.add(claim.id);
    this.#gateOf(claim.task.host).closedBy.add(claim.id);
  }

  /** The visit of a claim has ended; true where nothing of its host begins before that is settled. */
  ended(claim: Claim, work: PageWork): boolean {
    if (!this.#isGated(claim)) return false;
    if (this.#known.delete(claim.id)) return this.#gates.get(claim.task.host)?.closedBy.has(claim.id) === true;
    if (mayChangeRest(work)) {
      this.#gateOf(claim.task.host).closedBy.add(claim.id);
      return true;
    }
    // Who waited for a robots.txt must not let others wait for it too.
    if (work.kind !== 'awaiting-robots') this.#goOn(claim);
    return false;
  }

  /** Claims that had closed gates are settled. */
  settled(claims: readonly SettledClaim[]): void {
    for (const { id, task } of claims) {
      const gate = this.#gates.get(task.host);
      if (gate === undefined || !gate.closedBy.delete(id) || gate.closedBy.size > 0) continue;
      const waiting = [...gate.held.splice(0), ...gate.ahead.splice(0)];
      this.#gates.delete(task.host);
      if (waiting.length > 0) this.#parts.unbegun(waiting);
    }
  }

  #startOne(claim: Claim, gate: Gate | undefined): void {
    if (gate === undefined || gate.closedBy.size === 0) this.#parts.begin(claim);
    else gate.held.push(claim);
  }

  /** The place of a claim goes to the next one that was claimed ahead. */
  #goOn(claim: Claim): void {
    const { host } = claim.task;
    const gate = this.#gates.get(host);
    const next = gate === undefined || gate.closedBy.size > 0 ? undefined : this.#next(gate);
    if (gate !== undefined) this.#forgetIfOpen(host, gate);
    this.#parts.answered(claim, next === undefined ? undefined : { claim: next, at: this.#parts.now() });
    if (next !== undefined) this.#parts.begin(next);
  }

  #next({ ahead }: Gate): Claim | undefined {
    for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
      if (!this.#isTooLate(next)) return next;
      this.#parts.unbegun([next]);
    }
    return undefined;
  }

  #isTooLate({ expiresAt }: Claim): boolean {
    return this.#parts.now() + this.#parts.longestRequestMs > expiresAt;
  }

  #isGated({ task }: Claim): boolean {
    return this.#parts.atOnce(task.host) > 1;
  }

  #gateOf(host: HostKey): Gate {
    const known = this.#gates.get(host);
    if (known !== undefined) return known;
    const gate: Gate = { ahead: [], held: [], closedBy: new Set() };
    this.#gates.set(host, gate);
    return gate;
  }

  #forgetIfOpen(host: HostKey, { ahead, held, closedBy }: Gate): void {
    if (ahead.length + held.length + closedBy.size === 0) this.#gates.delete(host);
  }
}

function mayChangeRest(work: PageWork): boolean {
  if (work.kind === 'robots' || work.kind === 'lost' || work.kind === 'failed') return true;
  return 'use' in work && work.use?.pushback !== undefined;
}
