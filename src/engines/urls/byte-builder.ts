/** Up to this many bytes a loop copies sooner than a view of them is made. */
const SHORT = 64;

/** A growing run of bytes. */
export class ByteBuilder {
  #bytes: Buffer;
  length = 0;

  constructor(capacity = 4096) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  /** What was written; valid until the next write. */
  get view(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.length++] = value;
  }

  varint(value: number): void {
    if (this.length + 8 > this.#bytes.length) this.#grow(8);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.length++] = rest;
  }

  bytes(source: Uint8Array, start = 0, end = source.length): void {
    if (this.length + end - start > this.#bytes.length) this.#grow(end - start);
    if (end - start > SHORT) {
      this.#bytes.set(source.subarray(start, end), this.length);
      this.length += end - start;
    } else for (let at = start; at < end; at++) this.#bytes[this.length++] = source[at];
  }

  #grow(more: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + more));
    larger.set(this.view);
    this.#bytes = larger;
  }
}
