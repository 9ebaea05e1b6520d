import { fingerprint } from '../../base/fingerprint.ts';
import type { CrawlOrder, OrderedVisit, PlaceHints } from '../../contracts/crawl-order.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { Place, PlaceChange, WaitingPlace } from '../../contracts/place.ts';
import type { Evidence } from './evidence.ts';
import { LaneBounds } from './lane-bounds.ts';
import { type Column, type PageNumber, PageState, type PageTable } from './page-table.ts';
import { VisitReader } from './visit-reader.ts';

export interface WeighedEvidence {
  readonly evidence: Evidence;
  readonly weight: number;
}

export interface ScoredOrderOptions {
  readonly table: PageTable;
  readonly evidences: readonly WeighedEvidence[];
  readonly lanes: number;
  /** Visited pages stay in the table, because an evidence is computed over the graph. */
  readonly keepsVisited: boolean;
}

/** All waiting URLs are judged anew after visits to so large a part of them, but not more often than every 16th visit. */
const PART_BETWEEN_REFITS = 1 / 128;
const LEAST_VISITS_BETWEEN_REFITS = 16;
/** Scores that the bounds of the lanes are fitted to. */
const SAMPLE = 16_384;

/**
 * Best-first: a URL's score is the weighted sum of all evidence, and its lane is where that score stands among those that
 * wait. After every visit the pages that it links to are judged anew, now and then all of them.
 */
export class ScoredOrder implements CrawlOrder {
  readonly within = 'fifo';
  readonly moves = true;
  readonly #table: PageTable;
  readonly #evidences: readonly WeighedEvidence[];
  readonly #bounds: LaneBounds;
  readonly #reader: VisitReader;
  readonly #keepsVisited: boolean;
  readonly #lane: Column<Uint16Array>;
  /** What an earlier run knew of a page, as far as its lane tells. */
  #earlier: Column<Float32Array> | undefined;
  #waiting = 0;
  #visitsSinceRefit = 0;
  #lastVisit: { readonly page: PageNumber; readonly url: string } | undefined;

  constructor({ table, evidences, lanes, keepsVisited }: ScoredOrderOptions) {
    this.#table = table;
    this.#evidences = evidences;
    this.#bounds = new LaneBounds(lanes);
    this.#reader = new VisitReader(table, keepsVisited);
    this.#keepsVisited = keepsVisited;
    this.#lane = table.column(Uint16Array);
  }

