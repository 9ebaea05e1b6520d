/** Longer texts hardly come again. */
export const LONGEST_SHORT_TEXT = 40;
/** A power of two. */
const SLOTS = 4096;

/**
 * Short texts of ASCII that were made before: what links are called comes again and again, in a page and in the next, and to look a text up
 * takes a fraction of the time that the engine needs to make it. A slot holds one text: the last one that fell into it.
 */
export class ShortTexts {
  readonly #texts: string[] = new Array<string>(SLOTS).fill('');

  /** The text that stands in the buffer up to `length`, no longer than the longest. */
  of(buffer: Buffer, length: number): string {
    let hash = length;
    for (let at = 0; at < length; at++) hash = Math.imul(hash ^ buffer[at], 0x01000193);
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const known = this.#texts[slot];
    if (isText(known, buffer, length)) return known;
    const text = buffer.toString('latin1', 0, length);
    this.#texts[slot] = text;
    return text;
  }
}

function isText(text: string, buffer: Buffer, length: number): boolean {
  if (text.length !== length) return false;
  for (let at = 0; at < length; at++) if (text.charCodeAt(at) !== buffer[at]) return false;
  return true;
}
