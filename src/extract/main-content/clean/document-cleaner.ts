import { collapse } from '../../white-space.ts';
import type { ContentTree } from '../content-tree.ts';
import { BREAKS, ElementSet, elementNumber, flagsOf, HEADING, TEXT } from '../names/content-elements.ts';
import { BY_ID, CONSENT, CONTENTS, DISCUSSION, FRAME, HIDDEN, MAIN_CONTENT, NOISE } from '../names/name-hints.ts';
import { isMenuLabel, isPagerWord, PAGER_WORDS } from '../names/stock-phrases.ts';
import { isDataTable } from './data-table.ts';
import { nodeText, textBelow } from './node-text.ts';

const A = elementNumber('a');
const ASIDE = elementNumber('aside');
const BLOCKQUOTE = elementNumber('blockquote');
const FOOTER = elementNumber('footer');
const FORM = elementNumber('form');
const HEADER = elementNumber('header');
const MAIN = elementNumber('main');
const NAV = elementNumber('nav');
const PRE = elementNumber('pre');
const TABLE = elementNumber('table');
const TD = elementNumber('td');
/** Blocks that may be a menu, or a line of links to the pages before and after. */
const BOXES = new ElementSet('div p table ul center');
const LONGEST_PAGER = 400;
const LONGEST_MENU = 1500;
/** Beside the links of a pager. */
const MOST_OTHER_WORDS = 24;
/** A name is not believed where this share of the text would be lost by it. */
const MOST_LOST = 0.5;
/** A footer may be longer than a short page, but not all of it. */
const NEARLY_ALL = 0.9;
const MANY_LINKS = 0.4;
const MOST_LINKS = 0.6;
const MOSTLY_LINKS = 0.7;
const FEWEST_LINKS = 5;
/** The sign that leads to its own heading; fonts of icons have theirs among the private characters. */
const PERMALINK = /^[¶§#🔗⚓◆∞\p{Co}]+\uFE0F?$/u;
const LONGEST_SIGN = 24;
const SHORTEST_TITLE = 3;
const MOST_BANNERS = 3;

/**
 * Marks what is no content on pages that are no articles: reference, lists, shops, wikis, forums. Only what says that it
 * belongs to the frame of the site is marked, and links that lead around in it: all else may be what the page is about.
 */
export function frameRows(tree: ContentTree): Uint8Array {
  const rows = tree.element.length;
  const dropped = new Uint8Array(rows);
  const holdsMain = mainHolders(tree);
  const discussion = discussionShare(tree) < MOST_LOST && tree.kind !== 'discussion';
  for (let row = 1; row < rows; ) {
    // Names of colours for programs are no names.
    if (tree.element[row] === PRE) row = tree.end[row];
    else if (holdsMain[row] === 0 && isFrame(tree, row, discussion, holdsMain[0] === 1)) {
      dropped[row] = 1;
      row = tree.end[row];
    } else row++;
  }
  return dropped;
}

/** Text of each row that is not marked. */
export function keptLengths(tree: ContentTree, dropped: Uint8Array): Float64Array {
  const rows = tree.element.length;
  const kept = new Float64Array(rows);
  for (let row = 0; row < rows; ) {
    if (dropped[row] === 1) row = tree.end[row];
    else {
      if (tree.element[row] === TEXT) kept[row] = tree.length[row];
      row++;
    }
  }
  for (let row = rows - 1; row > 0; row--) kept[tree.parent[row]] += kept[row];
  return kept;
}

function mainHolders(tree: ContentTree): Uint8Array {
  const rows = tree.element.length;
  const holds = new Uint8Array(rows);
  for (let row = rows - 1; row > 0; row--) {
    if (tree.element[row] === MAIN || (tree.hints[row] & MAIN_CONTENT) !== 0) holds[row] = 1;
    if (holds[row] === 1) holds[tree.parent[row]] = 1;
  }
  return holds;
}

function discussionShare(tree: ContentTree): number {
  let length = 0;
  for (let row = 1; row < tree.element.length; ) {
    if ((hintsOf(tree, row) & DISCUSSION) !== 0) {
      length += tree.length[row];
      row = tree.end[row];
    } else row++;
  }
  return length / Math.max(1, tree.length[0]);
}

function isFrame(tree: ContentTree, row: number, discussionIsNoise: boolean, hasMain: boolean): boolean {
  const element = tree.element[row];
  const length = tree.length[row];
  if (element === TEXT || length === 0) return false;
  if (element === A) return length <= LONGEST_SIGN && isPermalink(tree, row);
  const hints = hintsOf(tree, row);
  const total = tree.length[0];
  const links = tree.linked[row] / length;
  if ((hints & HIDDEN) !== 0) return length < total * MOST_LOST;
  if ((hints & CONSENT) !== 0) return length < total * MOST_LOST;
  if (element === NAV) return length - tree.linked[row] < (total - tree.linked[0]) * MOST_LOST || links > MANY_LINKS;
  if (element === FOOTER) return tree.element[tree.parent[row]] !== BLOCKQUOTE && length < total * NEARLY_ALL;
  if (element === ASIDE) return links > MANY_LINKS;
  if (element === FORM) return length < total * 0.25;
  if (element === HEADER && tree.parent[row] === 0) return length < total * MOST_LOST;
  if ((hints & FRAME) !== 0) return links > MANY_LINKS || length < total * MOST_LOST;
  if ((hints & CONTENTS) !== 0) return leadsInside(tree, row);
  if ((flagsOf(element) & BREAKS) === 0) return false;
  if ((hints & DISCUSSION) !== 0 && discussionIsNoise) return true;
  if ((hints & ~(hints >> BY_ID) & NOISE) !== 0) return links > MOST_LINKS;
  if (element === TD && !hasMain && isLinkColumn(tree, row)) return true;
  if (!BOXES.has(element) || links <= MANY_LINKS) return false;
  return (
    (length <= LONGEST_PAGER && isPager(tree, row)) ||
    (links > MOST_LINKS && length < LONGEST_MENU && isLabelledMenu(tree, row))
  );
}

/** What class and id say; an id that a heading has given to its section says what the section is about. */
function hintsOf(tree: ContentTree, row: number): number {
  const hints = tree.hints[row];
  const byId = hints >> BY_ID;
  if (byId === 0) return hints;
  let child = row + 1;
  while (child < tree.end[row] && tree.length[child] === 0) child = tree.end[child];
  const isSection =
    (flagsOf(tree.element[row]) & HEADING) !== 0 ||
    (child < tree.end[row] && (flagsOf(tree.element[child]) & HEADING) !== 0);
  return isSection ? hints & ~byId : hints;
}

function isPermalink(tree: ContentTree, row: number): boolean {
  return !beginsWithWord(tree, row) && PERMALINK.test(textBelow(tree, NOTHING, row).trim());
}

/** Whether the first character below a row that is no white space is a letter or digit of ASCII: true of nearly all links. */
function beginsWithWord({ element, from, to, end, bytes }: ContentTree, row: number): boolean {
  for (let below = row + 1; below < end[row]; below++) {
    if (element[below] !== TEXT) continue;
    for (let at = from[below]; at < to[below]; at++) {
      if (bytes[at] > 0x20) return isAsciiWord(bytes[at]);
    }
  }
  return false;
}

const NOTHING = new Uint8Array(0);

/** Most of its links lead to places of the same page: it repeats the headings. */
function leadsInside(tree: ContentTree, row: number): boolean {
  let inside = 0;
  let outside = 0;
  for (let at = row; at < tree.end[row]; at++) {
    const reference = tree.element[at] === A ? tree.references.get(at) : undefined;
    if (reference === undefined) continue;
    if (reference.startsWith('#')) inside++;
    else outside++;
  }
  return inside > outside;
}

/** A column of links beside a cell that says more: old pages place their menus so. */
function isLinkColumn(tree: ContentTree, cell: number): boolean {
  if (tree.linked[cell] < tree.length[cell] * MOSTLY_LINKS) return false;
  let links = 0;
  for (let row = cell + 1; row < tree.end[cell]; row++) if (tree.element[row] === A) links++;
  if (links < FEWEST_LINKS) return false;
  const line = tree.parent[cell];
  for (let other = line + 1; other < tree.end[line]; other = tree.end[other])
    if (
      tree.element[other] === TD &&
      tree.length[other] > tree.length[cell] &&
      tree.linked[other] < tree.length[other] * MOSTLY_LINKS
    )
      return isInLayout(tree, cell);
  return false;
}

/** Whether the table of a cell places the parts of the page side by side. */
function isInLayout(tree: ContentTree, cell: number): boolean {
  let table = cell;
  while (table > 0 && tree.element[table] !== TABLE) table = tree.parent[table];
  return tree.length[table] > tree.length[0] * MOST_LOST && !isDataTable(tree, table);
}

/** Mostly links under a line that calls them a menu. */
function isLabelledMenu(tree: ContentTree, row: number): boolean {
  let label = -1;
  for (let at = row + 1; at < tree.end[row]; at++) {
    if (tree.element[at] === TABLE) return false;
    if (label === -1 && tree.element[at] === TEXT && tree.length[at] > 0) label = at;
  }
  return label !== -1 && tree.linked[label] === 0 && isMenuLabel(nodeText(tree, label).trim());
}

/** Words of a plain text by what is between them; -1 where it may be a word of a pager, or has to be decoded. */
function otherWords({ from, to, bytes }: ContentTree, row: number): number {
  const end = to[row];
  let words = 0;
  let isBetween = true;
  for (let at = from[row]; at < end; at++) {
    const kind = bytes[at] < 0x80 ? BETWEEN_WORDS[bytes[at]] : NOT_PLAIN;
    if (kind === NOT_PLAIN) return -1;
    if (isBetween && kind === 0) {
      if (words === 0 && (at + 1 === end || PAGER_WORDS.mayBeginWith(bytes[at], bytes[at + 1]))) return -1;
      words++;
    }
    isBetween = kind !== 0;
  }
  return words === 0 ? -1 : words;
}

const NOT_PLAIN = 2;
const BETWEEN_WORDS: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  return character === '&' ? NOT_PLAIN : /[\s|,:[\]]/.test(character) ? 1 : 0;
});