  place(task: CrawlTask, hints?: PlaceHints): Place {
    if (task.purpose !== 'page') return { lane: 0, why: `for ${task.purpose}` };
    const page = this.#reader.numberOf(task.fingerprint ?? fingerprint(task.url));
    if (!this.#isQueued(page)) {
      const isSeed = task.discovery.how === 'seed';
      this.#table.state.values[page] = isSeed ? PageState.first : PageState.waiting;
      if (!isSeed) this.#waiting++;
      for (const { evidence } of this.#evidences) evidence.entered?.(page, task, hints);
      this.#takeOver(page, task);
    }
    if (this.#table.state.values[page] === PageState.first) return { lane: 0, why: 'a seed' };
    const lane = this.#bounds.laneOf(this.#score(page));
    this.#lane.values[page] = lane;
    return { lane, why: this.#why(page) };
  }

  visited(visit: OrderedVisit): readonly PlaceChange[] {
    if (visit.task.purpose !== 'page') return [];
    const page = this.#reader.numberOf(visit.fingerprint);
    const again = this.#table.state.values[page] === PageState.visited;
    this.#leave(page);
    // Where nothing was found the links are yet to be counted, if it is there another time.
    this.#table.state.values[page] = visit.found || again ? PageState.visited : PageState.seen;
    const read = this.#reader.read(visit, page, again);
    // A list of a site's own making is no vote for what it lists.
    const votes = visit.task.discovery.how !== 'sitemap-file';
    if (votes) for (const { evidence } of this.#evidences) evidence.visited?.(read);
    this.#visitsSinceRefit++;
    const isDue = this.#visitsSinceRefit >= Math.max(LEAST_VISITS_BETWEEN_REFITS, PART_BETWEEN_REFITS * this.#waiting);
    const changes = isDue ? this.#refit(visit.at) : votes ? this.#judge(read.targets, read.count) : [];
    this.#lastVisit = visit.found ? undefined : { page, url: visit.task.url };
    if (!this.#keepsVisited) this.#reader.forgetLater(page);
    return changes;
  }

  tend(now: number): readonly PlaceChange[] {
    return this.#visitsSinceRefit === 0 ? [] : this.#refit(now);
  }

  restore(waiting: Iterable<WaitingPlace>): void {
    const earlier = this.#table.column(Float32Array);
    this.#earlier = earlier;
    for (const place of waiting) {
      const page = this.#reader.numberOf(place.fingerprint);
      if (this.#isQueued(page)) continue;
      this.#table.state.values[page] = PageState.waiting;
      this.#waiting++;
      for (const { evidence } of this.#evidences) evidence.restored?.(page, place);
      const lane = Math.min(place.lane, this.#bounds.lanes - 1);
      this.#lane.values[page] = lane;
      const weight = this.#evidences.reduce((sum, { weight }) => Math.max(sum, weight), 0);
      earlier.values[page] = weight * this.#bounds.typicalScore(lane) - this.#score(page);
    }
  }

  #isQueued(page: PageNumber): boolean {
    const state = this.#table.state.values[page];
    return state === PageState.waiting || state === PageState.first;
  }

  #leave(page: PageNumber): void {
    if (!this.#isQueued(page)) return;
    if (this.#table.state.values[page] === PageState.waiting) this.#waiting--;
    for (const { evidence } of this.#evidences) evidence.left?.(page);
  }

  /** The target of a redirect stands for the page that led to it. */
  #takeOver(page: PageNumber, task: CrawlTask): void {
    if (task.discovery.how !== 'redirect' || this.#lastVisit?.url !== task.discovery.from) return;
    const from = this.#lastVisit?.page;
    if (from === undefined || from === page) return;
    for (const { evidence } of this.#evidences) evidence.redirected?.(from, page);
  }

  #score(page: PageNumber): number {
    let score = this.#earlier?.values[page] ?? 0;
    for (const { evidence, weight } of this.#evidences) score += weight * evidence.worth(page);
    return score;
  }

  #why(page: PageNumber): string {
    const parts: string[] = [];
    for (const { evidence } of this.#evidences) {
      const said = evidence.say(page);
      if (said !== undefined) parts.push(said);
    }
    if ((this.#earlier?.values[page] ?? 0) !== 0) parts.push('and what was known before the last stop');
    return parts.join(', ');
  }

  #judge(pages: Int32Array, count: number): PlaceChange[] {
    const changes: PlaceChange[] = [];
    for (let at = 0; at < count; at++) {
      const page = pages[at];
      if (page < 0 || this.#table.state.values[page] !== PageState.waiting) continue;
      const lane = this.#bounds.laneOf(this.#score(page));
      if (this.#bounds.isWorthMoving(this.#lane.values[page], lane)) changes.push(this.#move(page, lane));
    }
    return changes;
  }

  #move(page: PageNumber, lane: number): PlaceChange {
    this.#lane.values[page] = lane;
    return { fingerprint: this.#table.fingerprintOf(page), lane, why: this.#why(page) };
  }

  #refit(now: number): PlaceChange[] {
    this.#visitsSinceRefit = 0;
    for (const { evidence } of this.#evidences) evidence.refresh?.(now);
    const { scores, sample } = this.#scoresOfWaiting();
    this.#bounds.fit(sample);
    const state = this.#table.state.values;
    const lanes = this.#lane.values;
    const changes: PlaceChange[] = [];
    for (let page = 0, at = 0; page < this.#table.end; page++) {
      if (state[page] !== PageState.waiting) continue;
      const lane = this.#bounds.laneOf(scores[at++]);
      if (this.#bounds.isWorthMoving(lanes[page], lane)) changes.push(this.#move(page, lane));
    }
    return changes;
  }

  #scoresOfWaiting(): { scores: Float32Array; sample: Float64Array } {
    const state = this.#table.state.values;
    const scores = new Float32Array(this.#waiting);
    const stride = Math.max(1, Math.ceil(this.#waiting / SAMPLE));
    const sample = new Float64Array(Math.ceil(this.#waiting / stride));
    for (let page = 0, at = 0; page < this.#table.end; page++) {
      if (state[page] !== PageState.waiting) continue;
      scores[at] = this.#score(page);
      if (at % stride === 0) sample[at / stride] = scores[at];
      at++;
    }
    return { scores, sample };
  }
}
