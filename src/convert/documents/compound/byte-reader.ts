/** Numbers and texts at any place of some little-endian bytes. What lies outside reads as zero, so nothing throws. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.#bytes.length;
  }

  u8(at: number): number {
    return this.#bytes[at] ?? 0;
  }

  u16(at: number): number {
    return at >= 0 && at + 2 <= this.#bytes.length ? this.#view.getUint16(at, true) : 0;
  }

  u32(at: number): number {
    return at >= 0 && at + 4 <= this.#bytes.length ? this.#view.getUint32(at, true) : 0;
  }

  i32(at: number): number {
    return at >= 0 && at + 4 <= this.#bytes.length ? this.#view.getInt32(at, true) : 0;
  }

  f64(at: number): number {
    return at >= 0 && at + 8 <= this.#bytes.length ? this.#view.getFloat64(at, true) : 0;
  }

  /** Fewer where fewer are there. */
  bytes(at: number, length: number): Uint8Array {
    return at < 0 || length <= 0 ? this.#bytes.subarray(0, 0) : this.#bytes.subarray(at, at + length);
  }

  /** `units` of UTF-16; halves of characters stay as they are, for texts come in pieces. */
  utf16(at: number, units: number): string {
    const there = at < 0 ? 0 : Math.max(0, Math.min(units, Math.floor((this.#bytes.length - at) / 2)));
    if (there === 0) return '';
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + at, there * 2).toString('utf16le');
  }
}
