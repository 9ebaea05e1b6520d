import { elementNames } from '../../element-traits.ts';

/** Breaks the line before and after it. */
export const BREAKS = 1;
/** Its start tag ends an open paragraph. */
export const ENDS_PARAGRAPH = 2;
/** Has no end tag. */
export const EMPTY = 4;
/** Nothing in it is text of the page. */
export const NO_TEXT = 8;
/** Its content is no markup. */
export const RAW = 16;
/** End tags inside it do not close what is open around it. */
export const BOUNDARY = 32;
export const HEADING = 64;
/** Part of a table. */
export const TABLE = 128;
/** May stand in the head. */
export const HEAD_PART = 256;

const TABLE_OF_ELEMENTS: readonly (readonly [flags: number, names: string])[] = [
  [
    BREAKS | ENDS_PARAGRAPH,
    'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 ' +
      'h5 h6 header hgroup hr main menu nav ol p pre search section summary table ul listing xmp',
  ],
  [BREAKS | ENDS_PARAGRAPH, 'li dd dt'],
  [BREAKS, 'body html head caption colgroup tbody td tfoot th thead tr legend optgroup option frameset plaintext'],
  [HEADING, 'h1 h2 h3 h4 h5 h6'],
  [TABLE, 'caption table tbody td tfoot th thead tr'],
  [BOUNDARY, 'table td th caption object button template'],
  [EMPTY, 'area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr'],
  [
    NO_TEXT,
    'audio button canvas datalist head iframe map noembed noframes noscript object script select style svg template ' +
      'textarea title video',
  ],
  [RAW, 'iframe noembed noframes noscript plaintext script style textarea title xmp'],
  [HEAD_PART, 'base basefont bgsound link meta noscript script style template title head html'],
  [0, 'a abbr b cite code del em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var'],
];

const flagsByName = new Map<string, number>();
for (const [flags, names] of TABLE_OF_ELEMENTS)
  for (const name of names.split(' ')) flagsByName.set(name, (flagsByName.get(name) ?? 0) | flags);

/** Number of text nodes in place of an element's. */
export const TEXT = 0;

const names = ['#text', ...flagsByName.keys()];

const elementFlags: readonly number[] = [0, ...flagsByName.values()];

/** Elements that are not known get larger numbers, from `unknownNumber` on. */
export const elementNumbers: ReadonlyMap<string, number> = new Map(names.map((name, number) => [name, number]));

/** The same by the number that the scanner gives a name; -1 where it is no number here. */
export const numbersByScanner: Int16Array = Int16Array.from(
  { length: elementNames.size },
  (_, number) => (number === 0 ? undefined : elementNumbers.get(elementNames.name(number))) ?? -1,
);

export function elementNumber(name: string): number {
  const number = elementNumbers.get(name);
  if (number === undefined) throw new RangeError(`no such element: ${name}`);
  return number;
}

/** Elements by their numbers: each row of a tree is asked about some of these, and a `Set` takes ten times as long to answer. */
export class ElementSet {
  readonly #marks = new Uint8Array(elementFlags.length);

  constructor(names: string) {
    for (const name of names.split(' ')) this.#marks[elementNumber(name)] = 1;
  }

  has(number: number): boolean {
    return number < this.#marks.length && this.#marks[number] === 1;
  }
}

export const unknownNumber = elementFlags.length;

export function flagsOf(number: number): number {
  return number < elementFlags.length ? elementFlags[number] : 0;
}

export function elementName(number: number): string {
  return names[number] ?? 'span';
}
