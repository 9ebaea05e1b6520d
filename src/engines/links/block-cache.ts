/** Blocks of runs in memory, by id: those that were looked into last, as far as there is room. */
export class BlockCache {
  readonly #most: number;
  /** The one that was looked into last comes last. */
  readonly #blocks = new Map<number, Buffer>();
  #bytes = 0;

  /** `most`: bytes. */
  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** For who looks into it once: it goes when it would have gone. */
  peek(id: number): Buffer | undefined {
    return this.#blocks.get(id);
  }

  get(id: number): Buffer | undefined {
    const block = this.#blocks.get(id);
    if (block === undefined) return undefined;
    this.#blocks.delete(id);
    this.#blocks.set(id, block);
    return block;
  }

  add(id: number, block: Buffer): void {
    this.#blocks.set(id, block);
    this.#bytes += block.length;
    for (const oldest of this.#blocks.keys()) {
      if (this.#bytes <= this.#most) return;
      this.drop(oldest);
    }
  }

  drop(id: number): void {
    this.#bytes -= this.#blocks.get(id)?.length ?? 0;
    this.#blocks.delete(id);
  }
}
