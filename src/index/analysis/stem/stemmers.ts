import { stemEnglish } from './english.ts';
import { stemDanish, stemDutch, stemGerman, stemNorwegian, stemSwedish } from './germanic.ts';
import { stemFrench, stemItalian, stemPortuguese, stemRomanian, stemSpanish } from './romance.ts';
import { stemRussian } from './russian.ts';
import type { Stem } from './suffix-stemmer.ts';
import { stemTurkish } from './turkish.ts';
import { stemFinnish, stemHungarian } from './uralic.ts';

/** Languages whose stemmer undoes derivation as well: one term is several words there. */
export const DERIVING: ReadonlySet<string> = new Set(['en']);

/** By BCP 47 main tag. They take folded words: lower case, no accents. All but the English one are light: they undo inflection, not derivation. */
export const STEMMERS: ReadonlyMap<string, Stem> = new Map([
  ['en', stemEnglish],
  ['de', stemGerman],
  ['fr', stemFrench],
  ['es', stemSpanish],
  ['it', stemItalian],
  ['pt', stemPortuguese],
  ['nl', stemDutch],
  ['sv', stemSwedish],
  ['no', stemNorwegian],
  ['nb', stemNorwegian],
  ['nn', stemNorwegian],
  ['da', stemDanish],
  ['fi', stemFinnish],
  ['ru', stemRussian],
  ['hu', stemHungarian],
  ['ro', stemRomanian],
  ['tr', stemTurkish],
]);
