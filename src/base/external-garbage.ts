import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'minor' }) => void;

/** A collection of what is young takes a tenth of a millisecond: less than it saves, for memory that is used again is warm. */
const COLLECTED_AT = 4 << 20;

/**
 * Memory beside the heap that is garbage as soon as it is read: blobs of a database, say. The engine frees it when it collects what is
 * young, and what makes it do so is mainly the heap, where such a blob is but a hundred bytes: 32 MB of them may pile up, among what the
 * allocator keeps for ever.
 */
export class ExternalGarbage {
  readonly #collectedAt: number;
  #collect: Collect | undefined;
  #bytes = 0;

  constructor(collectedAt = COLLECTED_AT, collect?: Collect) {
    this.#collectedAt = collectedAt;
    this.#collect = collect;
  }

  /** So much more will soon be garbage. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < this.#collectedAt) return;
    this.#bytes = 0;
    this.#collect ??= collector();
    this.#collect({ type: 'minor' });
  }
}

/** The engine shows its collector only to code that begins while the flag is set. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc') as Collect;
  } catch {
    // An engine that does not know the flag collects by itself.
    return () => undefined;
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
