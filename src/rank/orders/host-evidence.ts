import type { CrawlTask } from '../../contracts/crawl-task.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { Evidence, NumberedVisit } from './evidence.ts';
import type { Column, PageNumber, PageTable } from './page-table.ts';

/** Number of the host of each page that was placed; 0 where it is not known. */
export class HostNumbers {
  readonly of: Column<Uint32Array>;
  readonly #numbers = new Map<string, number>();

  constructor(table: PageTable) {
    this.of = table.column(Uint32Array);
  }

  set(page: PageNumber, host: string): number {
    let number = this.#numbers.get(host);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(host, number);
    }
    this.of.values[page] = number;
    return number;
  }
}

/** Hosts that others link to: pages of other hosts with a link to any page of this host. */
export class HostRank implements Evidence {
  readonly #hosts: HostNumbers;
  readonly #links: number[] = [];
  /** Links that came from other hosts before the host of a page was known. */
  readonly #early: Column<Uint32Array>;

  constructor(table: PageTable, hosts: HostNumbers) {
    this.#hosts = hosts;
    this.#early = table.column(Uint32Array);
  }

  worth(page: PageNumber): number {
    return Math.log2(1 + this.#linksTo(page));
  }

  say(page: PageNumber): string | undefined {
    const links = this.#linksTo(page);
    return links === 0 ? undefined : `${links} ${links === 1 ? 'link leads' : 'links lead'} to its host from others`;
  }

  entered(page: PageNumber, task: CrawlTask): void {
    const host = this.#hosts.set(page, task.host);
    const from = task.discovery.from;
    const before = this.#early.values[page];
    // Who found it was counted too, before it was known that both are on one host.
    const own = from !== undefined && before > 0 && hostKeyOf(from) === task.host ? 1 : 0;
    this.#add(host, before - own);
    this.#early.values[page] = 0;
  }

  visited({ page, targets, count, again }: NumberedVisit): void {
    if (again) return;
    const hosts = this.#hosts.of.values;
    for (let at = 0; at < count; at++) {
      const target = targets[at];
      if (target < 0) continue;
      if (hosts[target] === 0) this.#early.values[target]++;
      else if (hosts[target] !== hosts[page]) this.#add(hosts[target], 1);
    }
  }

  #add(host: number, links: number): void {
    this.#links[host] = (this.#links[host] ?? 0) + links;
  }

  #linksTo(page: PageNumber): number {
    return this.#links[this.#hosts.of.values[page]] ?? 0;
  }
}

/** Larger sites first: URLs of the same host that wait. */
export class HostSize implements Evidence {
  readonly #hosts: HostNumbers;
  readonly #waiting: number[] = [];

  constructor(hosts: HostNumbers) {
    this.#hosts = hosts;
  }

  worth(page: PageNumber): number {
    return Math.log2(Math.max(1, this.#waitingWith(page)));
  }

  say(page: PageNumber): string {
    return `${this.#waitingWith(page)} of its host wait`;
  }

  entered(page: PageNumber, task: CrawlTask): void {
    const host = this.#hosts.set(page, task.host);
    this.#waiting[host] = (this.#waiting[host] ?? 0) + 1;
  }

  left(page: PageNumber): void {
    this.#waiting[this.#hosts.of.values[page]]--;
  }

  #waitingWith(page: PageNumber): number {
    return this.#waiting[this.#hosts.of.values[page]] ?? 0;
  }
}
