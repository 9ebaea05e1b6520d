import type { ArchiveEntry } from '../../contracts/archive.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import type { DuplicateIndex, Original } from '../../contracts/duplicate-index.ts';

/** Whose copy a body is. */
export interface CopyVerdict {
  /** The URL brought the same body at its last visit. */
  readonly unchanged: boolean;
  /** The page of this crawl that brought the body first, or this one at an earlier visit. */
  readonly original?: Original;
  /** The record that holds the body already, also in another crawl. */
  readonly revisitOf?: ArchiveEntry['revisitOf'];
}

/** The fifth stage: bodies that are held already. */
export class ExactCopies {
  readonly #duplicates: DuplicateIndex;

  constructor(duplicates: DuplicateIndex) {
    this.#duplicates = duplicates;
  }

  async compare({ task: { url }, earlier }: Claim, digest: string): Promise<CopyVerdict> {
    const unchanged = earlier?.digest === digest;
    const own = unchanged ? await this.#duplicates.ownCopyOf(digest, url) : undefined;
    const same = own ?? (await this.#duplicates.originalOf(digest, url));
    if (same === undefined) return { unchanged };
    return { unchanged, ...(same.elsewhere ? {} : { original: same }), revisitOf: recordOf(same) };
  }

  /** The record that a 304 speaks of: of the page itself, or of the page that it is a copy of. */
  async heldBy({ task: { url }, earlier }: Claim): Promise<ArchiveEntry['revisitOf']> {
    const digest = earlier?.digest;
    if (digest === undefined) return undefined;
    const held = (await this.#duplicates.ownCopyOf(digest, url)) ?? (await this.#duplicates.originalOf(digest, url));
    return held && recordOf(held);
  }

  /** To be called once the page lies in the archive. */
  add(digest: string, page: Original): void {
    this.#duplicates.add(digest, page);
  }
}

function recordOf({ url, at, rawDigest }: Original): NonNullable<ArchiveEntry['revisitOf']> {
  return { url, date: at, payloadDigest: rawDigest };
}
