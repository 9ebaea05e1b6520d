/** UTF-32, piece by piece: the platform has no decoder for it. A byte order mark is left out. */
export class Utf32Decoder {
  readonly #littleEndian: boolean;
  /** Bytes of a character that the next piece completes. */
  #rest = new Uint8Array(0);
  #started = false;

  constructor(littleEndian: boolean) {
    this.#littleEndian = littleEndian;
  }

  decode(bytes: Uint8Array = new Uint8Array(0), options: { stream?: boolean } = {}): string {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
    const whole = all.length - (all.length % 4);
    let text = '';
    for (let at = 0; at < whole; at += 4) {
      const code = view.getUint32(at, this.#littleEndian);
      if (code !== 0xfeff || this.#started) text += isCharacter(code) ? String.fromCodePoint(code) : '\ufffd';
      this.#started = true;
    }
    const isCut = whole < all.length;
    this.#rest = isCut && options.stream === true ? all.slice(whole) : new Uint8Array(0);
    return isCut && options.stream !== true ? `${text}\ufffd` : text;
  }
}

function isCharacter(code: number): boolean {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}
