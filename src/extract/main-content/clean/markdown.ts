import { collapse } from '../../white-space.ts';
import { type ContentSelection, type ContentVisitor, visitContent, visitRows } from '../content-selection.ts';
import type { ContentTree } from '../content-tree.ts';
import { BREAKS, elementName, elementNumber, flagsOf, HEADING } from '../names/content-elements.ts';
import { absoluteTarget, type Resolve } from './absolute-target.ts';
import { isDataTable, tableCells } from './data-table.ts';
import { MarkdownLines } from './markdown-lines.ts';
import { nodeText, textBelow } from './node-text.ts';

const A = elementNumber('a');
const BLOCKQUOTE = elementNumber('blockquote');
const BR = elementNumber('br');
const DD = elementNumber('dd');
const HR = elementNumber('hr');
const IMG = elementNumber('img');
const LI = elementNumber('li');
const OL = elementNumber('ol');
const TABLE = elementNumber('table');
const TH = elementNumber('th');
const LISTS = new Set(['ul', 'ol', 'menu', 'dir'].map(elementNumber));
const PREFORMATTED = new Set(['pre', 'xmp', 'listing', 'plaintext'].map(elementNumber));
const CODE = new Set(['code', 'kbd', 'samp', 'tt'].map(elementNumber));
/** Blocks that belong to a list or a definition: no blank line before them. */
const ITEMS = new Set(['li', 'dd', 'dt', 'tr'].map(elementNumber));
const MARKS: ReadonlyMap<number, string> = new Map(
  Object.entries({ em: '*', i: '*', strong: '**', b: '**', del: '~~', s: '~~', strike: '~~' }).map(([name, mark]) => [
    elementNumber(name),
    mark,
  ]),
);

/** The selection as Markdown (CommonMark with tables): headings, lists, links, emphasis, tables, code, quotes. */
export function markdown(tree: ContentTree, selection: ContentSelection, resolve: Resolve): string {
  const writer = new MarkdownWriter(tree, selection.dropped, resolve);
  visitContent(tree, selection, writer);
  return writer.lines.toString();
}

class MarkdownWriter implements ContentVisitor {
  readonly lines = new MarkdownLines();
  readonly #tree: ContentTree;
  readonly #dropped: Uint8Array;
  readonly #resolve: Resolve;
  /** Numbers of the items of open lists; -1 for lists without numbers. */
  readonly #lists: number[] = [];
  readonly #marked: number[] = [];
  #inHeading = false;
  /** The run of the last text, or -1 after a block: what stood between two runs may have been dropped. */
  #run = -1;

  constructor(tree: ContentTree, dropped: Uint8Array, resolve: Resolve) {
    this.#tree = tree;
    this.#dropped = dropped;
    this.#resolve = resolve;
  }

