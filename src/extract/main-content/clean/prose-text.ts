import { type ContentSelection, selectedLength } from '../content-selection.ts';
import type { ContentTree } from '../content-tree.ts';
import { ElementSet, elementNumber, flagsOf, HEADING, TEXT } from '../names/content-elements.ts';
import { isDataTable } from './data-table.ts';
import { plainText } from './plain-text.ts';

const A = elementNumber('a');
const DD = elementNumber('dd');
const LI = elementNumber('li');
const TABLE = elementNumber('table');
const TD = elementNumber('td');
const TH = elementNumber('th');
const UL = elementNumber('ul');
/** Names, programs, what is entered or printed, and the labels of what folds: said again and again by nature. */
const NAMES = new ElementSet('pre code tt kbd samp var dt summary');

/** A cell or description with less is an entry of a list, and so is the rest of a line without its links and names. */
const SHORTEST_PROSE = 80;
/** Where less of a line is left, it is the punctuation between links and names. */
const LEAST_LEFT = 0.5;
/** A few sentences between tables and programs do not tell how somebody writes. */
const SHORTEST_TEXT = 1000;

/** The text of the selection that is written in sentences: without links, headings, programs, terms and tables of data. */
export function proseText(tree: ContentTree, { roots, dropped }: ContentSelection): string {
  const left = dropped.slice();
  for (const root of roots) {
    for (let row = root + 1; row < tree.end[root]; ) {
      const element = tree.element[row];
      if (left[row] === 0 && isNoProse(tree, row, element)) left[row] = 1;
      row = left[row] === 1 ? tree.end[row] : row + 1;
    }
  }
  dropRests(tree, roots, left);
  const all = selectedLength(tree, { roots, dropped });
  const length = selectedLength(tree, { roots, dropped: left });
  return length < SHORTEST_TEXT && length < all * 0.5 ? '' : plainText(tree, { roots, dropped: left });
}

/** Marks what is no prose without the links and names of its line ("Defined in", a signature), and labels of nested lists. */
function dropRests(tree: ContentTree, roots: readonly number[], dropped: Uint8Array): void {
  const texts: number[] = [];
  /** Of each run. */
  const leftOf = new Int32Array(tree.runs.length.length);
  for (const root of roots) {
    for (let row = root; row < tree.end[root]; row = dropped[row] === 1 ? tree.end[row] : row + 1) {
      if (tree.element[row] !== TEXT || dropped[row] === 1) continue;
      texts.push(row);
      leftOf[tree.run[row]] += tree.length[row];
    }
  }
  for (const row of texts) {
    const run = tree.run[row];
    const length = tree.runs.length[run];
    const rest = leftOf[run];
    const isShort = rest < SHORTEST_PROSE && (rest < length || isListLabel(tree, tree.runs.holder[run]));
    if (isShort || rest < LEAST_LEFT * length) dropped[row] = 1;
  }
}

/** Whether a list stands in the item itself: an index names a term, and below it where the term is found. */
function isListLabel(tree: ContentTree, item: number): boolean {
  if (tree.element[item] !== LI) return false;
  for (let row = item + 1; row < tree.end[item]; row = tree.end[row]) if (tree.element[row] === UL) return true;
  return false;
}

function isNoProse(tree: ContentTree, row: number, element: number): boolean {
  if (element === A) return tree.references.has(row);
  if (element === TABLE) return isDataTable(tree, row);
  if (element === TD || element === TH || element === DD) return tree.length[row] < SHORTEST_PROSE;
  return NAMES.has(element) || (flagsOf(element) & HEADING) !== 0;
}
