const FIRST_SLOTS = 1024;
const MAX_LOAD = 0.6;
/** Digests are even in their last characters. */
const TAIL = 8;
const SEVERAL = 0xffff;

/**
 * Which partition has, or had, the pages with a digest, so that a node does not ask all of its partitions about each page. 32 bits of a
 * digest are kept in some 12 bytes. What is given up, or was never written in the end, stays: a partition that is told is one to ask, and
 * only that there is none is sure.
 */
export class DigestHomes {
  /** 0 is a free slot. */
  #hashes = new Uint32Array(FIRST_SLOTS);
  #homes = new Uint16Array(FIRST_SLOTS);
  #count = 0;

  add(digest: string, partition: number): void {
    if (this.#count >= this.#hashes.length * MAX_LOAD) this.#grow();
    this.#put(hashOf(digest), partition);
  }

  /** The partition to ask, or that it may be any of several; undefined where no page has it. */
  of(digest: string): number | 'several' | undefined {
    const slot = this.#slotOf(hashOf(digest));
    if (this.#hashes[slot] === 0) return undefined;
    return this.#homes[slot] === SEVERAL ? 'several' : this.#homes[slot];
  }

  #put(hash: number, partition: number): void {
    const slot = this.#slotOf(hash);
    if (this.#hashes[slot] === hash) {
      if (this.#homes[slot] !== partition) this.#homes[slot] = SEVERAL;
      return;
    }
    this.#hashes[slot] = hash;
    this.#homes[slot] = partition;
    this.#count++;
  }

  #grow(): void {
    const [hashes, homes] = [this.#hashes, this.#homes];
    this.#hashes = new Uint32Array(2 * hashes.length);
    this.#homes = new Uint16Array(2 * hashes.length);
    this.#count = 0;
    for (let slot = 0; slot < hashes.length; slot++) if (hashes[slot] !== 0) this.#put(hashes[slot], homes[slot]);
  }

  /** Where the hash is, or the free slot where it belongs. */
  #slotOf(hash: number): number {
    const last = this.#hashes.length - 1;
    let slot = hash & last;
    while (this.#hashes[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & last;
    return slot;
  }
}

function hashOf(digest: string): number {
  let hash = 0x811c9dc5;
  for (let at = Math.max(0, digest.length - TAIL); at < digest.length; at++)
    hash = Math.imul(hash ^ digest.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0 || 1;
}
