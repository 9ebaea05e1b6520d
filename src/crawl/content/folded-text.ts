import { codePointAt } from '../../base/code-units.ts';
import { startWasm } from '../../base/wasm/wasm-instance.ts';
import {
  assembleFoldKernel,
  type FoldKernel,
  KNOWN,
  MEMORY_PAGES,
  MOST_UNITS,
  OUT,
  OUTPUT,
  PECULIAR,
  UNITS,
  WHITE,
} from './fold-kernel.ts';

const FIRST_CAPACITY = 32_768;
/** Room for longer texts is not kept. */
const KEPT_BYTES = 2 ** 20;
/** Of a code unit in UTF-8: half of a pair takes two of the four bytes of its pair. */
const MOST_BYTES = 3;

/** What becomes another letter at the end of a word. */
const SIGMA = 0x3a3;
/** From here on lie signs alone: emoji and the like. Letters beyond the basic plane lie before. */
const FIRST_SIGN = 0x1f000;
const REPLACEMENT = [0xef, 0xbf, 0xbd];
/** Places in the state of the kernel. */
const WRITTEN = 0;
const AFTER_GAP = 1;

/**
 * Texts in small letters with single blanks between words, in UTF-8: what `folded` gives, without the strings that it makes on the way. One
 * per thread.
 */
export class FoldedText {
  readonly #known: Uint16Array;
  readonly #units: Uint16Array;
  readonly #state: Int32Array;
  readonly #output: Uint8Array;
  readonly #fold: FoldKernel;
  #buffer = Buffer.allocUnsafeSlow(FIRST_CAPACITY);

  constructor() {
    const { memory, exports } = startWasm(assembleFoldKernel(), MEMORY_PAGES);
    this.#fold = exports.fold as FoldKernel;
    this.#known = new Uint16Array(memory, KNOWN, 0x10000);
    this.#units = new Uint16Array(memory, UNITS, MOST_UNITS + 1);
    this.#state = new Int32Array(memory, OUT, 2);
    this.#output = new Uint8Array(memory);
  }

  /**
   * The bytes of a headline as it is and of a text folded, until the next text; undefined where the text has letters whose small ones are
   * not told letter by letter. Behind the units there is a 0.
   */
  bytes(headline: string, units: Uint16Array, end: number): Uint8Array | undefined {
    const bytes = this.#room(MOST_BYTES * (headline.length + end) + 1);
    const start = bytes.write(headline);
    let length = start;
    // White space at the start is left out, as behind other white space.
    this.#state[AFTER_GAP] = 1;
    for (let from = 0; from < end; ) {
      let to = Math.min(end, from + MOST_UNITS);
      // A pair stays together.
      if (to < end && isFirstHalf(units[to - 1])) to--;
      const written = this.#foldPart(units.subarray(from, to + 1), to - from);
      if (written === undefined) return undefined;
      bytes.set(this.#output.subarray(OUTPUT, written), length);
      length += written - OUTPUT;
      from = to;
    }
    return bytes.subarray(0, length > start ? length - this.#state[AFTER_GAP] : length);
  }

  /** Where the output ends. `part`: with the unit behind it. */
  #foldPart(part: Uint16Array, length: number): number | undefined {
    const state = this.#state;
    this.#units.set(part);
    this.#units[length] = 0;
    state[WRITTEN] = OUTPUT;
    const end = UNITS + 2 * length;
    for (let at = this.#fold(UNITS, end); at !== 0; at = this.#fold(at, end)) {
      const index = (at - UNITS) / 2;
      const unit = part[index];
      if ((this.#known[unit] || this.#learn(unit)) !== PECULIAR) continue;
      if (unit < 0xd800 || unit > 0xdfff) return undefined;
      const character = unit < 0xdc00 ? codePointAt(part, index) : unit;
      if (character > 0xffff && character < FIRST_SIGN) return undefined;
      at += character > 0xffff ? 4 : 2;
      state[WRITTEN] = this.#write(state[WRITTEN], character);
      state[AFTER_GAP] = 0;
    }
    return state[WRITTEN];
  }

  /** A sign, or half a pair, which is written as the sign for what cannot be. */
  #write(at: number, character: number): number {
    const bytes = this.#output;
    if (character <= 0xffff) {
      bytes.set(REPLACEMENT, at);
      return at + REPLACEMENT.length;
    }
    bytes[at] = 0xf0 | (character >> 18);
    bytes[at + 1] = 0x80 | ((character >> 12) & 0x3f);
    bytes[at + 2] = 0x80 | ((character >> 6) & 0x3f);
    bytes[at + 3] = 0x80 | (character & 0x3f);
    return at + 4;
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

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
