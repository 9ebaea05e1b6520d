import type { ContentTree } from './content-tree.ts';
import { ElementSet, TEXT } from './names/content-elements.ts';

const CARD_ELEMENTS = new ElementSet('li div article section td a');
const LONGEST_CARD = 1200;
const SHORTEST_LINK = 12;
const FEWEST_CARDS = 3;

/**
 * Marks cards: elements side by side of which each leads to another page by a linked line of its own and says a little
 * about it. On an article they are other articles; on a page without prose of its own they are what it is about.
 */
export function findCards(tree: ContentTree): Uint8Array {
  const rows = tree.element.length;
  const cards = new Uint8Array(rows);
  const firstRun = firstRuns(tree);
  const counts = new Map<number, number>();
  const isCard = new Uint8Array(rows);
  for (let row = 1; row < rows; row++) {
    if (
      !CARD_ELEMENTS.has(tree.element[row]) ||
      tree.linked[row] < SHORTEST_LINK ||
      tree.length[row] > LONGEST_CARD ||
      tree.linked[row] * 10 < tree.length[row]
    )
      continue;
    if (!leadsAway(tree, row, firstRun[row])) continue;
    isCard[row] = 1;
    const key = tree.parent[row] * 256 + (tree.element[row] & 255);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (let row = 1; row < rows; row++) {
    if (isCard[row] === 0) continue;
    const key = tree.parent[row] * 256 + (tree.element[row] & 255);
    if ((counts.get(key) ?? 0) >= FEWEST_CARDS) cards[row] = 1;
  }
  return cards;
}

/** One of the first two lines is all link, and another line follows. */
function leadsAway(tree: ContentTree, row: number, first: number): boolean {
  const { runs } = tree;
  const count = runs.holder.length;
  if (first + 1 >= count || runs.first[first + 1] >= tree.end[row]) return false;
  for (let run = first; run < first + 2; run++) {
    const length = runs.length[run];
    if (length >= SHORTEST_LINK && runs.linked[run] >= length * 0.9) return true;
  }
  return false;
}

function firstRuns(tree: ContentTree): Int32Array {
  const rows = tree.element.length;
  const first = new Int32Array(rows).fill(-1);
  for (let row = rows - 1; row > 0; row--) {
    if (tree.element[row] === TEXT) first[row] = tree.run[row];
    if (first[row] !== -1) first[tree.parent[row]] = first[row];
  }
  return first;
}
