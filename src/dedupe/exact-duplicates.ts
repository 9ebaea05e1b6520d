import type { DuplicateIndex, Original } from '../contracts/duplicate-index.ts';
import type { PageStore } from '../contracts/page-store.ts';
import type { CanonicalUrl } from '../contracts/url.ts';

/** Digests of pages that may not be settled yet; the settled ones are in the state. */
const REMEMBERED = 4096;

/** Exact duplicates by digest of the body: memory for what is under way, the state for what is settled, other crawls after that. */
export class ExactDuplicates implements DuplicateIndex {
  readonly #store: Pick<PageStore, 'byDigest' | 'page'>;
  readonly #others: readonly Pick<PageStore, 'byDigest'>[];
  readonly #recent = new Map<string, Original>();

  /** `others`: crawls that came before, whose archives are at hand. */
  constructor(store: Pick<PageStore, 'byDigest' | 'page'>, others: readonly Pick<PageStore, 'byDigest'>[] = []) {
    this.#store = store;
    this.#others = others;
  }

  async originalOf(digest: string, url: CanonicalUrl): Promise<Original | undefined> {
    const original = await this.#first(digest);
    // A page that is visited again is the original of its own content.
    if (original !== undefined) return original.url === url ? undefined : original;
    for (const other of this.#others) {
      const found = await other.byDigest(digest);
      if (found !== undefined) return { ...found, elsewhere: true };
    }
    return undefined;
  }

  async ownCopyOf(digest: string, url: CanonicalUrl): Promise<Original | undefined> {
    const original = await this.#first(digest);
    return original?.url === url ? original : undefined;
  }

  async #first(digest: string): Promise<Original | undefined> {
    const settled = await this.#store.byDigest(digest);
    const recent = this.#recent.get(digest);
    if (settled !== undefined || recent === undefined) return recent ?? settled;
    if (!(await this.#hasGivenUp(recent))) return recent;
    // Another page may have brought the content while the state was asked: it is not forgotten with the one that has gone.
    if (this.#recent.get(digest) !== recent) return this.#recent.get(digest);
    this.#recent.delete(digest);
    // And the visit that was under way may have been settled between the two questions: then it has given up nothing.
    return await this.#store.byDigest(digest);
  }

  /** Nobody has the content by the state: either its visit is not settled yet, or it was, and the page is another since, or gone. */
  async #hasGivenUp({ url, at }: Original): Promise<boolean> {
    const page = await this.#store.page(url);
    return page?.visitedAt !== undefined && page.visitedAt > at && page.outcome?.kind !== 'deferred';
  }

  add(digest: string, page: Original): void {
    this.#recent.set(digest, page);
    if (this.#recent.size > REMEMBERED) this.#recent.delete(this.#recent.keys().next().value as string);
  }
}
