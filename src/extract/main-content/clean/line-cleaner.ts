import { madeOnce } from '../../../base/made-once.ts';
import { type ByteText, decodeBytes } from '../../byte-text.ts';
import { decodeReferences } from '../../character-references.ts';
import { decodedText } from '../../tags/written-text.ts';
import { CollapsedText } from '../../texts/collapsed-text.ts';
import { collapse } from '../../white-space.ts';
import type { ContentTree } from '../content-tree.ts';
import { elementNumber, flagsOf, HEADING, TEXT } from '../names/content-elements.ts';
import { isCredit, isDateLine, isInvitation, isLabel, isPictureCredit, mayBeginStock } from '../names/stock-phrases.ts';

const LI = elementNumber('li');
/** Longer lines are not looked at: what is stock is short. */
const LONGEST = 300;
/** No stock phrase is longer, but for invitations with a link; what is longer begins the text. */
const LONGEST_LABEL = 100;
const LONGEST_INVITATION = 260;
const SHORTEST_TITLE = 12;
const AMPERSAND = 0x26;
const BLANK = 0x20;

interface Line {
  readonly run: number;
  readonly length: number;
  readonly linked: number;
  readonly heading: boolean;
  readonly rows: number[];
}

/** Takes lines out of the kept rows that are no content wherever they stand, and headings left without a text. */
export function cleanLines(tree: ContentTree, roots: readonly number[], dropped: Uint8Array, url: string): void {
  const lines = keptLines(tree, roots, dropped);
  const kept: Line[] = [];
  let begun = false;
  for (const line of lines) {
    const isNone =
      line.length > LONGEST ||
      isPlainlyLong(tree, line, line.heading && !begun, url) ||
      (line.linked === 0 && !line.heading && isPlainlyProse(tree, line, begun));
    if (isNone) {
      if (line.length > LONGEST_LABEL) begun = true;
      kept.push(line);
      continue;
    }
    const text = lineText(tree, line);
    const stock =
      isLabel(text) ||
      isPictureCredit(text) ||
      isInvitation(text, line.linked > 0 || line.heading) ||
      (!begun && isDateLine(text)) ||
      text === url ||
      (line.heading && !begun && isTitle(text, tree.title));
    if (stock) drop(line, dropped);
    else kept.push(line);
    if (line.length > LONGEST_LABEL) begun = true;
  }
  dropLinkList(tree, kept, dropped);
  for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
    if (!last.heading && !(last.length <= LONGEST && isCredit(lineText(tree, last)))) break;
    drop(last, dropped);
  }
}

/** Whether the line is known to be none of what is looked for by its length alone: then no string is made of it. */
function isPlainlyLong(tree: ContentTree, line: Line, mayBeTitle: boolean, url: string): boolean {
  const leads = line.linked > 0 || line.heading;
  let length = -1;
  for (const row of line.rows) length += tree.length[row];
  if (length <= (leads ? LONGEST_INVITATION : LONGEST_LABEL) || length <= url.length || mayBeTitle) return false;
  return line.rows.every((row) => isPlain(tree.bytes, tree.from[row], tree.to[row]));
}

/** Whether a line of one text, without a link, is known to be none of what is looked for by how it begins and what it does not hold. */
function isPlainlyProse({ bytes, from, to }: ContentTree, { rows }: Line, begun: boolean): boolean {
  if (rows.length > 1) return false;
  const end = to[rows[0]];
  let at = from[rows[0]];
  while (at < end && bytes[at] <= BLANK) at++;
  if (at + 1 >= end || mayBeginStock(bytes[at], bytes[at + 1])) return false;
  for (; at < end; at++) {
    const sign = SIGNS[bytes[at]];
    if (sign === PROSE) continue;
    // A date tells nothing but before the text.
    if (sign === DIGIT ? !begun : sign === TELLING || isAgency(bytes, at, end)) return false;
  }
  return true;
}

/** How "Getty" begins, in any case. */
function isAgency(bytes: Uint8Array, at: number, end: number): boolean {
  return at + 2 < end && (bytes[at + 1] | 0x20) === 0x65 && (bytes[at + 2] | 0x20) === 0x74;
}

/** What a byte is to a line that may be stock. */
const PROSE = 0;
const DIGIT = 1;
const AGENCY = 2;
const TELLING = 3;
const SIGNS: Uint8Array = Uint8Array.from({ length: 0x100 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (code > 0x7f || '&|/'.includes(character)) return TELLING;
  if (character >= '0' && character <= '9') return DIGIT;
  return character === 'g' || character === 'G' ? AGENCY : PROSE;
});

/** Bytes are as many as the characters that they stand for. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] > 0x7f || bytes[at] === AMPERSAND) return false;
  return true;
}

/** The headline again: pages put it into their title, together with the name of the site. */
function isTitle(heading: string, title: string): boolean {
  return heading.length >= SHORTEST_TITLE && title.includes(heading);
}

/** A heading and nothing but a list of links after it is no end of a text. */
function dropLinkList(tree: ContentTree, kept: Line[], dropped: Uint8Array): void {
  let start = kept.length;
  while (start > 0 && isLinkItem(tree, kept[start - 1])) start--;
  if (start === 0 || kept.length - start < 2) return;
  const label = kept[start - 1];
  if (!label.heading && label.length > 60) return;
  for (const line of kept.splice(start)) drop(line, dropped);
  if (label.heading) return;
  drop(label, dropped);
  kept.pop();
}

function isLinkItem(tree: ContentTree, line: Line): boolean {
  return line.linked * 4 >= line.length && isInItem(tree, tree.runs.holder[line.run]);
}

function isInItem(tree: ContentTree, holder: number): boolean {
  return tree.element[holder] === LI || (holder > 0 && tree.element[tree.parent[holder]] === LI);
}

function keptLines(tree: ContentTree, roots: readonly number[], dropped: Uint8Array): Line[] {
  const lines: Line[] = [];
  for (const root of roots) {
    for (let row = root; row < tree.end[root]; ) {
      if (dropped[row] === 1) {
        row = tree.end[row];
        continue;
      }
      if (tree.element[row] === TEXT && tree.run[row] !== -1) {
        const run = tree.run[row];
        const last = lines[lines.length - 1];
        if (last !== undefined && last.run === run) last.rows.push(row);
        else {
          const holder = tree.element[tree.runs.holder[run]];
          lines.push({
            run,
            length: tree.runs.length[run],
            linked: tree.runs.linked[run],
            heading: holder !== LI && (flagsOf(holder) & HEADING) !== 0,
            rows: [row],
          });
        }
      }
      row++;
    }
  }
  return lines;
}

function lineText(tree: ContentTree, line: Line): string {
  if (line.rows.every((row) => isPlain(tree.bytes, tree.from[row], tree.to[row]))) return plainLineText(tree, line);
  const [first] = line.rows;
  if (line.rows.length === 1) return collapse(decodedText(tree.html, tree.bytes, tree.from[first], tree.to[first]));
  let text = '';
  for (const row of line.rows) text += tree.html.slice(tree.from[row], tree.to[row]);
  return collapse(decodeReferences(decodeBytes(text as ByteText), false));
}

const lineOfText = madeOnce(() => new CollapsedText(2 * LONGEST));

/** Byte by byte, since a string of each piece would take longer. */
function plainLineText(tree: ContentTree, line: Line): string {
  const text = lineOfText();
  for (const row of line.rows) text.add(tree.bytes, tree.from[row], tree.to[row], true);
  return text.take();
}

function drop(line: Line, dropped: Uint8Array): void {
  for (const row of line.rows) dropped[row] = 1;
}
