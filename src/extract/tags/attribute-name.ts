import { sumOf } from '../known-names.ts';

/** The name of an attribute that is asked for. */
export interface AttributeName {
  readonly name: string;
  readonly sum: number;
  /** Elements of a document share few values of it. */
  readonly isShared: boolean;
}

/** An attribute, and where its value lies, with its quotation marks. */
export interface WrittenAttribute {
  readonly name: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Of one tag; no honest tag comes near. A tag of a megabyte must not take many times its size in memory. */
export const MOST_ATTRIBUTES = 1_000;

const SHARED = new Set('class rel style type'.split(' '));

export function attributeName(name: string): AttributeName {
  return { name, sum: sumOf(name), isShared: SHARED.has(name) };
}

/** To ask whether a tag may have any of these attributes. */
export function attributeBits(names: readonly AttributeName[]): number {
  return names.reduce((bits, { sum }) => bits | (1 << sum), 0);
}
