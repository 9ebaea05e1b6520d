import { OrbweaverError } from '../../../base/errors.ts';
import type { Outcome, Settlement } from '../../../contracts/crawl-task.ts';
import type { FrontierOptions } from '../../../contracts/state/frontier-options.ts';
import { ClaimBounds, type Turn } from '../../../frontier/claim-bounds.ts';
import type { HostLedger } from '../../../frontier/host-ledger.ts';
import type { HostId, HostTable } from '../../../frontier/host-table.ts';
import { rememberDomains } from '../../../url/domain-of-host.ts';
import type { LeaseRows } from '../rows/lease-rows.ts';
import { type QueueRow, type QueueRows, Visited } from '../rows/queue-rows.ts';

export interface HostTurnsParts {
  readonly hosts: HostTable;
  readonly ledger: HostLedger;
  readonly leases: LeaseRows;
  readonly queue: QueueRows;
  readonly random: () => number;
}

/** Endings of visits by which a page of the host has answered. */
const ANSWERED: ReadonlySet<Outcome['kind']> = new Set(['stored', 'unchanged', 'duplicate', 'redirected', 'gone']);
/** Who waits for others to end is looked at again after this. */
const PUT_OFF_MS = 200;

/** What a host whose turn has come is asked for: something new, or a page that it has given before. */
export class HostTurns {
  readonly #parts: HostTurnsParts;
  readonly #options: FrontierOptions;
  readonly #bounds: ClaimBounds;
  /** Hosts whose last turn went to a page that was visited before. */
  readonly #askedAgain = new Set<HostId>();

  constructor(parts: HostTurnsParts, options: FrontierOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#bounds = new ClaimBounds(options, rememberDomains());
  }

  /**
   * Undefined where its turn has not come after all; 'leased' where all that it may be asked for is leased; 'put-off' where others must end first, for which it waits a little. A domain
   * may have any number of such hosts: a claim puts off no more of them than it may lease.
   */
  next(host: HostId, now: number): QueueRow | 'put-off' | 'leased' | undefined {
    const row = this.#head(host);
    if (row === undefined || row === 'leased') return row;
    const wait = this.#bounds.reasonToWait(this.#turnOf(host, row), this.#parts.ledger.pages);
    if (wait === undefined) return row;
    this.#parts.ledger.hold(host, now + PUT_OFF_MS, wait);
    return 'put-off';
  }

  /** What a host that goes on by itself is asked for next; undefined where nothing is, or others must end first. */
  nextAhead(host: HostId): QueueRow | undefined {
    const row = this.#head(host);
    // Its lane was too good for what it has left, and is the right one now.
    const found = row === undefined ? this.#head(host) : row;
    if (found === undefined || found === 'leased') return undefined;
    const wait = this.#bounds.reasonToWait(this.#turnOf(host, found), this.#parts.ledger.pages);
    return wait === undefined ? found : undefined;
  }

  #head(host: HostId): QueueRow | 'leased' | undefined {
    const { hosts, ledger, leases, queue, random } = this.#parts;
    const { lanes, laneChoice } = this.#options;
    const leased = leases.of(host);
    const onlyRevisits = ledger.onlyRevisits(host);
    const head = onlyRevisits ? queue.headAgain(host, leased) : queue.head(host, lanes, laneChoice, random, leased);
    // A host gives its turns to visits again and to new URLs alternately: neither can starve the other.
    const turnOfFresh = head !== undefined && head.visited > 0 && !onlyRevisits && this.#askedAgain.has(host);
    const row = (turnOfFresh ? queue.headFresh(host, leased) : undefined) ?? head;
    if (row === undefined && leased.length > 0) return 'leased';
    if (row === undefined && !onlyRevisits) {
      throw new OrbweaverError('FOLDER_CORRUPT', `The queue of ${hosts.keyOf(host)} is empty against its count.`);
    }
    if (row === undefined) {
      ledger.parkUntilRevisit(host);
      return undefined;
    }
    if (row !== head) return row;
    const lane = hosts.lane[host];
    hosts.lane[host] = laneChoice === 'strict' ? row.lane : Math.min(row.lane, lane);
    // It stood in a lane that is too good for what it has left; hosts with something more urgent come first.
    return laneChoice === 'strict' && row.lane > lane ? undefined : row;
  }

  /** The host is asked for this one. */
  taken(host: HostId, row: QueueRow, lease: number): void {
    this.#bounds.begin(lease, this.#turnOf(host, row));
    if (row.visited > 0 && this.#options.revisits === true) this.#askedAgain.add(host);
    else this.#askedAgain.delete(host);
  }

  /** A lease has ended, with a settlement or without. */
  ended(lease: number, settlement?: Settlement): void {
    const seen = settlement?.claim.task.purpose === 'page' && ANSWERED.has(settlement.outcome.kind);
    this.#bounds.end(lease, seen);
  }

  #turnOf(host: HostId, { visited, for_origin }: QueueRow): Turn {
    return { host: this.#parts.hosts.keyOf(host), isNew: visited !== Visited.held && for_origin === null };
  }
}
