import type { ContentTree } from './content-tree.ts';
import { ElementSet, elementNumber } from './names/content-elements.ts';
import { BODY } from './names/name-hints.ts';
import type { TextWorth } from './text-worth.ts';

const ARTICLE = elementNumber('article');
const P = elementNumber('p');
const MAIN = elementNumber('main');

/** Elements that are part of a text; the body is what they are part of. */
const PARTS = new ElementSet('p ul ol li dl dt dd table tr td th tbody blockquote pre h1 h2 h3 h4 h5 h6 a span');

/** Rows of the elements that hold the body, in document order. */
export function findBody(tree: ContentTree, found: TextWorth): number[] {
  const { worth } = found;
  const total = worth[0];
  if (total === 0) return [0];
  const named = namedBodies(tree, worth);
  if (named.length > 0) return named;
  const rows = tree.element.length;
  let best = -1;
  for (let row = 1; row < rows; row++) {
    if (tree.element[row] !== ARTICLE && tree.element[row] !== MAIN) continue;
    if (best === -1 || worth[row] > worth[best]) best = row;
  }
  if (best !== -1 && worth[best] >= total * 0.5) return [narrow(tree, worth, best, 0.8)];
  return [narrow(tree, worth, 0, 0.7)];
}

/** The element that says it is the body and holds the most, with those of the same name. */
function namedBodies(tree: ContentTree, worth: Float64Array): number[] {
  const rows = tree.element.length;
  let best = -1;
  for (let row = 1; row < rows; row++) {
    if ((tree.hints[row] & BODY) === 0 || PARTS.has(tree.element[row])) continue;
    if (best === -1 || worth[row] > worth[best]) best = row;
  }
  if (best === -1) return [];
  const name = tree.name[best];
  const group: number[] = [];
  let together = 0;
  for (let row = 1; row < rows; ) {
    if (row === best || (name !== 0 && tree.name[row] === name && worth[row] > 0)) {
      group.push(row);
      together += worth[row];
      row = tree.end[row];
    } else row++;
  }
  if (worth[best] >= together * 0.7) {
    if (worth[best] < worth[0] * 0.3) return [];
    return [narrow(tree, worth, best, 0.9)];
  }
  if (together < worth[0] * 0.4) return [];
  const around = commonAncestor(tree, group[0], group[group.length - 1]);
  return worth[around] <= together * 1.3 ? [around] : group;
}

function commonAncestor(tree: ContentTree, first: number, last: number): number {
  let row = first;
  while (tree.end[row] <= last) row = tree.parent[row];
  return row;
}

/** Goes down as long as one child holds nearly all, and nothing but a little is left beside it. */
function narrow(tree: ContentTree, worth: Float64Array, from: number, share: number): number {
  let row = from;
  for (;;) {
    let best = -1;
    let paragraphs = 0;
    for (let child = row + 1; child < tree.end[row]; child = tree.end[child]) {
      if (best === -1 || worth[child] > worth[best]) best = child;
      if (tree.element[child] === P) paragraphs += worth[child];
    }
    const isText = paragraphs > (from === 0 ? worth[row] * 0.05 : 0);
    if (isText || best === -1 || worth[best] < worth[row] * share || PARTS.has(tree.element[best])) return row;
    const text = tree.length[row] - tree.linked[row];
    const beside = text - (tree.length[best] - tree.linked[best]);
    if (from !== 0 && beside > text * 0.2) return row;
    row = best;
  }
}
