import type { ContentSketch, NearDuplicateIndex, SketchStore } from '../../contracts/content/content-sketch.ts';
import type { NearChange, NearTo, SketchSnapshot } from '../../contracts/crawl-task.ts';
import type { SketchKeeper } from '../../contracts/state/sketch-keeper.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';

/** What became of a comparison. */
export interface Compared {
  readonly kept: SketchSnapshot;
  readonly near?: NearTo;
  /** Other pages that are near to another one now. */
  readonly changes: readonly NearChange[];
}

/** What is not in the state yet; without a sketch it has left. */
interface Unsettled {
  readonly url?: CanonicalUrl;
  readonly contentSketch?: ContentSketch;
  readonly nearTo?: number;
}

/** Sketches held in memory: pages of one site share phrases, so most of what is asked for was compared lately. */
const RECENT = 4096;
/** Steps from a page to the first of its cluster that are followed; one that is farther off counts as one's own. */
const MOST_STEPS = 32;

/**
 * Compares every page with all others as they are now. The index lies in memory and is filled from the state; what is not
 * settled yet is remembered here, so that two pages that come at once are compared as well.
 *
 * A page has one document for as long as it has a text to compare, and a document one place in the index: a new version
 * replaces the one before. Documents lead to those they are near to, never in a circle.
 */
export class NearDuplicates {
  readonly #keeper: SketchKeeper;
  readonly #index: NearDuplicateIndex;
  readonly #unsettled = new Map<number, Unsettled>();
  /** The newest last. */
  readonly #recent = new Map<number, ContentSketch>();
  #last: number;

  constructor(keeper: SketchKeeper, makeIndex: (store: SketchStore) => NearDuplicateIndex) {
    this.#keeper = keeper;
    this.#index = makeIndex({ contentSketch: (document) => this.#sketchOf(document) });
    this.#last = keeper.last();
    for (const [document, contentSketch] of keeper.all()) this.#index.add(document, contentSketch);
  }

  /** Documents that can be found. */
  get size(): number {
    return this.#index.size;
  }

