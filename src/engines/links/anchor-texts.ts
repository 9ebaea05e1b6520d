import { speaksOfItsTarget } from './anchor-phrases.ts';

/** Texts that are remembered at most, but for those of one page: links of a site mostly say what others of it do. */
const MOST_TEXTS = 65_536;
const FIRST_SLOTS = 1024;

/**
 * Anchor texts by number, of whom most come again and again: each is decoded, folded to lower case and judged once. Numbers hold until
 * `forgetMany` is called.
 */
export class AnchorTexts {
  readonly #texts: string[] = [];
  /** Of each text the number of its form in lower case. */
  readonly #forms: number[] = [];
  readonly #formNumbers = new Map<string, number>();
  readonly #folded: string[] = [];
  readonly #prefixes: number[] = [];
  readonly #speaks: boolean[] = [];
  /** Number of the text + 1; 0: free. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #hashes = new Uint32Array(FIRST_SLOTS);
  /** The bytes of all texts, one behind the other, and where each begins. */
  #bytes = Buffer.allocUnsafe(1 << 14);
  #starts = new Uint32Array(FIRST_SLOTS);

  /** The number of the text in these bytes. */
  numberOf(bytes: Uint8Array, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] - 1;
      if (this.#hashes[number] === hash >>> 0 && this.#isText(number, bytes, start, end)) return number;
    }
    return this.#add(slot, hash, bytes, start, end);
  }

  text(number: number): string {
    return this.#texts[number];
  }

  /** One number for all spellings that are the same in lower case. */
  formOf(number: number): number {
    return this.#forms[number];
  }

  /** Whether a form says anything about the page behind the link. */
  speaks(form: number): boolean {
    return this.#speaks[form];
  }

  /** The first characters of a form as a number: forms are ordered by it first. */
  prefix(form: number): number {
    return this.#prefixes[form];
  }

  /** Whether a form comes before another with the same prefix. */
  isBefore(form: number, other: number): boolean {
    return this.#folded[form] < this.#folded[other];
  }

  /** How many forms there are. */
  get forms(): number {
    return this.#folded.length;
  }

  /** Forgets all where they have become too many. */
  forgetMany(): void {
    if (this.#texts.length < MOST_TEXTS) return;
    for (const list of [this.#texts, this.#forms, this.#folded, this.#prefixes, this.#speaks]) list.length = 0;
    this.#formNumbers.clear();
    this.#slots.fill(0);
  }

  #isText(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[number];
    if (this.#starts[number + 1] - from !== end - start) return false;
    for (let at = start, own = from; at < end; at++, own++) if (bytes[at] !== this.#bytes[own]) return false;
    return true;
  }

  #add(slot: number, hash: number, bytes: Uint8Array, start: number, end: number): number {
    const number = this.#texts.length;
    const from = this.#starts[number];
    this.#reserve(number + 2, from + end - start);
    this.#bytes.set(bytes.subarray(start, end), from);
    this.#starts[number + 1] = from + end - start;
    this.#hashes[number] = hash;
    this.#slots[slot] = number + 1;
    const text = this.#bytes.toString('utf8', from, from + end - start);
    this.#texts.push(text);
    this.#forms.push(this.#formNumber(text.toLowerCase()));
    if (2 * number > this.#slots.length) this.#growTable();
    return number;
  }

  #formNumber(folded: string): number {
    const known = this.#formNumbers.get(folded);
    if (known !== undefined) return known;
    const form = this.#folded.length;
    this.#formNumbers.set(folded, form);
    this.#folded.push(folded);
    this.#prefixes.push(prefixOf(folded));
    this.#speaks.push(speaksOfItsTarget(folded));
    return form;
  }

  #reserve(texts: number, bytes: number): void {
    if (bytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * bytes);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (texts <= this.#starts.length) return;
    this.#starts = grown(this.#starts);
    this.#hashes = grown(this.#hashes);
  }

  #growTable(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#texts.length; number++) {
      let slot = this.#hashes[number] & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

function grown(values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * values.length);
  larger.set(values);
  return larger;
}

/** The first characters as a number that is ordered as they are. */
function prefixOf(text: string): number {
  const code = (at: number): number => (at < text.length ? text.charCodeAt(at) + 1 : 0);
  return (code(0) * 0x10001 + code(1)) * 0x10001 + code(2);
}
