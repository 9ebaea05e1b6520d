/** Reads varints out of a run of bytes. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.bytes[this.at++];
  }

  varint(): number {
    const bytes = this.bytes;
    let byte = bytes[this.at++];
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 128;
    do {
      byte = bytes[this.at++];
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte >= 0x80);
    return value;
  }
}

/** Values of `width` bits (at most 25) from byte `at` on. The bytes must go on for 3 more after the last value. */
export function unpackBits(view: DataView, at: number, width: number, out: Uint32Array, count: number): void {
  if (width === 0) {
    out.fill(0, 0, count);
    return;
  }
  const mask = 2 ** width - 1;
  let bit = at * 8;
  for (let i = 0; i < count; i++) {
    out[i] = (view.getUint32(bit >>> 3, true) >>> (bit & 7)) & mask;
    bit += width;
  }
}