  /** `known`: the document of the page, where it has one. */
  compare(url: CanonicalUrl, contentSketch: ContentSketch, known?: number): Compared {
    const given = known ?? this.#keeper.next?.(url);
    const document = given ?? ++this.#last;
    // Nobody has heard of a number that was never given.
    const members = given !== undefined && this.#drop(document) ? this.#members(document) : [];
    // They come first: one that goes may be what this page is near to from now on.
    const changes = members.flatMap((member) => this.#rejoin(member, { document, url, contentSketch }));
    const near = this.#nearest(document, contentSketch, members.length > 0);
    this.#index.add(document, contentSketch);
    this.#remember(document, contentSketch);
    this.#unsettled.set(document, { url, contentSketch, ...leadingTo(near) });
    const found = near === undefined ? {} : { nearTo: near.document, jaccard: near.jaccard };
    return { kept: { ...contentSketch, document, ...found }, changes, ...(near === undefined ? {} : { near }) };
  }

  /** The page of a document has no text of its own any more. */
  leave(document: number): readonly NearChange[] {
    if (!this.#drop(document)) return [];
    this.#recent.delete(document);
    this.#unsettled.set(document, {});
    return this.#members(document).flatMap((member) => this.#rejoin(member));
  }

  /** A page that had left is there again as it was; undefined where it had not left. */
  comeBack(url: CanonicalUrl, document: number): Compared | undefined {
    if (this.#sketchOf(document) !== undefined) return undefined;
    const contentSketch = this.#keeper.left(document);
    if (contentSketch === undefined) return undefined;
    const compared = this.compare(url, contentSketch, document);
    const itself = { url, document, ...(compared.near === undefined ? {} : { near: compared.near }) };
    return { ...compared, changes: [...compared.changes, itself] };
  }

  /** Everything compared so far is in the state, or was given up. `written`: what is surely in the state. */
  settled(written: readonly SketchSnapshot[] = []): void {
    const kept = new Map(written.map((snapshot) => [snapshot.document, snapshot.sketch]));
    for (const [document, { contentSketch }] of this.#unsettled)
      if (contentSketch === undefined || kept.get(document) !== contentSketch.sketch)
        this.#agree(document, contentSketch);
    this.#unsettled.clear();
  }

  /** A visit whose lease had run out was given up: the index follows the state. */
  #agree(document: number, contentSketch: ContentSketch | undefined): void {
    const kept = this.#keeper.contentSketch(document);
    if (kept?.simhash === contentSketch?.simhash && isSame(kept?.sketch, contentSketch?.sketch)) return;
    if (contentSketch !== undefined) this.#index.remove(document, contentSketch);
    if (kept !== undefined) this.#index.add(document, kept);
    this.#recent.delete(document);
  }

  /** Takes what the document was before out of the index; whether it was there. */
  #drop(document: number): boolean {
    const former = this.#sketchOf(document);
    return former !== undefined && this.#index.remove(document, former);
  }

  /** The likest page that is not near to this one itself. */
  #nearest(document: number, contentSketch: ContentSketch, hasMembers: boolean): NearTo | undefined {
    for (const alike of this.#index.alike(contentSketch)) {
      if (alike.document === document || (hasMembers && this.#leadsTo(alike.document, document))) continue;
      const url = this.#urlOf(alike.document);
      // Texts whose pages have been given up belong to nobody.
      if (url !== undefined) return { document: alike.document, url, jaccard: rounded(alike.jaccard) };
    }
    return undefined;
  }

  /** A page was near to one that is another now, or none: it stays if it can, or finds another, or stands alone. */
  #rejoin(
    member: number,
    now?: { readonly document: number; readonly url: CanonicalUrl; readonly contentSketch: ContentSketch },
  ): readonly NearChange[] {
    const url = this.#urlOf(member);
    const contentSketch = this.#sketchOf(member);
    if (url === undefined || contentSketch === undefined) return [];
    const jaccard = now && this.#index.jaccard(contentSketch, now.contentSketch);
    const near =
      now === undefined || jaccard === undefined
        ? this.#nearest(member, contentSketch, true)
        : { document: now.document, url: now.url, jaccard: rounded(jaccard) };
    this.#unsettled.set(member, { url, contentSketch, ...leadingTo(near) });
    return [{ document: member, url, ...(near === undefined ? {} : { near }) }];
  }

  #members(document: number): number[] {
    const members = new Set(this.#keeper.members(document));
    for (const [other, { nearTo }] of this.#unsettled) {
      if (nearTo === document) members.add(other);
      else members.delete(other);
    }
    return [...members].sort((a, b) => a - b);
  }

  #leadsTo(document: number, end: number): boolean {
    let at: number | undefined = document;
    for (let step = 0; step < MOST_STEPS; step++) {
      if (at === end) return true;
      const unsettled = this.#unsettled.get(at);
      at = unsettled === undefined ? this.#keeper.nearTo(at) : unsettled.nearTo;
      if (at === undefined) return false;
    }
    return true;
  }

  #sketchOf(document: number): ContentSketch | undefined {
    const unsettled = this.#unsettled.get(document);
    const known = unsettled === undefined ? this.#recent.get(document) : unsettled.contentSketch;
    if (known !== undefined || unsettled !== undefined) return known;
    const kept = this.#keeper.contentSketch(document);
    if (kept !== undefined) this.#remember(document, kept);
    return kept;
  }

  #remember(document: number, contentSketch: ContentSketch): void {
    this.#recent.set(document, contentSketch);
    if (this.#recent.size <= RECENT) return;
    for (const oldest of this.#recent.keys()) {
      this.#recent.delete(oldest);
      return;
    }
  }

  #urlOf(document: number): CanonicalUrl | undefined {
    const unsettled = this.#unsettled.get(document);
    return unsettled === undefined ? this.#keeper.urlOf(document) : unsettled.url;
  }
}

function leadingTo(near: NearTo | undefined): { readonly nearTo?: number } {
  return near === undefined ? {} : { nearTo: near.document };
}

function rounded(jaccard: number): number {
  return Math.round(jaccard * 1000) / 1000;
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0);
}
