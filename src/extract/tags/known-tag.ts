import { isName } from '../known-names.ts';

/** What a start tag says, as it was read when it was met for the second time: the same bytes say the same in every document. */
export class KnownTag {
  /** Lower-case name where the element is a known one, else ''. */
  readonly name: string;
  readonly nameNumber: number;
  readonly traits: number;
  readonly selfClosing: boolean;
  /** Of its name, in bytes. */
  readonly nameLength: number;
  /** A bit for each attribute by its sum. */
  readonly attributeBits: number;
  readonly attributeSums: readonly number[];
  /** Start and end of the name and the value of each attribute, counted from where the tag begins. */
  readonly attributePlaces: readonly number[];
  /** Those that were asked for. */
  readonly attributeNames: (string | undefined)[];
  readonly attributeValues: (string | undefined)[];
  /** Of an element that is not known, once somebody has asked. */
  unknownName = '';
  /** What readers have made of it, each at a place of its own. */
  readonly notes: unknown[] = [undefined, undefined, undefined];

  constructor(of: {
    readonly name: string;
    readonly nameNumber: number;
    readonly traits: number;
    readonly selfClosing: boolean;
    readonly nameLength: number;
    readonly attributeBits: number;
    readonly attributeSums: readonly number[];
    readonly attributePlaces: readonly number[];
  }) {
    this.name = of.name;
    this.nameNumber = of.nameNumber;
    this.traits = of.traits;
    this.selfClosing = of.selfClosing;
    this.nameLength = of.nameLength;
    this.attributeBits = of.attributeBits;
    this.attributeSums = of.attributeSums;
    this.attributePlaces = of.attributePlaces;
    // Not filled one by one: that would make room for sixteen more.
    this.attributeNames = of.attributeSums.map(nothing);
    this.attributeValues = of.attributeSums.map(nothing);
  }

  /** The place of an attribute among those of the tag, which begins at `start`; -1 where there is none. Of two with one name the first counts. */
  indexOf(wanted: { readonly name: string; readonly sum: number }, html: string, start: number): number {
    const { attributeSums, attributeNames, attributePlaces } = this;
    for (let index = 0; index < attributeSums.length; index++) {
      if (attributeSums[index] !== wanted.sum) continue;
      if (attributeNames[index] === wanted.name) return index;
      const place = 4 * index;
      if (!isName(html, start + attributePlaces[place], start + attributePlaces[place + 1], wanted.name)) continue;
      attributeNames[index] = wanted.name;
      return index;
    }
    return -1;
  }
}

/** Places of the notes. They may depend on nothing but the tag; whoever notes more says for which document it holds. */
export const LINK_NOTE = 0;
export const NAMES_NOTE = 1;
export const CLUES_NOTE = 2;

function nothing(): undefined {}
