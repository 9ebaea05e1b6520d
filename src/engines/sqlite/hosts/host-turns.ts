import { OrbweaverError } from '../../../base/errors.ts';
import type { FrontierOptions } from '../../../contracts/state/frontier-options.ts';
import type { HostLedger } from '../../../frontier/host-ledger.ts';
import type { HostId, HostTable } from '../../../frontier/host-table.ts';
import type { LeaseRows } from '../rows/lease-rows.ts';
import type { QueueRow, QueueRows } from '../rows/queue-rows.ts';

export interface HostTurnsParts {
  readonly hosts: HostTable;
  readonly ledger: HostLedger;
  readonly leases: LeaseRows;
  readonly queue: QueueRows;
  readonly random: () => number;
}

/** What a host whose turn has come is asked for: something new, or a page that it has given before. */
export class HostTurns {
  readonly #parts: HostTurnsParts;
  readonly #options: FrontierOptions;
  /** Hosts whose last turn went to a page that was visited before. */
  readonly #askedAgain = new Set<HostId>();

  constructor(parts: HostTurnsParts, options: FrontierOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Undefined where its turn has not come after all; 'leased' where all that it may be asked for is leased. */
  next(host: HostId): QueueRow | 'leased' | undefined {
    const { hosts, ledger, leases, queue, random } = this.#parts;
    const { lanes, laneChoice } = this.#options;
    const leased = leases.of(host);
    const onlyRevisits = ledger.onlyRevisits(host);
    const head = onlyRevisits ? queue.headAgain(host, leased) : queue.head(host, lanes, laneChoice, random, leased);
    // A host gives its turns to visits again and to new URLs alternately: neither can starve the other.
    const turnOfFresh = head?.visited === 1 && !onlyRevisits && this.#askedAgain.has(host);
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
  taken(host: HostId, { visited }: QueueRow): void {
    if (visited === 1 && this.#options.revisits === true) this.#askedAgain.add(host);
    else this.#askedAgain.delete(host);
  }
}
