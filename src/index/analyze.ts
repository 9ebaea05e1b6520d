/**
 * Cuts a text into terms, as the index holds them, and tells each with its position. Positions begin at 0 and never
 * go down; several terms may share one. Returns how many positions the text takes, gaps of stop words included.
 */
export type Analyze = (text: string, language: string, emit: EmitTerm) => number;

/**
 * `form`: which form of the term stands there, as `wordForm` numbers them; 0, the base form, where it is left out.
 * `note`: the same one whenever the same word comes, where the analyzer remembers the word.
 */
export type EmitTerm = (term: string, position: number, form?: number, note?: TermNote) => void;

/** Room at a word that is remembered for what whoever takes terms knows of it: saves a look for the term with every word. */
export interface TermNote {
  /** Whose number it is; it is nobody else's. */
  owner: object | undefined;
  number: number;
}
