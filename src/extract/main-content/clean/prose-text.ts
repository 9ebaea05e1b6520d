import { type ContentSelection, selectedLength } from '../content-selection.ts';
import type { ContentTree } from '../content-tree.ts';
import { elementNumber, flagsOf, HEADING, TEXT } from '../names/content-elements.ts';
import { isDataTable } from './data-table.ts';
import { plainText } from './plain-text.ts';

const A = elementNumber('a');
const TABLE = elementNumber('table');
const TD = elementNumber('td');
const TH = elementNumber('th');
/** Names, programs, what is entered or printed, and the labels of what folds: said again and again by nature. */
const NAMES = new Set('pre code tt kbd samp var dt summary'.split(' ').map(elementNumber));

/** A cell with less is an entry of a list. */
const SHORTEST_PROSE = 80;
/** Of a line of which less is left without its links and names, the rest is punctuation or a label: "Defined in". */
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

/** Marks the texts that are left of lines made of links and names. */
function dropRests(tree: ContentTree, roots: readonly number[], dropped: Uint8Array): void {
  const texts: number[] = [];
  const leftOf = new Map<number, number>();
  for (const root of roots) {
    for (let row = root; row < tree.end[root]; row = dropped[row] === 1 ? tree.end[row] : row + 1) {
      if (tree.element[row] !== TEXT || dropped[row] === 1) continue;
      texts.push(row);
      leftOf.set(tree.run[row], (leftOf.get(tree.run[row]) ?? 0) + tree.length[row]);
    }
  }
  for (const row of texts) {
    const run = tree.run[row];
    if ((leftOf.get(run) ?? 0) < LEAST_LEFT * tree.runs.length[run]) dropped[row] = 1;
  }
}

function isNoProse(tree: ContentTree, row: number, element: number): boolean {
  if (element === A) return tree.references.has(row);
  if (element === TABLE) return isDataTable(tree, row);
  if (element === TD || element === TH) return tree.length[row] < SHORTEST_PROSE;
  return NAMES.has(element) || (flagsOf(element) & HEADING) !== 0;
}
