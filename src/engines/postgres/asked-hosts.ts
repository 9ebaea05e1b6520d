/** A host that was asked so lately, and is due so soon, is likely to be asked before the next transaction. */
const SOON_MS = 5000;
/** Every transaction writes them: so many in all, or as many as are being asked. */
const MOST_NAMED = 100;
/** Of those whose turns come next: what is claimed before the next transaction. */
const MOST_NEXT = 64;

export interface HostsOfCopy {
  /** Hosts that are being asked. */
  busyHosts(): readonly number[];
  /** Those of some hosts that may be asked at a time, as far as their rests and holds go. */
  dueHosts(hosts: readonly number[], at: number): readonly number[];
  /** Hosts whose turns come first, some of those that are due at a time. */
  nextHosts(at: number, max: number): readonly number[];
}

/**
 * The hosts that the row of the owner names, because they rest with the next one: those that are being asked, those whose turns come next, and those
 * that were asked a moment ago and may be again in a moment. A claim of a host that is named already needs no transaction of its own.
 */
export class AskedHosts {
  readonly #copy: HostsOfCopy;
  readonly #now: () => number;
  /** When each was last seen to be asked, the latest last. */
  readonly #lately = new Map<number, number>();
  /** Those that the store names by now, whatever a crash of it undoes. */
  #named: ReadonlySet<number> = new Set();

  constructor(copy: HostsOfCopy, now: () => number) {
    this.#copy = copy;
    this.#now = now;
  }

  /** Whether the next owner would know of all that are being asked. */
  get areNamed(): boolean {
    return this.#copy.busyHosts().every((host) => this.#named.has(host));
  }

  /** What the next transaction is to name. In the last one of an owner none but those that are being asked. */
  toName(isLast: boolean): number[] {
    const now = this.#now();
    const busy = this.#copy.busyHosts();
    for (const host of busy) {
      this.#lately.delete(host);
      this.#lately.set(host, now);
    }
    for (const [host, at] of this.#lately) {
      if (now - at < SOON_MS && this.#lately.size <= Math.max(MOST_NAMED, busy.length)) break;
      this.#lately.delete(host);
    }
    const names = isLast ? [...busy] : this.#likely(busy, now + SOON_MS);
    // Before it is sent: nobody knows when it is applied.
    this.#named = new Set(names.filter((host) => this.#named.has(host)));
    return names;
  }

  #likely(busy: readonly number[], soon: number): number[] {
    // Of a partition from which nobody claims no host is asked: none of them need rest with the next owner.
    const next = this.#lately.size > 0 ? this.#copy.nextHosts(soon, MOST_NEXT) : [];
    const names = new Set([...busy, ...next]);
    // The latest first.
    const others = [...this.#lately.keys()].reverse().filter((host) => !names.has(host));
    for (const host of this.#copy.dueHosts(others, soon)) {
      if (names.size >= Math.max(MOST_NAMED, busy.length)) break;
      names.add(host);
    }
    return [...names];
  }

  /** A transaction that named them is durable. */
  named(hosts: readonly number[]): void {
    this.#named = new Set(hosts);
  }
}
