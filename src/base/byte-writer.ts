/** Up to so many bytes a loop copies sooner than a view of them is made. */
const SHORT = 64;

/** A growing run of bytes with the three ways numbers are written here: bytes, varints and packed bits. */
export class ByteWriter {
  #bytes: Uint8Array;
  /** Of all bytes; made where bits are packed. */
  #view: DataView | undefined;
  length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** What was written; valid until the next write. */
  get written(): Uint8Array {
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
    // Beyond 32 bits the shifts would wrap.
    while (rest > 0x7fffffff) {
      this.#bytes[this.length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      this.#bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  bytes(source: Uint8Array): void {
    if (this.length + source.length > this.#bytes.length) this.#grow(source.length);
    this.#bytes.set(source, this.length);
    this.length += source.length;
  }

  /** What another has written. */
  add(other: ByteWriter): void {
    const { length } = other;
    if (length > SHORT) {
      this.bytes(other.written);
      return;
    }
    if (this.length + length > this.#bytes.length) this.#grow(length);
    const from = other.#bytes;
    const to = this.#bytes;
    for (let at = 0, end = this.length; at < length; at++) to[end + at] = from[at];
    this.length += length;
  }

  /** `count` values of `width` bits (at most 25), the lowest bits first, filled up to a whole byte. */
  bits(values: ArrayLike<number>, count: number, width: number): void {
    if (width === 0) return;
    const need = (count * width + 7) >> 3;
    if (this.length + need + 4 > this.#bytes.length) this.#grow(need + 4);
    const bytes = this.#bytes;
    this.#view ??= new DataView(bytes.buffer);
    const view = this.#view;
    let at = this.length;
    let held = 0;
    let bitsHeld = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i];
      held |= value << bitsHeld;
      bitsHeld += width;
      if (bitsHeld < 32) continue;
      view.setUint32(at, held, true);
      at += 4;
      bitsHeld -= 32;
      // What of the value did not fit any more.
      held = value >>> (width - bitsHeld);
    }
    for (; bitsHeld > 0; bitsHeld -= 8) {
      bytes[at++] = held;
      held >>>= 8;
    }
    this.length = at;
  }

  #grow(more: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + more));
    larger.set(this.written);
    this.#bytes = larger;
    this.#view = undefined;
  }
}

/** Bits needed for a value. */
export function widthOf(value: number): number {
  return 32 - Math.clz32(value);
}
