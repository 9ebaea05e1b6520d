import { madeOnce } from '../../../base/made-once.ts';
import { CollapsedText } from '../../texts/collapsed-text.ts';
import type { ContentSelection, ContentVisitor } from '../content-selection.ts';
import { visitContent } from '../content-selection.ts';
import type { ContentTree } from '../content-tree.ts';
import { elementNumber } from '../names/content-elements.ts';
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
  visitContent(tree, selection, new PlainTextWriter(tree, lines));
  return lines.take();
}

/** No text is begun before the one before it is taken. */
const keptLines = madeOnce(() => new CollapsedText(KEPT_BYTES));

class PlainTextWriter implements ContentVisitor {
  readonly #lines: CollapsedText;
  readonly #tree: ContentTree;
  #run = -1;
  #inPre = 0;

  constructor(tree: ContentTree, lines: CollapsedText) {
    this.#tree = tree;
    this.#lines = lines;
  }

  open(_row: number, element: number): boolean {
    if (element === BR) this.#lines.breakBlock();
    else if (element === PRE) this.#inPre++;
    return true;
  }

  close(_row: number, element: number): void {
    if (element === PRE) this.#inPre--;
  }

  text(row: number): void {
    const tree = this.#tree;
    const run = tree.run[row];
    if (run !== this.#run) {
      if (this.#run !== -1 && isNextCell(tree, this.#run, run)) this.#lines.breakWord();
      else this.#lines.breakBlock();
      this.#run = run;
    }
    const literal = isLiteral(tree, row);
    if (this.#inPre === 0 && !literal) this.#lines.add(tree.bytes, tree.from[row], tree.to[row], false);
    else this.#addLines(tree.from[row], tree.to[row], literal);
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
