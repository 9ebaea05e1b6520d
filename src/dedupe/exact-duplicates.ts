import type { DuplicateIndex, Original } from '../contracts/duplicate-index.ts';
import type { PageStore } from '../contracts/page-store.ts';
import type { CanonicalUrl } from '../contracts/url.ts';

/** Digests of pages that may not be settled yet; the settled ones are in the state. */
const REMEMBERED = 4096;

/** Exact duplicates by digest of the body: memory for what is under way, the state for what is settled. */
export class ExactDuplicates implements DuplicateIndex {
  readonly #store: Pick<PageStore, 'byDigest'>;
  readonly #recent = new Map<string, Original>();

  constructor(store: Pick<PageStore, 'byDigest'>) {
    this.#store = store;
  }

  async originalOf(digest: string, url: CanonicalUrl): Promise<Original | undefined> {
    const original = this.#recent.get(digest) ?? (await this.#store.byDigest(digest));
    // A page that is visited again is the original of its own content.
    return original?.url === url ? undefined : original;
  }

  add(digest: string, page: Original): void {
    this.#recent.set(digest, page);
    if (this.#recent.size > REMEMBERED) this.#recent.delete(this.#recent.keys().next().value as string);
  }
}
