import type { DuplicateIndex, Original } from '../contracts/duplicate-index.ts';
import type { PageStore } from '../contracts/page-store.ts';

/** Digests asked for lately; the durable ones are in the state. */
const REMEMBERED = 50_000;

/** Exact duplicates by digest of the body: memory for what is under way, the state for what is settled. */
export class ExactDuplicates implements DuplicateIndex {
  readonly #store: Pick<PageStore, 'byDigest'>;
  readonly #recent = new Map<string, Original>();

  constructor(store: Pick<PageStore, 'byDigest'>) {
    this.#store = store;
  }

  async checkAndAdd(digest: string, page: Original): Promise<Original | undefined> {
    // Asked again after the wait: another page with this content may have come in between.
    const original = this.#recent.get(digest) ?? (await this.#store.byDigest(digest)) ?? this.#recent.get(digest);
    // A page that is visited again is the original of its own content.
    if (original !== undefined) return original.url === page.url ? undefined : original;
    this.#recent.set(digest, page);
    if (this.#recent.size > REMEMBERED) this.#recent.delete(this.#recent.keys().next().value as string);
    return undefined;
  }
}
