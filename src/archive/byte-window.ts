/** Part of a byte stream that can be looked at before it is taken. Holds only what was asked for. */
export class ByteWindow {
  readonly #pull: () => Promise<Buffer | undefined>;
  #view: Buffer;
  #position = 0;
  #ended = false;

  /** `pull` gives the next bytes, or undefined at the end. */
  constructor(pull: () => Promise<Buffer | undefined>, first: Buffer = Buffer.alloc(0)) {
    this.#pull = pull;
    this.#view = first;
  }

  /** Bytes taken so far. */
  get position(): number {
    return this.#position;
  }

  /** What can be seen without reading on. */
  get view(): Buffer {
    return this.#view;
  }

  /** Makes `count` bytes visible, or all that are left. */
  async see(count: number): Promise<Buffer> {
    if (this.#view.length >= count || this.#ended) return this.#view;
    const parts = [this.#view];
    let length = this.#view.length;
    while (length < count) {
      const part = await this.#pull();
      if (part === undefined) {
        this.#ended = true;
        break;
      }
      parts.push(part);
      length += part.length;
    }
    // One copy, however many parts a large record came in.
    this.#view = parts.length === 2 && parts[0].length === 0 ? parts[1] : Buffer.concat(parts, length);
    return this.#view;
  }

  /** True when nothing can follow what is in view. */
  async atEnd(): Promise<boolean> {
    return (await this.see(1)).length === 0;
  }

  /** At most what is in view. */
  take(count: number): void {
    this.#view = this.#view.subarray(count);
    this.#position += count;
  }
}

/** Carriage returns and line feeds, as many as there are. */
export async function skipLineEnds(window: ByteWindow): Promise<void> {
  for (;;) {
    const view = await window.see(1);
    let at = 0;
    while (at < view.length && (view[at] === 0x0d || view[at] === 0x0a)) at++;
    window.take(at);
    if (at === 0 || at < view.length) return;
  }
}
