import type { Clock } from '../../base/clock.ts';
import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { Settlement } from '../../contracts/crawl-task.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { HostLedger } from '../../frontier/host-ledger.ts';
import type { HostId, HostTable } from '../../frontier/host-table.ts';
import type { Neighbours } from './ownership.ts';
import type { PageRows } from './rows/page-rows.ts';

const ROBOTS_HOLD = 'waits for robots.txt of another host';

/** What a robots.txt does to the clock of the host it belongs to. */
export class RobotsEffects {
  readonly #hosts: HostTable;
  readonly #ledger: HostLedger;
  readonly #pages: PageRows;
  readonly #clock: Clock;
  readonly #neighbours: Neighbours | undefined;

  constructor(hosts: HostTable, ledger: HostLedger, pages: PageRows, clock: Clock, neighbours?: Neighbours) {
    this.#hosts = hosts;
    this.#ledger = ledger;
    this.#pages = pages;
    this.#clock = clock;
    this.#neighbours = neighbours;
  }

  /** Sets the Crawl-delay of the host the file belongs to; a file that lies elsewhere holds its host until it is read. */
  known({ robots, claim, links }: Settlement, host: HostId): void {
    if (robots === undefined) return;
    if (claim.task.purpose === 'robots' && this.#neighbours?.isForeign(hostKeyOf(robots.origin))) {
      this.#neighbours.sendRobots(robots);
      return;
    }
    const owner = claim.task.purpose === 'robots' ? this.#hostOfOrigin(robots.origin) : host;
    if (owner === undefined) return;
    if (robots.state !== 'moved') {
      this.#ledger.setCrawlDelay(
        owner,
        Math.max(robots.crawlDelayMs ?? 0, this.#pages.sisterCrawlDelay(robots.origin)),
      );
    }
    // On the same host the robots task simply goes first; a hold would keep it from being asked at all.
    if (robots.state === 'moved' && links?.some((link) => link.host !== this.#hosts.keyOf(owner))) {
      this.#ledger.hold(owner, robots.expiresAt, ROBOTS_HOLD);
      return;
    }
    this.#ledger.unhold(owner, ROBOTS_HOLD);
    if (robots.state === 'disallow-all' && owner !== host) this.#pushBack(owner, robots);
  }

  /** The file of a host of ours was read elsewhere; of two the one fetched later counts. */
  told(record: RobotsRecord): void {
    const owner = this.#hostOfOrigin(record.origin);
    if (owner === undefined || !this.#pages.writeRobots(record) || record.state === 'moved') return;
    this.#ledger.setCrawlDelay(owner, Math.max(record.crawlDelayMs ?? 0, this.#pages.sisterCrawlDelay(record.origin)));
    this.#ledger.unhold(owner, ROBOTS_HOLD);
    if (record.state === 'disallow-all') this.#pushBack(owner, record);
  }

  #pushBack(owner: HostId, { why }: RobotsRecord): void {
    this.#ledger.pushBack(owner, this.#clock.now(), { kind: 'unreachable', why: `robots.txt: ${why}` });
  }

  #hostOfOrigin(origin: string): HostId | undefined {
    return this.#hosts.idOf(hostKeyOf(origin));
  }
}

function hostKeyOf(origin: string): HostKey {
  return origin.slice(origin.indexOf('://') + 3) as HostKey;
}
