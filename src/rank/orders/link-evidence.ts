import type { WaitingPlace } from '../../contracts/place.ts';
import { type Evidence, isNewLink, type NumberedVisit } from './evidence.ts';
import type { Column, PageNumber, PageTable } from './page-table.ts';

/** Authorities: how many of the visited pages link here. */
export class InDegree implements Evidence {
  readonly #links: Column<Uint32Array>;

  constructor(table: PageTable) {
    this.#links = table.column(Uint32Array);
  }

  worth(page: PageNumber): number {
    return Math.log2(Math.max(1, this.#links.values[page]));
  }

  say(page: PageNumber): string | undefined {
    const links = this.#links.values[page];
    return links === 0 ? undefined : links === 1 ? '1 page links here' : `${links} pages link here`;
  }

  visited(visit: NumberedVisit): void {
    const links = this.#links.values;
    for (let at = 0; at < visit.count; at++) if (isNewLink(visit, at)) links[visit.targets[at]]++;
  }

  redirected(from: PageNumber, to: PageNumber): void {
    this.#links.values[to] += this.#links.values[from];
  }
}

/** Hubs: what is linked from pages with many links is likely to be one of a list, and lists lead on to lists. */
export class OutDegree implements Evidence {
  readonly #links: Column<Uint32Array>;
  readonly #degrees: Column<Float32Array>;

  constructor(table: PageTable) {
    this.#links = table.column(Uint32Array);
    this.#degrees = table.column(Float32Array);
  }

  worth(page: PageNumber): number {
    return Math.log2(1 + this.#mean(page));
  }

  say(page: PageNumber): string | undefined {
    const mean = this.#mean(page);
    return mean === 0 ? undefined : `the pages that link here have ${Math.round(mean)} links on average`;
  }

  visited(visit: NumberedVisit): void {
    for (let at = 0; at < visit.count; at++) {
      if (!isNewLink(visit, at)) continue;
      this.#links.values[visit.targets[at]]++;
      this.#degrees.values[visit.targets[at]] += visit.visit.links.length;
    }
  }

  redirected(from: PageNumber, to: PageNumber): void {
    this.#links.values[to] += this.#links.values[from];
    this.#degrees.values[to] += this.#degrees.values[from];
  }

  #mean(page: PageNumber): number {
    return this.#degrees.values[page] / Math.max(1, this.#links.values[page]);
  }
}

/** What the words around the links promise: the best of all links that lead here. */
export class TopicPromise implements Evidence {
  /** A promise of 1 is worth as much as this many doublings of any other evidence. */
  static readonly FULL = 8;
  readonly #promise: Column<Float32Array>;

  constructor(table: PageTable) {
    this.#promise = table.column(Float32Array);
  }

  worth(page: PageNumber): number {
    return TopicPromise.FULL * this.#promise.values[page];
  }

  say(page: PageNumber): string | undefined {
    const promise = this.#promise.values[page];
    return promise === 0 ? undefined : `its links promise ${Math.round(100 * promise)} % of the topic`;
  }

  /** The words that explain its place are all that was kept of it. */
  restored(page: PageNumber, { why = '' }: WaitingPlace): void {
    this.#raise(page, Number(/its links promise (\d+) %/.exec(why)?.[1] ?? 0) / 100);
  }

  visited({ targets, count, visit }: NumberedVisit): void {
    if (visit.promise === undefined) return;
    for (let at = 0; at < count; at++) this.#raise(targets[at], visit.promise[at]);
  }

  entered(page: PageNumber, _task: unknown, hints: { readonly promise?: number } | undefined): void {
    this.#raise(page, hints?.promise ?? 0);
  }

  redirected(from: PageNumber, to: PageNumber): void {
    this.#raise(to, this.#promise.values[from]);
  }

  #raise(page: PageNumber, promise: number): void {
    if (page >= 0 && promise > this.#promise.values[page]) this.#promise.values[page] = promise;
  }
}
