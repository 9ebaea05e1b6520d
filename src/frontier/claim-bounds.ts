import type { HostKey } from '../contracts/url.ts';
import type { DomainOfHost } from '../url/domain-of-host.ts';
import { NewHostPace } from './new-host-pace.ts';

export interface ClaimBoundsPolicy {
  /** Hosts of one domain are not asked all at once before it is known what they are like. */
  readonly paceNewHosts?: boolean;
  /** Pages are visited again. */
  readonly revisits?: boolean;
  /** With `revisits`: this many pages are taken in, and no more. */
  readonly maxPages?: number;
}

/** A URL whose turn has come. */
export interface Turn {
  readonly host: HostKey;
  /** No copy of the page is held, whether it was visited or not: its visit may bring one page more. */
  readonly isNew: boolean;
}

const CROWDED = 'other hosts of its domain are looked at first';
const LAST_PAGES = 'the last pages up to max-pages are under way';

/**
 * What the claim bounds over all hosts: how many new hosts of one domain are asked at once, and, where pages are visited
 * again, how many new pages. Leases under way count. Nothing of it outlives the process, as leases do not.
 */
export class ClaimBounds {
  readonly #policy: ClaimBoundsPolicy;
  readonly #pace: NewHostPace | undefined;
  readonly #open = new Map<number, Turn>();
  #newPages = 0;

  constructor(policy: ClaimBoundsPolicy, domainOf: DomainOfHost) {
    this.#policy = policy;
    this.#pace = policy.paceNewHosts === true ? new NewHostPace(domainOf) : undefined;
  }

  /** Why a URL is not leased now; `pages`: how many all hosts have given. */
  reasonToWait({ host, isNew }: Turn, pages: number): string | undefined {
    const { revisits, maxPages = Number.POSITIVE_INFINITY } = this.#policy;
    if (isNew && revisits === true && pages + this.#newPages >= maxPages) return LAST_PAGES;
    return this.#pace?.mayBegin(host) === false ? CROWDED : undefined;
  }

  begin(lease: number, turn: Turn): void {
    this.#open.set(lease, turn);
    this.#pace?.begin(turn.host);
    if (turn.isNew) this.#newPages++;
  }

  /** `seen`: a page of the host has answered, so that it is new no longer. */
  end(lease: number, seen = false): void {
    const turn = this.#open.get(lease);
    if (turn === undefined) return;
    this.#open.delete(lease);
    this.#pace?.end(turn.host, seen);
    if (turn.isNew) this.#newPages--;
  }
}
