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
 * Compares every page with all that came before it. The index lies in memory and is filled from the state; what is not
 * settled yet is remembered here, so that two pages that come at once are compared as well.
 */
export class NearDuplicates {
  readonly #keeper: LikenessKeeper;
  readonly #index: NearDuplicateIndex;
  readonly #unsettled = new Map<number, { readonly likeness: Likeness; readonly url: CanonicalUrl }>();
  #last: number;

  constructor(keeper: LikenessKeeper, makeIndex: (store: LikenessStore) => NearDuplicateIndex) {
    this.#keeper = keeper;
    this.#index = makeIndex({
      likeness: (document) => this.#unsettled.get(document)?.likeness ?? keeper.likeness(document),
    });
    this.#last = keeper.last();
    for (const [document, likeness] of keeper.all()) this.#index.add(document, likeness);
  }

  compare(url: CanonicalUrl, likeness: Likeness): Compared {
    const document = ++this.#last;
    const [likest] = this.#index.alike(likeness);
    this.#index.add(document, likeness);
    this.#unsettled.set(document, { likeness, url });
    const other = likest && this.#urlOf(likest.document);
    if (likest === undefined || other === undefined || other === url) return { kept: { ...likeness, document } };
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

  #urlOf(document: number): CanonicalUrl | undefined {
    return this.#unsettled.get(document)?.url ?? this.#keeper.urlOf(document);
  }
}
