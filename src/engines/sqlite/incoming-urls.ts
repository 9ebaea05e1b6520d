import type { Clock } from '../../base/clock.ts';
import type { CrawlTask, LinkRefusal } from '../../contracts/crawl-task.ts';
import type { AddVerdict, LinkKeys, LinkVerdicts } from '../../contracts/frontier.ts';
import type { HostLedger } from '../../frontier/host-ledger.ts';
import type { SeenSet } from '../../frontier/seen-set.ts';
import type { Counters } from './counters.ts';
import type { HostRoster } from './hosts/host-roster.ts';
import type { HostRows } from './hosts/host-rows.ts';
import type { Neighbours } from './ownership.ts';
import { fingerprintOf, type RejectedUrls } from './rejected-urls.ts';
import type { PageRows } from './rows/page-rows.ts';
import type { SeenRows } from './rows/seen-rows.ts';
import { visitedOf } from './stored-page.ts';
import type { WaitingUrls } from './waiting-urls.ts';

export interface IncomingParts {
  readonly clock: Clock;
  readonly seen: SeenSet;
  readonly seenRows: SeenRows;
  readonly refusals: RejectedUrls;
  readonly roster: HostRoster;
  readonly hostRows: HostRows;
  readonly ledger: HostLedger;
  readonly waiting: WaitingUrls;
  readonly pages: PageRows;
  readonly counters: Counters;
  readonly neighbours: Neighbours | undefined;
}

/** Which URLs come in, each once, and what is kept of those that do not. To be called within a transaction. */
export class IncomingUrls {
  readonly #parts: IncomingParts;

  constructor(parts: IncomingParts) {
    this.#parts = parts;
  }

  /** Those that were neither added nor refused permanently. */
  unknown(keys: LinkKeys): LinkVerdicts {
    const { seen, refusals, neighbours } = this.#parts;
    const { fingerprints } = keys;
    const unknown: number[] = [];
    const foreign: number[] = [];
    for (let place = 0; place < fingerprints.length; place++) {
      const fp = fingerprints[place];
      if (seen.has(fp) || refusals.bars(fp)) continue;
      if (neighbours?.isForeign(keys.host(place))) foreign.push(place);
      else unknown.push(place);
    }
    return { unknown, foreign };
  }

  add(tasks: readonly CrawlTask[]): AddVerdict[] {
    const now = this.#parts.clock.now();
    return tasks.map((task) => this.#addOne(task, now));
  }

  /** At the end of the transaction: all that came in with it is one row of the log. */
  writeSeen(): void {
    const { seenRows, counters } = this.#parts;
    if (seenRows.pending) seenRows.write(++counters.values.batch);
  }

  /** Refused links that are admitted after all; those of other partitions are sent there. Answers how many came in. */
  readmit(tasks: readonly CrawlTask[]): number {
    const { neighbours, refusals } = this.#parts;
    const added = this.add(tasks).filter((verdict) => verdict === 'added').length;
    const foreign = neighbours === undefined ? [] : tasks.filter(({ host }) => neighbours.isForeign(host));
    if (foreign.length > 0) neighbours?.sendLinks(foreign);
    for (const task of foreign) refusals.withdraw(fingerprintOf(task));
    return added + foreign.length;
  }

  /** The links of a page, as far as there is room for them. */
  addLinks(links: readonly CrawlTask[], refusals: readonly LinkRefusal[]): void {
    const { neighbours } = this.#parts;
    if (neighbours !== undefined) {
      const foreign = links.filter(({ host }) => neighbours.isForeign(host));
      if (foreign.length > 0) neighbours.sendLinks(foreign);
    }
    if (links.length > 0) {
      const verdicts = this.add(links);
      for (let i = 0; i < links.length; i++) {
        if (verdicts[i] !== 'over-budget') continue;
        const rule = `the budget of ${links[i].host} is used up or its queue is full`;
        this.#refuse({ task: links[i], by: 'budget', rule });
      }
    }
    for (const refusal of refusals) this.#refuse(refusal);
  }

  /** Links that another partition has found. Side requests are never known, so that one that waits already is left out. */
  addSent(tasks: readonly CrawlTask[]): void {
    const { roster, waiting } = this.#parts;
    const isNew = ({ purpose, host, url }: CrawlTask): boolean =>
      purpose === 'page' || !waiting.queue.hasSideRequest(roster.idOf(host), url);
    this.addLinks(tasks.filter(isNew), []);
  }

  #addOne(task: CrawlTask, now: number): AddVerdict {
    const { seen, seenRows, refusals, roster, hostRows, ledger, waiting, pages, neighbours } = this.#parts;
    if (neighbours?.isForeign(task.host)) return 'foreign';
    const isPage = task.purpose === 'page';
    const fp = fingerprintOf(task);
    const known = isPage && seen.has(fp);
    if (known && !refusals.holds(fp)) return 'known';
    const host = roster.idOf(task.host);
    if (isPage) {
      if (!ledger.hasRoom(host)) return 'over-budget';
      seen.add(fp);
      refusals.withdraw(fp);
    }
    const row = waiting.enter(task, host, now, visitedOf(known ? pages.stored(task.url) : undefined));
    if (isPage) seenRows.add(fp, host, row.lane);
    else hostRows.touch(host);
    return 'added';
  }

  #refuse(refusal: LinkRefusal): void {
    const { seen, refusals, clock } = this.#parts;
    if (!seen.has(fingerprintOf(refusal.task))) refusals.write(refusal, clock.now());
  }
}
