import type { ContentTree } from '../content-tree.ts';
import { ElementSet, elementNumber, TEXT } from '../names/content-elements.ts';
import { ABOUT } from '../names/name-hints.ts';
import { isNoise, type TextWorth } from '../text-worth.ts';

const FIGCAPTION = elementNumber('figcaption');
const FORM = elementNumber('form');
const H1 = elementNumber('h1');
/** A line this long is part of the text. */
const PROSE = 80;
const LONGEST_ABOUT = 400;
/** Elements that stand or fall as a whole when they are full of links. */
const WHOLES = new ElementSet('div section ul ol dl table p article header figure blockquote');

/** Marks the rows below the roots that are no content; what is below a marked row needs no mark. */
export function cleanBody(tree: ContentTree, found: TextWorth, roots: readonly number[]): Uint8Array {
  const { prose, cards } = found;
  const dropped = new Uint8Array(tree.element.length);
  for (const root of roots) {
    const all = prose[root];
    const captions = captionProse(tree, prose, root) > all * 0.4;
    let begun = false;
    for (let row = root + 1; row < tree.end[root]; ) {
      const run = tree.run[row];
      if (run !== -1 && tree.runs.length[run] >= PROSE) begun = true;
      // The headline is the title of the page; later ones are parts of the text.
      const headline = tree.element[row] === H1 && !begun;
      if (headline || cards[row] === 1 || isDropped(tree, row, found, all, captions)) {
        dropped[row] = 1;
        row = tree.end[row];
      } else row++;
    }
  }
  return dropped;
}

/** Marks only what says that it is no content. */
export function dropNoise(tree: ContentTree, { prose, spared }: TextWorth, roots: readonly number[]): Uint8Array {
  const dropped = new Uint8Array(tree.element.length);
  for (const root of roots)
    for (let row = root + 1; row < tree.end[root]; row = dropped[row] === 1 ? tree.end[row] : row + 1)
      if (tree.length[row] > 0 && isNoise(tree, row, prose, prose[root], spared)) dropped[row] = 1;
  return dropped;
}

/** Whether an inline element is only the beginning of a longer line, as a dateline is. */
function beginsProse(tree: ContentTree, row: number): boolean {
  const run = tree.run[row + 1];
  return run !== undefined && run !== -1 && tree.runs.holder[run] < row && tree.runs.length[run] > tree.length[row] * 3;
}

function captionProse(tree: ContentTree, prose: Float64Array, root: number): number {
  let sum = 0;
  for (let row = root + 1; row < tree.end[root]; row++) if (tree.element[row] === FIGCAPTION) sum += prose[row];
  return sum;
}

function isDropped(
  tree: ContentTree,
  row: number,
  { prose, spared }: TextWorth,
  all: number,
  captions: boolean,
): boolean {
  const element = tree.element[row];
  if (element === TEXT) return false;
  const length = tree.length[row];
  if (length === 0) return false;
  if (isNoise(tree, row, prose, all, spared)) return true;
  if (element === FIGCAPTION) return !captions;
  if (element === FORM) return prose[row] <= all * 0.5;
  if ((tree.hints[row] & ABOUT) !== 0 && length < LONGEST_ABOUT && !captions) return !beginsProse(tree, row);
  return WHOLES.has(element) && length > 20 && tree.linked[row] > length * 0.6;
}
