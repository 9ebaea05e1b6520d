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
  const { element, parent, length, linked, run } = tree;
  const rows = element.length;
  const cards = new Uint8Array(rows);
  const candidates: number[] = [];
  let text = 0;
  for (let row = 1; row < rows; row++) {
    if (linked[row] < SHORTEST_LINK || length[row] > LONGEST_CARD || linked[row] * 10 < length[row]) continue;
    if (!CARD_ELEMENTS.has(element[row])) continue;
    // The first text in it: it has one, since a part of that is linked.
    while (text <= row || element[text] !== TEXT) text++;
    if (leadsAway(tree, row, run[text])) candidates.push(row);
  }
  if (candidates.length < FEWEST_CARDS) return cards;
  const counts = new Map<number, number>();
  const keyOf = (row: number): number => parent[row] * 256 + (element[row] & 255);
  for (const row of candidates) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  for (const row of candidates) if ((counts.get(keyOf(row)) ?? 0) >= FEWEST_CARDS) cards[row] = 1;
  return cards;
}

/** One of the first two lines is all link, and another line follows. */
function leadsAway({ end, runs }: ContentTree, row: number, first: number): boolean {
  if (first + 1 >= runs.holder.length || runs.first[first + 1] >= end[row]) return false;
  for (let line = first; line < first + 2; line++) {
    const length = runs.length[line];
    if (length >= SHORTEST_LINK && runs.linked[line] >= length * 0.9) return true;
  }
  return false;
}
