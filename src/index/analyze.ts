/**
 * Cuts a text into terms, as the index holds them, and tells each with its position. Positions begin at 0 and never
 * go down; several terms may share one. Returns how many positions the text takes, gaps of stop words included.
 */
export type Analyze = (text: string, language: string, emit: (term: string, position: number) => void) => number;
