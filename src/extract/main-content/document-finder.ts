import type { ContentTree } from './content-tree.ts';
import { ElementSet, elementNumber } from './names/content-elements.ts';
import { BODY, MAIN_CONTENT, MAYBE_BODY } from './names/name-hints.ts';

const H1 = elementNumber('h1');
const MAIN = elementNumber('main');
const TABLE = elementNumber('table');
/** Elements that may hold the content of a page. */
const HOLDERS = new ElementSet('div section article main td center form span');
/** What holds this share of the text holds the content: less is enough for a name that nothing else has. */
const MOST = 0.7;
const MUCH = 0.4;
/** A main element or body with less text says that it is empty. */
const SHORTEST = 20;
const LONGEST_OPENING = 1000;
const BODIES = BODY | MAYBE_BODY;

/**
 * The row that holds the content of a page that is no article: the main element, or the innermost element that calls
 * itself content and holds nearly all that is not the frame of the site. `kept` is the text of each row without that frame.
 */
export function findDocument(tree: ContentTree, kept: Float64Array): number {
  const rows = tree.element.length;
  let main = -1;
  for (let row = 1; row < rows; row++) {
    if (tree.element[row] !== MAIN && (tree.hints[row] & MAIN_CONTENT) === 0) continue;
    if (main === -1 || kept[row] > kept[main]) main = row;
  }
  if (main !== -1 && kept[main] >= SHORTEST) return main;
  let root = 0;
  for (let row = 1; row < rows; ) {
    if (kept[row] < kept[0] * MUCH) row = tree.end[row];
    else {
      const least = (tree.hints[row] & BODY) !== 0 ? MUCH : (tree.hints[row] & MAYBE_BODY) !== 0 ? MOST : 1;
      if (
        least < 1 &&
        kept[row] >= kept[root] * least &&
        HOLDERS.has(tree.element[row]) &&
        !isSection(tree, kept, root, row)
      )
        root = row;
      row++;
    }
  }
  return root;
}

/** Whether others of a name as telling stand before the row in the content that was found: each section of a manual has a body. */
function isSection(tree: ContentTree, kept: Float64Array, content: number, row: number): boolean {
  if (content === 0) return false;
  for (let other = content + 1; other < row; other++) {
    const isAlike = (tree.hints[other] & BODIES) === (tree.hints[row] & BODIES);
    if (isAlike && tree.end[other] <= row && kept[other] >= SHORTEST) return true;
  }
  return false;
}

/**
 * What stands before the root and belongs to it: the outermost element around the headline of the page, where that says
 * more than the headline. -1 where there is none, or where the root has a headline of its own.
 */
export function findOpening(tree: ContentTree, root: number, dropped: Uint8Array): number {
  if (root === 0 || (tree.hints[root] & MAIN_CONTENT) !== 0 || tree.element[root] === MAIN) return -1;
  let headline = -1;
  for (let row = 1; row < tree.end[root]; row = dropped[row] === 1 ? tree.end[row] : row + 1) {
    if (tree.element[row] !== H1 || tree.length[row] === 0) continue;
    if (row > root) return -1;
    headline = row;
  }
  if (headline === -1) return -1;
  let around = headline;
  while (tree.end[tree.parent[around]] <= root) around = tree.parent[around];
  const beside = tree.length[around] - tree.length[headline];
  return beside > 0 && beside < LONGEST_OPENING && tree.linked[around] < beside * 0.4 ? around : -1;
}

/**
 * The outermost table that holds the headline and nothing else: where tables place the parts of a page, it is the place of
 * the headline, and the text stands in another. -1 where there is none, or no other text. `kept` as in `findDocument`.
 */
export function findHeadlineTable(tree: ContentTree, headline: number, kept: Float64Array): number {
  let table = -1;
  for (let row = tree.parent[headline]; kept[row] === kept[headline]; row = tree.parent[row]) {
    if (row === 0) return -1;
    if (tree.element[row] === TABLE) table = row;
  }
  return table;
}
