import type { ContentSelection } from './content-selection.ts';
import type { ContentTree } from './content-tree.ts';
import { TEXT } from './names/content-elements.ts';

/**
 * The baseline of the textbooks: the stretch of the document with many words and few tags, where the count of words rises
 * and the count of tags is on a plateau. A word counts +1, a tag -1; the stretch with the largest sum is the content.
 */
export function tagPlateau(tree: ContentTree): ContentSelection {
  const rows = tree.element.length;
  const endTags = new Int32Array(rows + 1);
  for (let row = 0; row < rows; row++) if (tree.element[row] !== TEXT) endTags[tree.end[row]]++;
  let sum = 0;
  let start = 0;
  let best = 0;
  let from = 0;
  let to = 0;
  for (let row = 0; row < rows; row++) {
    sum -= endTags[row];
    sum += tree.element[row] === TEXT ? words(tree, row) : -1;
    if (sum <= 0) {
      sum = 0;
      start = row + 1;
    } else if (sum > best) {
      best = sum;
      from = start;
      to = row + 1;
    }
  }
  const dropped = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) if (tree.element[row] === TEXT && (row < from || row >= to)) dropped[row] = 1;
  return { roots: [0], dropped };
}

function words(tree: ContentTree, row: number): number {
  let count = 0;
  let inWord = false;
  for (let at = tree.from[row]; at < tree.to[row]; at++) {
    const white = tree.bytes[at] <= 0x20;
    if (inWord && white) count++;
    inWord = !white;
  }
  return inWord ? count + 1 : count;
}
