import { findCards } from './card-lists.ts';
import type { ContentTree } from './content-tree.ts';
import { elementNumber } from './names/content-elements.ts';
import { CONSENT, DISCUSSION, HIDDEN, MAYBE_BODY, NOISE, TEASER } from './names/name-hints.ts';

const ARTICLE = elementNumber('article');
const ASIDE = elementNumber('aside');
const BLOCKQUOTE = elementNumber('blockquote');
const FOOTER = elementNumber('footer');
const H1 = elementNumber('h1');
const MAIN = elementNumber('main');
const NAV = elementNumber('nav');
const P = elementNumber('p');

/** A run of text this long is prose; shorter ones may be labels. */
const PROSE = 80;
const SHORT_PARAGRAPH = 40;
const MOST_LINKED = 0.4;
const PROSE_OF_ITS_OWN = 600;
const HOLDS_HEADLINE = 1;
const SPARED = 2;

/** Worth of each row: the prose in it, as far as nothing around it says that it is something else. */
export interface TextWorth {
  readonly worth: Float64Array;
  /** The same without regard to what names say. */
  readonly prose: Float64Array;
  /** Rows that are noise by what they say, or are in such a row. */
  readonly noisy: Uint8Array;
  /** Cards that lead to other pages (card-lists.ts), where the page has prose of its own. */
  readonly cards: Uint8Array;
  /** How far rows are spared from being taken for noise. */
  readonly spared: Uint8Array;
}

export function textWorth(tree: ContentTree): TextWorth {
  const rows = tree.element.length;
  const prose = new Float64Array(rows);
  const { runs } = tree;
  for (let run = 0; run < runs.holder.length; run++) prose[runs.holder[run]] += runWorth(tree, run);
  const own = prose.slice();
  for (let row = rows - 1; row > 0; row--) prose[tree.parent[row]] += prose[row];
  const spared = sparedRows(tree);
  const noisy = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) {
    const inNoise = row > 0 && noisy[tree.parent[row]] === 1;
    if (inNoise || isNoise(tree, row, prose, prose[0], spared)) noisy[row] = 1;
  }
  const cards = cardsBesideProse(tree, own, noisy);
  const worth = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    if (cards[row] === 1 || (row > 0 && noisy[tree.parent[row]] === 1)) noisy[row] = 1;
    if (noisy[row] === 0) worth[row] = own[row];
  }
  for (let row = rows - 1; row > 0; row--) worth[tree.parent[row]] += worth[row];
  return { worth, prose, noisy, cards, spared };
}

/** No cards at all where they are all that the page has. */
function cardsBesideProse(tree: ContentTree, own: Float64Array, noisy: Uint8Array): Uint8Array {
  const none = new Uint8Array(own.length);
  // Where there is too little prose in all, the cards need not be found.
  if (proseBeside(tree, own, noisy, none) < PROSE_OF_ITS_OWN) return none;
  const cards = findCards(tree);
  return proseBeside(tree, own, noisy, cards) >= PROSE_OF_ITS_OWN ? cards : none;
}

function proseBeside({ end }: ContentTree, own: Float64Array, noisy: Uint8Array, cards: Uint8Array): number {
  let beside = 0;
  for (let row = 0; row < own.length; ) {
    if (cards[row] === 1 || noisy[row] === 1) row = end[row];
    else beside += own[row++];
  }
  return beside;
}

function runWorth(tree: ContentTree, run: number): number {
  const { runs } = tree;
  const length = runs.length[run];
  const shortest = tree.element[runs.holder[run]] === P ? SHORT_PARAGRAPH : PROSE;
  if (length < shortest || runs.linked[run] > length * MOST_LINKED) return 0;
  return length - runs.linked[run];
}

/** Names are not believed where most of the prose around would be lost by it. */
export function isNoise(
  tree: ContentTree,
  row: number,
  prose: Float64Array,
  around: number,
  spared: Uint8Array,
): boolean {
  const element = tree.element[row];
  const hints = tree.hints[row];
  if (element === BLOCKQUOTE || spared[row] === SPARED) return false;
  const left = around - prose[row];
  if (element === ARTICLE && (hints & MAYBE_BODY) !== 0) return (hints & HIDDEN) !== 0 && left >= prose[row];
  if ((hints & (DISCUSSION | CONSENT)) !== 0 && left >= PROSE_OF_ITS_OWN) return true;
  let noise =
    element === NAV ||
    element === ASIDE ||
    element === FOOTER ||
    (hints & (NOISE | DISCUSSION | HIDDEN | CONSENT)) !== 0;
  const leadsAway = tree.linked[row] * 10 > tree.length[row];
  if (!noise && (hints & TEASER) !== 0) noise = leadsAway;
  return noise && (left >= prose[row] || (left >= PROSE_OF_ITS_OWN && leadsAway && spared[row] === 0));
}

/**
 * Elements that are not noise whatever they say: around the main element, or around a quotation that is nearly all of them.
 * Those around a headline are so only where they hold most of the prose.
 */
function sparedRows(tree: ContentTree): Uint8Array {
  const rows = tree.element.length;
  const spared = new Uint8Array(rows);
  for (let row = rows - 1; row > 0; row--) {
    const element = tree.element[row];
    const parent = tree.parent[row];
    if (element === MAIN) spared[row] = SPARED;
    else if (element === H1 && spared[row] === 0) spared[row] = HOLDS_HEADLINE;
    if (spared[row] > spared[parent]) spared[parent] = spared[row];
  }
  for (let row = 1; row < rows; row++) {
    if (tree.element[row] !== BLOCKQUOTE) continue;
    for (let around = tree.parent[row]; around > 0; around = tree.parent[around]) {
      if (tree.length[row] <= tree.length[around] * 0.6) break;
      spared[around] = SPARED;
    }
  }
  return spared;
}
