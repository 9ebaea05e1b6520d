import { NameReader } from './main-content/names/name-reader.ts';
import { cluesOfNames, type NameClues } from './metadata/element-clues.ts';
import { Remembered } from './remembered.ts';

const MOST_CLUES = 4000;

/** What the names of elements mean, kept from one page to the next: the pages of a site have the same names. One per thread. */
export class NameMemory {
  /** To who looks for the main content. */
  readonly hints = new NameReader();
  /** To who looks for metadata; by class and id in small letters. */
  readonly clues = new Remembered<NameClues>(cluesOfNames, MOST_CLUES);
}
