import type { WorkingCopy } from './working-copy.ts';

/** Pages that all copies of a node together keep in memory; and what one keeps at least, and at most. */
const CACHE_KB = 256 * 1024;
const [LEAST_KB, MOST_KB] = [1024, 16 * 1024];

/** The working copies of a node, which share what memory there is for them. */
export class WorkingCopies implements Disposable {
  /** With their partitions. One that was lost is read for a while. */
  readonly #copies = new Map<WorkingCopy, number>();
  #shareKb = MOST_KB;

  /** Makes the copy of a partition. One that it had before is given up. */
  open(partition: number, make: () => WorkingCopy): WorkingCopy {
    for (const [other, of] of this.#copies) if (of === partition) other.abandon();
    const copy = make();
    this.#copies.set(copy, partition);
    this.#share();
    copy.keepInMemory(this.#shareKb);
    return copy;
  }

  close(copy: WorkingCopy): void {
    if (!this.#copies.delete(copy)) return;
    copy[Symbol.dispose]();
    this.#share();
  }

  [Symbol.dispose](): void {
    for (const copy of this.#copies.keys()) copy[Symbol.dispose]();
    this.#copies.clear();
  }

  /** By the next power of two, so that a copy that comes or goes seldom changes all others. */
  #share(): void {
    const share = CACHE_KB / 2 ** Math.ceil(Math.log2(Math.max(1, this.#copies.size)));
    const shareKb = Math.min(MOST_KB, Math.max(LEAST_KB, share));
    if (shareKb === this.#shareKb) return;
    this.#shareKb = shareKb;
    for (const copy of this.#copies.keys()) copy.keepInMemory(shareKb);
  }
}
