import type { CrawlTask } from '../../contracts/crawl-task.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { Evidence, NumberedVisit } from './evidence.ts';
import type { HostNumbers } from './host-evidence.ts';
import type { PageRankFlow } from './page-rank-flow.ts';
import type { PageNumber } from './page-table.ts';

/** Stands for pages of a host that nobody has heard of, and for those that were visited by chance. */
const IN_DOUBT = 0.5;
/** Votes of a host grow more slowly than in proportion to its visited pages: the first ones have the most to say. */
const GROWTH = 0.6;
/** A vote of another host counts like this many: outside there are more that may follow. */
const OUTSIDE = 2;

/**
 * The PageRank that a page may come to have. Most votes for a page come from its own host, so that the rank of a page whose
 * host has been visited to the end is all that it will ever be, while a page on a host that has just been entered has most of
 * its votes yet to come. By PageRank alone a crawl clears out one host after the other, down to pages that matter to nobody.
 */
export class RankForecast implements Evidence {
  readonly #flow: PageRankFlow;
  readonly #hosts: HostNumbers;
  readonly #waiting: number[] = [];
  readonly #visited: number[] = [];

  constructor(flow: PageRankFlow, hosts: HostNumbers) {
    this.#flow = flow;
    this.#hosts = hosts;
  }

  worth(page: PageNumber): number {
    const votes = this.#flow.rankOf(page) - 1 + (OUTSIDE - 1) * this.#flow.outsideRankOf(page);
    return Math.log2(1 + votes * this.#growthOf(this.#hosts.of.values[page]));
  }

  say(page: PageNumber): string {
    const host = this.#hosts.of.values[page];
    const visited = this.#visited[host] ?? 0;
    return `${this.#flow.say(page)}, ${visited} of ${visited + (this.#waiting[host] ?? 0)} known pages of its host visited`;
  }

  entered(page: PageNumber, task: CrawlTask): void {
    const isKnown = this.#hosts.of.values[page] !== 0;
    const host = this.#hosts.set(page, task.host);
    const from = task.discovery.from;
    if (!isKnown) this.#flow.settleOutside(page, from !== undefined && hostKeyOf(from) === task.host);
    this.#waiting[host] = (this.#waiting[host] ?? 0) + 1;
  }

  left(page: PageNumber): void {
    this.#waiting[this.#hosts.of.values[page]]--;
  }

  visited(visit: NumberedVisit): void {
    this.#flow.visited(visit);
    if (visit.again || !visit.visit.found) return;
    const host = this.#hosts.of.values[visit.page];
    this.#visited[host] = (this.#visited[host] ?? 0) + 1;
  }

  redirected(from: PageNumber, to: PageNumber): void {
    this.#flow.redirected(from, to);
  }

  refresh(): void {
    this.#flow.refresh();
  }

  /** How many times the votes may be that are known by now. */
  #growthOf(host: number): number {
    const visited = (this.#visited[host] ?? 0) + IN_DOUBT;
    return ((visited + (this.#waiting[host] ?? 0)) / visited) ** GROWTH;
  }
}