function isAsciiWord(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a && code < 0x80) || (code >= 0x30 && code <= 0x39);
}

/** Links to the pages before, after and above, and little else. */
function isPager(tree: ContentTree, row: number): boolean {
  let pagers = 0;
  let other = 0;
  for (let at = row; at < tree.end[row]; at++) {
    if (tree.element[at] === TABLE && at !== row) return false;
    if ((flagsOf(tree.element[at]) & HEADING) !== 0) return false;
    if (tree.element[at] !== TEXT || tree.length[at] === 0) continue;
    const words = otherWords(tree, at);
    if (words === -1) {
      const text = nodeText(tree, at)
        .replace(/[\s|,·•:[\]]+/g, ' ')
        .trim();
      if (isPagerWord(text)) pagers++;
      else other += text.split(' ').length;
    } else other += words;
    if (other > MOST_OTHER_WORDS) return false;
  }
  return pagers >= 2;
}

/**
 * Marks headings before the one with which the title of the document begins: they are those of the site. Answers the row of
 * that headline; -1 where there is none.
 */
export function dropBanners(tree: ContentTree, dropped: Uint8Array): number {
  const title = tree.title.toLowerCase();
  const before: number[] = [];
  for (let row = 1; row < tree.element.length; ) {
    if (dropped[row] === 0 && (flagsOf(tree.element[row]) & HEADING) !== 0 && tree.length[row] > 0) {
      const heading = collapse(textBelow(tree, dropped, row)).toLowerCase();
      if (heading.length >= SHORTEST_TITLE && title.startsWith(heading)) {
        for (const other of before) dropped[other] = 1;
        return row;
      }
      before.push(row);
      if (before.length > MOST_BANNERS) return -1;
    }
    row = dropped[row] === 1 ? tree.end[row] : row + 1;
  }
  return -1;
}
