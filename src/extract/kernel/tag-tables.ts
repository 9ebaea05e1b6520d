import { elementNames, elementTraits } from '../element-traits.ts';
import { isSpace } from '../tags/markup-places.ts';

/** What a byte is inside of a tag; 0 where it may be part of the name of an attribute. */
export const SPACE = 1;
export const SLASH = 2;
export const GREATER = 4;
const EQUALS = 8;

/** Combinations of three letters, by their lowest five bits: alike in capitals. */
const COMBINATIONS = 1 << 15;

/** By byte. */
export function classTable(): Uint8Array {
  return Uint8Array.from({ length: 0x100 }, (_, byte) => {
    if (isSpace(byte)) return SPACE;
    return byte === 0x2f ? SLASH : byte === 0x3e ? GREATER : byte === 0x3d ? EQUALS : 0;
  });
}

/** By the first three bytes of a tag: 1 where it may be that of an element with one of these traits. */
export function wantedTable(traits: number): Uint8Array {
  const table = new Uint8Array(COMBINATIONS);
  for (let number = 1; number < elementNames.size; number++) {
    if ((elementTraits[number] & traits) === 0) continue;
    const name = elementNames.name(number).slice(0, 3);
    // What stands behind a shorter name may be anything.
    const fixed = Array.from(name).reduce(
      (bits, letter, at) => bits | ((letter.charCodeAt(0) & 31) << (10 - 5 * at)),
      0,
    );
    for (let rest = 0; rest < 1 << (5 * (3 - name.length)); rest++) table[fixed | rest] = 1;
  }
  return table;
}
