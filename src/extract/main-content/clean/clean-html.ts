import { type ContentSelection, type ContentVisitor, visitContent } from '../content-selection.ts';
import type { ContentTree } from '../content-tree.ts';
import { BREAKS, elementNumber, elementNumbers, flagsOf } from '../names/content-elements.ts';
import { absoluteTarget, type Resolve } from './absolute-target.ts';
import { isDataTable } from './data-table.ts';
import { escapeAttribute, escapeText } from './escape-html.ts';
import { nodeText } from './node-text.ts';

/** What elements become; elements that are not named here leave only their content. */
const KEPT: ReadonlyMap<number, string> = new Map([
  ...(
    'a p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code em strong sub sup del ins kbd samp var mark q cite ' +
    'table thead tbody tfoot tr th td caption figure figcaption'
  )
    .split(' ')
    .map((name) => [elementNumber(name), name] as const),
  ...Object.entries({ b: 'strong', i: 'em', s: 'del', strike: 'del', tt: 'code', xmp: 'pre', listing: 'pre' }).map(
    ([name, becomes]) => [elementNumber(name), becomes] as const,
  ),
]);
const BR = elementNumber('br');
const HR = elementNumber('hr');
const IMG = elementNumber('img');
const TABLE = elementNumber('table');
/** Parts of a table: without it they mean nothing. */
const OF_TABLE = new Set('thead tbody tfoot tr th td caption'.split(' '));
/** Text may stand in these without a paragraph. */
const HOLDS_TEXT = new Set('p h1 h2 h3 h4 h5 h6 li dt dd pre td th caption figcaption'.split(' '));

/** The selection in a few elements without attributes but references, which are absolute. */
export function cleanHtml(tree: ContentTree, selection: ContentSelection, resolve: Resolve): string {
  const writer = new HtmlWriter(tree, resolve);
  visitContent(tree, selection, writer);
  return writer.end();
}

interface OpenTag {
  readonly row: number;
  readonly name: string;
  readonly start: string;
  /** Tags are written with their first content: empty elements leave no trace. */
  written: boolean;
}

class HtmlWriter implements ContentVisitor {
  readonly #tree: ContentTree;
  readonly #resolve: Resolve;
  readonly #parts: string[] = [];
  readonly #open: OpenTag[] = [];
  readonly #layoutTables: number[] = [];
  /** White space to come is not needed: a block begins, or white space was written. */
  #afterSpace = true;
  #inPre = 0;
  #inParagraph = false;
  #run = -1;

  constructor(tree: ContentTree, resolve: Resolve) {
    this.#tree = tree;
    this.#resolve = resolve;
  }

  end(): string {
    this.#endParagraph();
    return this.#parts.join('');
  }

  open(row: number, element: number): boolean {
    const breaks = (flagsOf(element) & BREAKS) !== 0;
    if (breaks) this.#endParagraph();
    if (element === BR) this.#write('<br>', false);
    else if (element === HR) this.#writeAlone('<hr>');
    else if (element === IMG) this.#writeImage(row);
    else if (element === TABLE && !isDataTable(this.#tree, row)) this.#layoutTables.push(row);
    else this.#openTag(row, KEPT.get(element) ?? '');
    return true;
  }

  close(row: number, element: number): void {
    if ((flagsOf(element) & BREAKS) !== 0) this.#endParagraph();
    if (this.#layoutTables[this.#layoutTables.length - 1] === row) this.#layoutTables.pop();
    const top = this.#open[this.#open.length - 1];
    if (top?.row !== row) return;
    this.#open.pop();
    if (top.name === 'pre') this.#inPre--;
    if (!top.written) return;
    this.#parts.push(`</${top.name}>`, isInline(top.name) ? '' : '\n');
    if (!isInline(top.name)) this.#afterSpace = true;
  }

  text(row: number): void {
    const text = nodeText(this.#tree, row);
    if (this.#inPre > 0) {
      this.#write(escapeText(text), true);
      return;
    }
    let collapsed = text.replace(/[\s\u00a0]+/g, ' ');
    if (this.#afterSpace && collapsed.startsWith(' ')) collapsed = collapsed.slice(1);
    if (collapsed === '') return;
    // What stood between two runs may have been dropped.
    if (this.#tree.run[row] !== this.#run) this.#endParagraph();
    this.#run = this.#tree.run[row];
    const paragraphNeeded = !this.#inParagraph && !this.#open.some((tag) => HOLDS_TEXT.has(tag.name));
    if (paragraphNeeded) this.#startParagraph();
    this.#write(escapeText(collapsed), true);
    this.#afterSpace = collapsed.endsWith(' ');
  }

  #openTag(row: number, name: string): void {
    if (name === '' || (this.#layoutTables.length > 0 && OF_TABLE.has(name))) return;
    let start = `<${name}>`;
    if (name === 'a') {
      const target = absoluteTarget(this.#tree, row, this.#resolve);
      if (target === undefined) return;
      start = `<a href="${escapeAttribute(target)}">`;
    }
    if (name === 'pre') this.#inPre++;
    this.#open.push({ row, name, start, written: false });
    if (!isInline(name)) this.#afterSpace = true;
  }

  #writeImage(row: number): void {
    const target = absoluteTarget(this.#tree, row, this.#resolve);
    if (target === undefined) return;
    const alternative = this.#tree.alternatives.get(row) ?? '';
    this.#write(`<img src="${escapeAttribute(target)}" alt="${escapeAttribute(alternative)}">`, true);
    this.#afterSpace = false;
  }

  /** A paragraph where the page has only a box; inline elements that are open go on in it. */
  #startParagraph(): void {
    this.#inParagraph = true;
    this.#flush(this.#endInline());
    this.#parts.push('<p>');
  }

  #endParagraph(): void {
    if (!this.#inParagraph) return;
    this.#inParagraph = false;
    this.#endInline();
    this.#parts.push('</p>\n');
    this.#afterSpace = true;
  }

  /** Ends the innermost inline elements for now: they start again with the next content. Answers the place of the first. */
  #endInline(): number {
    let place = this.#open.length;
    for (; place > 0 && isInline(this.#open[place - 1].name); place--) {
      const tag = this.#open[place - 1];
      if (tag.written) this.#parts.push(`</${tag.name}>`);
      tag.written = false;
    }
    return place;
  }

  #writeAlone(markup: string): void {
    this.#flush(this.#open.length);
    this.#parts.push(markup, '\n');
    this.#afterSpace = true;
  }

  #write(markup: string, isContent: boolean): void {
    // A line break before any content says nothing.
    if (!isContent && this.#afterSpace && this.#open.every((tag) => !tag.written || isInline(tag.name))) return;
    this.#flush(this.#open.length);
    this.#parts.push(markup);
    if (!isContent) this.#afterSpace = true;
  }

  #flush(places: number): void {
    for (let at = 0; at < places; at++) {
      const tag = this.#open[at];
      if (tag.written) continue;
      tag.written = true;
      this.#parts.push(tag.start);
    }
  }
}

function isInline(name: string): boolean {
  return (flagsOf(elementNumbers.get(name) ?? 0) & BREAKS) === 0;
}
