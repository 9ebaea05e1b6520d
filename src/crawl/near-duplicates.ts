import type { KeptLikeness } from '../contracts/crawl-task.ts';
import type { Likeness, LikenessStore, NearDuplicateIndex } from '../contracts/likeness.ts';
import type { CanonicalUrl } from '../contracts/url.ts';

export interface LikenessKeeper extends LikenessStore {
  urlOf(document: number): CanonicalUrl | undefined;
  last(): number;
  all(): Iterable<readonly [document: number, likeness: Likeness]>;
}

/** What became of a comparison. */
export interface Compared {
  readonly kept: KeptLikeness;
  readonly near?: { readonly url: CanonicalUrl; readonly jaccard: number };
}

/**
 * Likenesses held in memory. Pages of one site share phrases and are compared with each other again and again, so that
 * most of what is asked for was compared lately.
 */
const RECENT = 4096;

/**
 * Compares every page with all that came before it. The index lies in memory and is filled from the state; what is not
 * settled yet is remembered here, so that two pages that come at once are compared as well.
 */
export class NearDuplicates {
  readonly #keeper: LikenessKeeper;
  readonly #index: NearDuplicateIndex;
  readonly #unsettled = new Map<number, CanonicalUrl>();
  /** The newest last. Whatever is not settled yet is among them. */
  readonly #recent = new Map<number, Likeness>();
  #last: number;

  constructor(keeper: LikenessKeeper, makeIndex: (store: LikenessStore) => NearDuplicateIndex) {
    this.#keeper = keeper;
    this.#index = makeIndex({ likeness: (document) => this.#likenessOf(document) });
    this.#last = keeper.last();
    for (const [document, likeness] of keeper.all()) this.#index.add(document, likeness);
  }

  compare(url: CanonicalUrl, likeness: Likeness): Compared {
    const document = ++this.#last;
    // A page that has changed is like itself as it was before, and texts that it no longer has belong to nobody.
    const likest = this.#index.alike(likeness).find((alike) => (this.#urlOf(alike.document) ?? url) !== url);
    this.#index.add(document, likeness);
    this.#unsettled.set(document, url);
    this.#remember(document, likeness);
    const other = likest && this.#urlOf(likest.document);
    if (likest === undefined || other === undefined) return { kept: { ...likeness, document } };
    const jaccard = Math.round(likest.jaccard * 1000) / 1000;
    return {
      kept: { ...likeness, document, nearTo: likest.document, jaccard },
      near: { url: other, jaccard },
    };
  }

  /** Everything compared so far is in the state, or was given up. */
  settled(): void {
    this.#unsettled.clear();
  }

  #likenessOf(document: number): Likeness | undefined {
    const known = this.#recent.get(document);
    if (known !== undefined) return known;
    const kept = this.#keeper.likeness(document);
    if (kept !== undefined) this.#remember(document, kept);
    return kept;
  }

  #remember(document: number, likeness: Likeness): void {
    this.#recent.set(document, likeness);
    if (this.#recent.size <= Math.max(RECENT, 2 * this.#unsettled.size)) return;
    for (const oldest of this.#recent.keys()) {
      if (this.#unsettled.has(oldest)) continue;
      this.#recent.delete(oldest);
      return;
    }
  }

  #urlOf(document: number): CanonicalUrl | undefined {
    return this.#unsettled.get(document) ?? this.#keeper.urlOf(document);
  }
}
