/**
 * Cuts a text into terms, as the index holds them, and tells each with its position. Positions begin at 0 and never
 * go down; several terms may share one. Returns how many positions the text takes, gaps of stop words included.
 * An analyzer that remembers words tells of those to `remembered` instead, where that is given.
 */
export type Analyze = (text: string, language: string, emit: EmitTerm, remembered?: EmitRemembered) => number;

/** `form`: which form of the term stands there, as `wordForm` numbers them; 0, the base form, where it is left out. */
export type EmitTerm = (term: string, position: number, form?: number) => void;

/**
 * Words at positions that follow each other. `places`: of `count` words among the words; other words may have them when the next ones
 * are told. `offsets`: of words that do not follow each other, by their places, how far behind the position each stands.
 */
export type EmitRemembered = (
  words: RememberedWords,
  places: Uint32Array,
  count: number,
  position: number,
  offsets?: Uint8Array,
) => void;

/** Hands out numbers for those who have something to note. */
export interface WordOwners {
  newOwner(): number;
}

/** In what is told of many words at once: the number that is noted of a word takes the lower bits, its form the upper ones. */
export const NOTE_BITS = 26;
export const NOTE_MASK = 2 ** NOTE_BITS - 1;
/** Stands for a word of which nothing is noted. No form is as large. */
export const NO_NOTE = 0xffffffff;

/** Words with their terms, and room for what whoever takes terms knows of them: saves a look for the term with every word. */
export interface RememberedWords {
  term(place: number): string;
  form(place: number): number;
  /** Those that hand out the owners: words that know of each other share them. */
  readonly owners: WordOwners;
  /** What this owner has noted there; -1 where nothing, or another has noted something since. */
  noted(place: number, owner: number): number;
  /** The same of the words at the first of these places, each with its form; until somebody asks again. */
  notes(places: Uint32Array, count: number, owner: number): Uint32Array;
  note(place: number, owner: number, number: number): void;
}
