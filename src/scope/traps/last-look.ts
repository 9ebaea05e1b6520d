/** The last visit of a pattern that was looked at closely; patterns without one share the first of these. */
export interface LastLook {
  closure: number;
  bytes: number;
  links: number;
  simhash: bigint | undefined;
  /** Known links that every page has, where the links themselves are not shown; -1: not known. */
  usualKnown: number;
}

export const NEVER_LOOKED: Readonly<LastLook> = Object.freeze({
  closure: 0,
  bytes: -1,
  links: -1,
  simhash: undefined,
  usualKnown: -1,
});
