import { codePointAt } from '../../base/code-units.ts';

const FIRST_CAPACITY = 32_768;
/** Room for longer texts is not kept. */
const KEPT_BYTES = 2 ** 20;
/** Of a code unit in UTF-8: half of a pair takes two of the four bytes of its pair. */
const MOST_BYTES = 3;

const BLANK = 0x20;
/** By code unit: the small letter of an ASCII character, `BLANK` for white space; 0 for all that is read the long way. */
const ASCII = new Uint8Array(0x10000);
for (let unit = 3; unit < 0x80; unit++) {
  const character = String.fromCharCode(unit);
  ASCII[unit] = /\s/.test(character) ? BLANK : character.toLowerCase().charCodeAt(0);
}
const IS_GAP = new Uint8Array(0x100);
IS_GAP[BLANK] = 1;

/** In place of small letters. */
const WHITE = 1;
const PECULIAR = 2;
/** What becomes another letter at the end of a word. */
const SIGMA = 0x3a3;
/** From here on lie signs alone: emoji and the like. Letters beyond the basic plane lie before. */
const FIRST_SIGN = 0x1f000;

/**
 * Texts in small letters with single blanks between words, in UTF-8: what `folded` gives, without the strings that it makes on the way. One
 * per thread.
 */
export class FoldedText {
  /** By code unit: its small letter, `WHITE`, `PECULIAR`, or 0 for what is not known yet. */
  readonly #known = new Uint16Array(0x10000);
  #buffer = Buffer.allocUnsafeSlow(FIRST_CAPACITY);

  /**
   * The bytes of a headline as it is and of a text folded, until the next text; undefined where the text has letters whose small ones are
   * not told letter by letter.
   */
  bytes(headline: string, units: Uint16Array, end: number): Uint8Array | undefined {
    const bytes = this.#room(MOST_BYTES * (headline.length + end) + 1);
    const known = this.#known;
    const start = bytes.write(headline);
    let length = start;
    // White space before it is left out, as at the start.
    let isAfterGap = 1;
    for (let at = 0; at < end; at++) {
      for (; at < end; at++) {
        const plain = ASCII[units[at]];
        if (plain === 0) break;
        // No branch depends on where words end: it would be guessed wrong.
        const isGap = IS_GAP[plain];
        bytes[length] = plain;
        length += 1 ^ (isGap & isAfterGap);
        isAfterGap = isGap;
      }
      if (at === end) break;
      const unit = units[at];
      const lower = known[unit] || this.#learn(unit);
      if (lower === WHITE) {
        bytes[length] = BLANK;
        length += 1 ^ isAfterGap;
        isAfterGap = 1;
        continue;
      }
      isAfterGap = 0;
      if (lower === PECULIAR) {
        if (unit < 0xd800 || unit > 0xdfff) return undefined;
        const character = unit < 0xdc00 ? codePointAt(units, at) : unit;
        if (character <= 0xffff) {
          // Half a pair is written as the sign for what cannot be.
          length = writeThree(bytes, length, 0xfffd);
          continue;
        }
        if (character < FIRST_SIGN) return undefined;
        at++;
        bytes[length++] = 0xf0 | (character >> 18);
        bytes[length++] = 0x80 | ((character >> 12) & 0x3f);
        bytes[length++] = 0x80 | ((character >> 6) & 0x3f);
        bytes[length++] = 0x80 | (character & 0x3f);
      } else if (lower < 0x80) bytes[length++] = lower;
      else if (lower < 0x800) {
        bytes[length++] = 0xc0 | (lower >> 6);
        bytes[length++] = 0x80 | (lower & 0x3f);
      } else length = writeThree(bytes, length, lower);
    }
    return bytes.subarray(0, length > start ? length - isAfterGap : length);
  }

  #learn(unit: number): number {
    const character = String.fromCharCode(unit);
    const lower = character.toLowerCase();
    // 1 and 2 are themselves, and signs that no text has: whoever holds one is read the long way.
    const isPlain = lower.length === 1 && unit !== SIGMA && unit > PECULIAR && (unit < 0xd800 || unit > 0xdfff);
    const entry = /\s/.test(character) ? WHITE : isPlain ? lower.charCodeAt(0) : PECULIAR;
    this.#known[unit] = entry;
    return entry;
  }

  #room(size: number): Buffer {
    if (this.#buffer.length >= size) return this.#buffer;
    const buffer = Buffer.allocUnsafeSlow(size > KEPT_BYTES ? size : Math.min(2 * size, KEPT_BYTES));
    if (size <= KEPT_BYTES) this.#buffer = buffer;
    return buffer;
  }
}

function writeThree(bytes: Buffer, at: number, code: number): number {
  bytes[at] = 0xe0 | (code >> 12);
  bytes[at + 1] = 0x80 | ((code >> 6) & 0x3f);
  bytes[at + 2] = 0x80 | (code & 0x3f);
  return at + 3;
}
