import { madeOnce } from '../../../base/made-once.ts';
import { CollapsedText } from '../../texts/collapsed-text.ts';
import type { ContentSelection } from '../content-selection.ts';
import type { ContentTree } from '../content-tree.ts';
import { elementNumber, TEXT } from '../names/content-elements.ts';
import { isLiteral } from './node-text.ts';

const BR = elementNumber('br');
const PRE = elementNumber('pre');
const TD = elementNumber('td');
const TH = elementNumber('th');

/** Bytes; white space that is not yet collapsed takes its place for a while. */
const SOME_MORE = 1024;
/** Room for longer texts is not kept. */
const KEPT_BYTES = 2 ** 18;

/** The text of the selection, a line for each block and for each row of a table. */
export function plainText(tree: ContentTree, selection: ContentSelection): string {
  const expected = selection.roots.reduce((sum, root) => sum + tree.length[root], SOME_MORE);
  const lines = expected > KEPT_BYTES ? new CollapsedText(expected) : keptLines();
  const writer = new PlainTextWriter(tree, lines);
  for (const root of selection.roots) writer.write(root, selection.dropped);
  return lines.take();
}

/** No text is begun before the one before it is taken. */
const keptLines = madeOnce(() => new CollapsedText(KEPT_BYTES));

/** Writes the texts of a selection in their order. It walks by itself: the text of each page is asked for three times, and a visitor must be told of every element. */
class PlainTextWriter {
  readonly #lines: CollapsedText;
  readonly #tree: ContentTree;
  #run = -1;

  constructor(tree: ContentTree, lines: CollapsedText) {
    this.#tree = tree;
    this.#lines = lines;
  }

  write(root: number, dropped: Uint8Array): void {
    const { element, end } = this.#tree;
    const stop = end[root];
    /** Where the preformatted text ends. */
    let preEnd = 0;
    for (let row = root; row < stop; ) {
      if (dropped[row] === 1) {
        row = end[row];
        continue;
      }
      const number = element[row];
      if (number === TEXT) this.#text(row, row < preEnd);
      else if (number === BR) this.#lines.breakBlock();
      else if (number === PRE) preEnd = Math.max(preEnd, end[row]);
      row++;
    }
  }

  #text(row: number, inPre: boolean): void {
    const tree = this.#tree;
    const run = tree.run[row];
    if (run !== this.#run) {
      if (this.#run !== -1 && isNextCell(tree, this.#run, run)) this.#lines.breakWord();
      else this.#lines.breakBlock();
      this.#run = run;
    }
    const literal = isLiteral(tree, row);
    if (inPre || literal) this.#addLines(tree.from[row], tree.to[row], literal);
    // White space alone, as it stands between words in tags of their own.
    else if (tree.length[row] === 0) this.#lines.breakWord();
    else this.#lines.add(tree.bytes, tree.from[row], tree.to[row], false);
  }

  /** Line breaks in preformatted text are line breaks. */
  #addLines(from: number, to: number, literal: boolean): void {
    const { html, bytes } = this.#tree;
    for (let start = from; start < to; ) {
      const found = html.indexOf('\n', start);
      const end = found === -1 || found >= to ? to : found;
      this.#lines.add(bytes, start, end, literal);
      if (end < to) this.#lines.breakBlock();
      start = end + 1;
    }
  }
}

function isNextCell(tree: ContentTree, before: number, run: number): boolean {
  const one = tree.runs.holder[before];
  const other = tree.runs.holder[run];
  return one !== other && isCell(tree, one) && isCell(tree, other) && tree.parent[one] === tree.parent[other];
}

function isCell(tree: ContentTree, row: number): boolean {
  return tree.element[row] === TD || tree.element[row] === TH;
}
