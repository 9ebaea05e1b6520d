import type { CharacterTable } from './character-table.ts';

/** Longest term in UTF-16 code units; what is beyond is cut off, in documents and queries alike. */
export const LONGEST_TERM = 64;

/** Only code units below 128. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** A word without case, accents, vowel points and invisible characters. */
export function fold(word: string, table: CharacterTable): string {
  const cut = word.length > LONGEST_TERM ? word.slice(0, LONGEST_TERM) : word;
  if (isAscii(cut)) return cut.toLowerCase();
  let term = '';
  for (let at = 0; at < cut.length; at++) {
    const code = cut.charCodeAt(at);
    if (code === BREVE && term.endsWith('и')) term = `${term.slice(0, -1)}й`;
    else term += table.fold(code);
  }
  return hasSurrogates(term) ? foldWide(term) : term;
}

const BREVE = 0x306;

function hasSurrogates(text: string): boolean {
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xf800) === 0xd800) return true;
  return false;
}

/** Letters beyond the basic plane: styled Latin becomes plain, old scripts lose their case; a lone half is dropped. */
function foldWide(text: string): string {
  return text.toWellFormed().replaceAll('\ufffd', '').normalize('NFKC').toLowerCase();
}
