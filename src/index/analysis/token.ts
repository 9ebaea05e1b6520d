/**
 * What a token is to a query; documents take them all.
 * - word: as it stands.
 * - part: of a word such as "state-of-the-art"; the joined one, which follows the first part, may stand for each.
 * - joined: such a word without what joins it.
 * - verbatim: a name such as `select_related` or a flag such as `--onto` with its signs; its first word follows.
 * - aside: a further way to find what the token before it says; no query asks for it.
 * - lone: a single character of a paired script, which documents mostly hold as the first of a pair.
 */
export type TokenRole = 'word' | 'part' | 'joined' | 'verbatim' | 'aside' | 'lone';

export type TokenSink = (token: string, position: number, role: TokenRole, start: number, end: number) => void;

/** A token of the role 'word' as it stands in the text, with the code units of the text. */
export type WordSink = (start: number, end: number, position: number, units: Uint16Array) => void;

/** Takes names, which are ASCII and do not depend on what stands around them. */
export interface NameReader {
  /** Returns how many positions the name takes; -1 where it does not take it. */
  read(units: Uint16Array, start: number, end: number, position: number): number;
}

/** Takes plain words that stand one behind the other, many at once. */
export interface RunReader {
  begin(units: Uint16Array, length: number): void;
  /** Takes as many plain words as it can from a place on. Returns how many, which is none where others have to look first. */
  read(at: number, position: number): number;
  /** Where whoever reads on begins. */
  readonly end: number;
}