  open(row: number, element: number): boolean {
    const { lines } = this;
    if ((flagsOf(element) & BREAKS) !== 0) {
      this.#run = -1;
      if (PREFORMATTED.has(element)) return this.#writeCode(row);
      if (element === TABLE && isDataTable(this.#tree, row)) return this.#writeTable(row);
      this.#openBlock(element);
    } else if (element === A) {
      const target = absoluteTarget(this.#tree, row, this.#resolve);
      if (target !== undefined) this.#mark(row, '[', `](${escapeTarget(target)})`);
    } else if (MARKS.has(element)) {
      const mark = MARKS.get(element) ?? '';
      this.#mark(row, mark, mark);
    } else if (CODE.has(element)) {
      const code = collapse(textBelow(this.#tree, this.#dropped, row));
      if (code !== '') lines.inline(inlineCode(code));
      return false;
    } else if (element === BR) {
      if (this.#inHeading) lines.text(' ');
      else lines.hardBreak();
    } else if (element === IMG) this.#writeImage(row);
    return true;
  }

  close(row: number, element: number): void {
    if (this.#marked[this.#marked.length - 1] === row) {
      this.#marked.pop();
      this.lines.popMark();
    }
    if ((flagsOf(element) & BREAKS) === 0) return;
    this.#run = -1;
    if (LISTS.has(element)) this.#lists.pop();
    if (element === LI || element === DD || element === BLOCKQUOTE || (flagsOf(element) & HEADING) !== 0)
      this.lines.popLevel();
    if ((flagsOf(element) & HEADING) !== 0) this.#inHeading = false;
    this.lines.breakLine(ITEMS.has(element) || (LISTS.has(element) && this.#lists.length > 0) ? 1 : 2);
  }

  text(row: number): void {
    const run = this.#tree.run[row];
    if (this.#run !== -1 && this.#run !== run) this.lines.separate();
    this.#run = run;
    this.lines.text(nodeText(this.#tree, row).replace(/[\s\u00a0]+/g, ' '));
  }

  #openBlock(element: number): void {
    const { lines } = this;
    const nested = LISTS.has(element) && this.#lists.length > 0;
    lines.breakLine(ITEMS.has(element) || nested ? 1 : 2);
    if (LISTS.has(element)) this.#lists.push(element === OL ? 0 : -1);
    else if (element === HR) lines.block(['---']);
    else if (element === LI) this.#openItem();
    else if (element === DD) lines.pushLevel(':   ', '    ');
    else if (element === BLOCKQUOTE) lines.pushLevel('> ', '> ');
    else if ((flagsOf(element) & HEADING) !== 0) {
      this.#inHeading = true;
      lines.pushLevel(`${'#'.repeat(Number(elementName(element).slice(1)))} `, '');
    }
  }

  #openItem(): void {
    const last = this.#lists.length - 1;
    if (last < 0 || this.#lists[last] === -1) {
      this.lines.pushLevel('- ', '  ');
      return;
    }
    const number = `${++this.#lists[last]}. `;
    this.lines.pushLevel(number, ' '.repeat(number.length));
  }

  #mark(row: number, start: string, end: string): void {
    this.lines.pushMark(start, end);
    this.#marked.push(row);
  }

  #writeImage(row: number): void {
    const alternative = collapse(this.#tree.alternatives.get(row) ?? '');
    const target = absoluteTarget(this.#tree, row, this.#resolve);
    if (target === undefined || alternative === '') return;
    this.lines.inline(`![${alternative.replace(/[[\]\\]/g, '\\$&')}](${escapeTarget(target)})`);
  }

  #writeCode(row: number): false {
    const code = textBelow(this.#tree, this.#dropped, row)
      .replace(/\r\n?/g, '\n')
      .replace(/^\n|\s+$/g, '');
    if (code.trim() !== '') {
      const fence = '`'.repeat(Math.max(3, longestTicks(code) + 1));
      this.lines.block([fence, ...code.split('\n'), fence]);
    }
    return false;
  }

  #writeTable(table: number): false {
    const tree = this.#tree;
    const cells = tableCells(tree, this.#dropped, table);
    const columns = cells.reduce((most, line) => Math.max(most, line.length), 0);
    const rows = cells.map((line) =>
      Array.from({ length: columns }, (_, at) => (at < line.length ? this.#cell(line[at]) : '')),
    );
    if (rows.every((row) => row.every((cell) => cell === ''))) return false;
    // Markdown has no tables without a head.
    if (!cells[0].some((cell) => tree.element[cell] === TH)) rows.unshift(Array.from({ length: columns }, () => ''));
    const written = rows.map((row) => `| ${row.join(' | ')} |`);
    written.splice(1, 0, `|${' --- |'.repeat(columns)}`);
    this.lines.block(written);
    return false;
  }

  /** A cell is one line, whatever is in it. */
  #cell(row: number): string {
    const writer = new MarkdownWriter(this.#tree, this.#dropped, this.#resolve);
    visitRows(this.#tree, this.#dropped, row + 1, this.#tree.end[row], writer);
    return collapse(writer.lines.toString()).replaceAll('|', '\\|');
  }
}

function inlineCode(code: string): string {
  const ticks = '`'.repeat(longestTicks(code) + 1);
  const padding = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${ticks}${padding}${code}${padding}${ticks}`;
}

function longestTicks(code: string): number {
  let longest = 0;
  for (const [ticks] of code.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  return longest;
}

function escapeTarget(target: string): string {
  return target.replace(/[()\s<>\\]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  );
}
