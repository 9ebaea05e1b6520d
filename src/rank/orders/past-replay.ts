import { fingerprint } from '../../base/fingerprint.ts';
import type { PastVisit, PastVisits } from '../../contracts/crawl-order.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { WaitingPlace } from '../../contracts/place.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { WeighedEvidence } from './evidence.ts';
import { type PageNumber, PageState, type PageTable } from './page-table.ts';
import type { VisitReader } from './visit-reader.ts';

/** What is computed over the graph comes to rest after some rounds. */
const REFRESHES = 8;
export const STEPS_AT_A_TIME = 4096;
const VISITS_AT_A_TIME = 16;

/**
 * Goes through the visits of earlier runs once more, in their order, so that all evidence is what it was when the last of
 * them ended. Only pages that a crawl has let in begin to wait: those that still do, and those that were visited.
 */
export class PastReplay {
  readonly #table: PageTable;
  readonly #reader: VisitReader;
  readonly #evidences: readonly WeighedEvidence[];
  readonly #keepsVisited: boolean;

  constructor(table: PageTable, reader: VisitReader, evidences: readonly WeighedEvidence[], keepsVisited: boolean) {
    this.#table = table;
    this.#reader = reader;
    this.#evidences = evidences;
    this.#keepsVisited = keepsVisited;
  }

  /** The page was let in. */
  expect(fingerprint: bigint): void {
    const page = this.#reader.numberOf(fingerprint);
    const state = this.#table.state.values;
    if (state[page] === PageState.seen) state[page] = PageState.expected;
  }

  /** Yields now and then, for others to have their turn. */
  async *goThrough(past: PastVisits): AsyncGenerator<undefined> {
    let steps = 0;
    for (const page of past.pages()) {
      this.expect(page);
      if (++steps % STEPS_AT_A_TIME === 0) yield;
    }
    for await (const visit of past.visits()) {
      this.#visit(visit);
      if (++steps % VISITS_AT_A_TIME === 0) yield;
    }
    for (let round = 0; round < REFRESHES; round++) {
      for (const { evidence } of this.#evidences) evidence.refresh?.();
      yield;
    }
  }

  /** The page begins to wait, unless it does already. */
  enter(page: PageNumber, task: CrawlTask): void {
    const state = this.#table.state.values;
    if (state[page] === PageState.waiting || state[page] === PageState.first) return;
    state[page] = PageState.waiting;
    for (const { evidence } of this.#evidences) evidence.entered?.(page, task, undefined);
  }

  /** How many pages wait. */
  waiting(): number {
    const state = this.#table.state.values;
    let waiting = 0;
    for (let page = 0; page < this.#table.end; page++) if (state[page] === PageState.waiting) waiting++;
    return waiting;
  }

  #visit({ url, links }: PastVisit): void {
    const task = taskOf(url, undefined);
    const page = this.#reader.numberOf(task.fingerprint as bigint);
    this.enter(page, task);
    for (const { evidence } of this.#evidences) evidence.left?.(page);
    this.#table.state.values[page] = PageState.visited;
    const fingerprints = BigUint64Array.from(links, fingerprint);
    const visit = {
      task,
      fingerprint: task.fingerprint as bigint,
      at: 0,
      found: true,
      links: fingerprints,
      unknown: [],
    };
    const read = this.#reader.read(visit, page, false);
    for (const { evidence } of this.#evidences) evidence.visited?.(read);
    for (let at = 0; at < read.count; at++) {
      const target = read.targets[at];
      const isNew = target >= 0 && this.#table.state.values[target] === PageState.expected;
      if (isNew) this.enter(target, taskOf(links[at], url));
    }
    if (!this.#keepsVisited) this.#reader.forgetLater(page);
  }
}

/** The URL as if it had come in just now. */
export function waitingTask({ url, depth, inFeed }: WaitingPlace): CrawlTask {
  return { ...taskOf(url, undefined), depth, discovery: { how: inFeed ? 'feed' : 'link' } };
}

function taskOf(url: CanonicalUrl, from: CanonicalUrl | undefined): CrawlTask {
  return {
    url,
    fingerprint: fingerprint(url),
    host: hostKeyOf(url),
    depth: 0,
    redirects: 0,
    lane: 0,
    discovery: from === undefined ? { how: 'seed' } : { how: 'link', from },
    purpose: 'page',
  };
}
