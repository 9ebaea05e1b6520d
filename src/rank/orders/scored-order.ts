import { fingerprint } from '../../base/fingerprint.ts';
import type { CrawlOrder, EarlierRuns, OrderedVisit, PlaceHints } from '../../contracts/crawl-order.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { Place, PlaceChange, WaitingPlace } from '../../contracts/place.ts';
import type { WeighedEvidence } from './evidence.ts';
import { LaneBounds } from './lane-bounds.ts';
import { type Column, type PageNumber, PageState, type PageTable } from './page-table.ts';
import { PastReplay, STEPS_AT_A_TIME, waitingTask } from './past-replay.ts';
import { boostOf } from './url-boosts.ts';
import { VisitReader } from './visit-reader.ts';

export interface ScoredOrderOptions {
  readonly table: PageTable;
  readonly evidences: readonly WeighedEvidence[];
  readonly lanes: number;
  /** Visited pages stay in the table, because an evidence is computed over the graph. */
  readonly keepsVisited: boolean;
}

/** All waiting URLs are judged again after visits to so large a part of them, but not more often than every 16th visit. */
const PART_BETWEEN_REFITS = 1 / 128;
const LEAST_VISITS_BETWEEN_REFITS = 16;
/** Scores that the bounds of the lanes are fitted to. */
const SAMPLE = 16_384;
const MOVES_AT_A_TIME = 1024;
const FIRST = { lane: 0, why: 'a seed' } as const;

/**
 * Best-first: a URL's score is the weighted sum of all evidence, and its lane is where that score stands among those that
 * wait. After every visit the pages that it links to are judged again, now and then all of them.
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
    if (this.#table.state.values[page] === PageState.first) return FIRST;
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
    const hasPriorities = visit.priority !== undefined;
    if (hasPriorities) for (const { evidence } of this.#evidences) evidence.listed?.(read);
    if (votes) for (const { evidence } of this.#evidences) evidence.visited?.(read);
    this.#visitsSinceRefit++;
    const isDue = this.#visitsSinceRefit >= Math.max(LEAST_VISITS_BETWEEN_REFITS, PART_BETWEEN_REFITS * this.#waiting);
    const changes = isDue ? this.#refit() : votes || hasPriorities ? this.#judge(read.targets, read.count) : [];
    this.#lastVisit = visit.found ? undefined : { page, url: visit.task.url };
    if (!this.#keepsVisited) this.#reader.forgetLater(page);
    return changes;
  }

  maintain(): readonly PlaceChange[] {
    return this.#visitsSinceRefit === 0 ? [] : this.#refit();
  }

  async *restore({ waiting, past, changed }: EarlierRuns): AsyncGenerator<readonly PlaceChange[]> {
    const replay = new PastReplay(this.#table, this.#reader, this.#evidences, this.#keepsVisited);
    if (past !== undefined) {
      let steps = 0;
      for (const { fingerprint } of waiting()) {
        replay.expect(fingerprint);
        if (++steps % STEPS_AT_A_TIME === 0) yield [];
      }
      for await (const _ of replay.goThrough(past)) yield [];
    }
    // Lanes of another order tell nothing for this one.
    if (past === undefined && changed !== 'order') this.#earlier = this.#table.column(Float32Array);
    yield* this.#restorePlaces(waiting(), replay, changed);
    this.#waiting = replay.waiting();
    if (this.#earlier !== undefined) this.#estimateEarlier(this.#earlier, changed);
    if (changed === undefined) this.#adoptLanes();
    else yield* this.#placeAnew();
  }

  *#restorePlaces(
    waiting: Iterable<WaitingPlace>,
    replay: PastReplay,
    changed: EarlierRuns['changed'],
  ): Generator<readonly PlaceChange[]> {
    const seeds: PlaceChange[] = [];
    let steps = 0;
    for (const place of waiting) {
      if (++steps % STEPS_AT_A_TIME === 0) yield [];
      const page = this.#reader.numberOf(place.fingerprint);
      if (this.#table.state.values[page] === PageState.first) continue;
      replay.enter(page, waitingTask(place));
      for (const { evidence } of this.#evidences) evidence.restored?.(page, place);
      this.#lane.values[page] = Math.min(place.lane, this.#bounds.lanes - 1);
      if (this.#earlier !== undefined) {
        // A lane that the user's wish has brought about tells nothing where that is another now.
        const isTelling = changed === undefined || !boostOf(place.why);
        this.#earlier.values[page] = isTelling ? this.#bounds.typicalScore(this.#lane.values[page]) : Number.NaN;
      }
      if (place.isSeed === true) {
        this.#table.state.values[page] = PageState.first;
        seeds.push({ fingerprint: place.fingerprint, ...FIRST });
      }
    }
    if (changed !== undefined) yield seeds;
  }

  /** Of the links of earlier runs nothing is known but where they have brought each page: here, a score typical of its lane. */
  #estimateEarlier(earlier: Column<Float32Array>, changed: EarlierRuns['changed']): void {
    const weight = this.#evidences.reduce((sum, { weight }) => Math.max(sum, weight), 0);
    const isWaiting = (page: PageNumber): boolean => this.#table.state.values[page] === PageState.waiting;
    let sum = 0;
    let known = 0;
    for (let page = 0; page < this.#table.end; page++) {
      if (!isWaiting(page) || Number.isNaN(earlier.values[page])) continue;
      sum += earlier.values[page];
      known++;
    }
    const mean = known === 0 ? 0 : sum / known;
    for (let page = 0; page < this.#table.end; page++) {
      if (!isWaiting(page)) continue;
      const typical = Number.isNaN(earlier.values[page]) ? mean : earlier.values[page];
      earlier.values[page] = weight * typical - this.#found(page, changed === undefined);
    }
  }

  /** The lanes on disk are right for nearly all pages: bounds that agree with them spare moving these. */
  #adoptLanes(): void {
    const counts = new Uint32Array(this.#bounds.lanes);
    for (let page = 0; page < this.#table.end; page++) {
      if (this.#table.state.values[page] === PageState.waiting) counts[this.#lane.values[page]]++;
    }
    this.#bounds.adopt(this.#scoresOfWaiting().sample, counts);
  }

  /** Every page that waits gets the place that this order gives it, and the reason. */
  *#placeAnew(): Generator<readonly PlaceChange[]> {
    this.#bounds.fit(this.#scoresOfWaiting().sample);
    let batch: PlaceChange[] = [];
    for (let page = 0; page < this.#table.end; page++) {
      if (this.#table.state.values[page] !== PageState.waiting) continue;
      batch.push(this.#move(page, this.#bounds.laneOf(this.#score(page))));
      if (batch.length < MOVES_AT_A_TIME) continue;
      yield batch;
      batch = [];
    }
    yield batch;
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
    // As exact as the scores that the bounds were fitted to, or a page would fall short of its own.
    return Math.fround((this.#earlier?.values[page] ?? 0) + this.#found(page, true));
  }

  /** By what is known in this run; with the wishes of the user or without. */
  #found(page: PageNumber, withWishes: boolean): number {
    let score = 0;
    for (const { evidence, weight } of this.#evidences) {
      if (withWishes || evidence.isWish !== true) score += weight * evidence.worth(page);
    }
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

  #refit(): PlaceChange[] {
    this.#visitsSinceRefit = 0;
    for (const { evidence } of this.#evidences) evidence.refresh?.();
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
