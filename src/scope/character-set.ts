/** A set of UTF-16 code units, kept as ranges in order. */
export class CharacterSet {
  /** Pairs [first, last], in order, neither touching nor overlapping. */
  readonly ranges: readonly (readonly [number, number])[];

  constructor(ranges: readonly (readonly [number, number])[]) {
    const merged: [number, number][] = [];
    for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
      const previous = merged.at(-1);
      if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
      else merged.push([first, last]);
    }
    this.ranges = merged;
  }

  static of(character: string): CharacterSet {
    const code = character.charCodeAt(0);
    return new CharacterSet([[code, code]]);
  }

  has(code: number): boolean {
    for (const [first, last] of this.ranges) {
      if (code <= last) return code >= first;
    }
    return false;
  }

  union(other: CharacterSet): CharacterSet {
    return new CharacterSet([...this.ranges, ...other.ranges]);
  }

  complement(): CharacterSet {
    const rest: [number, number][] = [];
    let next = 0;
    for (const [first, last] of this.ranges) {
      if (first > next) rest.push([next, first - 1]);
      next = last + 1;
    }
    if (next <= 0xffff) rest.push([next, 0xffff]);
    return new CharacterSet(rest);
  }

  /** With the other case of every ASCII letter; canonical URLs hold no other letters. */
  ignoringCase(): CharacterSet {
    const folded: [number, number][] = [];
    for (const [first, last] of this.ranges) {
      folded.push([first, last]);
      addShifted(folded, Math.max(first, 0x41), Math.min(last, 0x5a), 0x20);
      addShifted(folded, Math.max(first, 0x61), Math.min(last, 0x7a), -0x20);
    }
    return new CharacterSet(folded);
  }
}

function addShifted(ranges: [number, number][], first: number, last: number, by: number): void {
  if (first <= last) ranges.push([first + by, last + by]);
}

export const DIGITS = new CharacterSet([[0x30, 0x39]]);
export const WORD_CHARACTERS = new CharacterSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
export const WHITE_SPACE = new CharacterSet([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);
export const ALL_BUT_LINE_ENDS = new CharacterSet([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]).complement();
