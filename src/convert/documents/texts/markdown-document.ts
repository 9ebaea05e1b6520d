import type { DocumentBuilder } from '../document-builder.ts';
import { readFrontMatter } from './front-matter.ts';
import { type MarkdownReferences, plainInline } from './markdown-inline.ts';

// No pattern here can be made to try the same characters again and again: lines are long where they are hostile.
const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** Without its white space. */
const TABLE_RULE = /^\|?:?-+:?(?:\|:?-+:?)*\|?$/;
const REFERENCE = /^ {0,3}\[([^\]]{1,200})\]:[ \t]*<?([^\s>]+)>?/;
const MAX_LINE = 100_000;
const LINES_PER_LOOK = 1_000;

/** Markdown: headings, lists, code, tables and links; the front matter gives title and facts. */
export function readMarkdown(text: string, builder: DocumentBuilder): void {
  const lines = text.split(/\r\n?|\n/).flatMap(inPieces);
  const start = readFrontMatter(lines, builder.facts);
  new MarkdownReader(lines, referencesIn(lines), builder).read(start);
}

/** A line without end is read as several. */
function inPieces(line: string): string | string[] {
  if (line.length <= MAX_LINE) return line;
  const pieces: string[] = [];
  for (let at = 0; at < line.length; at += MAX_LINE) pieces.push(line.slice(at, at + MAX_LINE));
  return pieces;
}

function referencesIn(lines: readonly string[]): MarkdownReferences {
  const references = new Map<string, string>();
  for (const line of lines) {
    const found = REFERENCE.exec(line);
    if (found !== null && !references.has(found[1].toLowerCase())) references.set(found[1].toLowerCase(), found[2]);
  }
  return references;
}

class MarkdownReader {
  readonly #lines: readonly string[];
  readonly #references: MarkdownReferences;
  readonly #builder: DocumentBuilder;
  /** Lines of the paragraph or item that is open. */
  #open: string[] = [];
  #isItem = false;

  constructor(lines: readonly string[], references: MarkdownReferences, builder: DocumentBuilder) {
    this.#lines = lines;
    this.#references = references;
    this.#builder = builder;
  }

  read(start: number): void {
    let at = start;
    let looked = start;
    while (at < this.#lines.length && !this.#builder.full) {
      at = this.#readLine(at);
      if (at - looked < LINES_PER_LOOK) continue;
      looked = at;
      if (!this.#builder.budget.hasTime()) break;
    }
    this.#flush();
  }

  /** Answers the number of the next line to read. */
  #readLine(at: number): number {
    const line = withoutQuoteMarks(this.#lines[at]);
    if (line.trim() === '') {
      this.#flush();
      return at + 1;
    }
    const fence = FENCE.exec(line);
    if (fence !== null) return this.#readFence(at, fence[1]);
    if (this.#open.length === 0 && /^(?: {4}|\t)/.test(line) && !this.#isItem) return this.#readIndented(at);
    const heading = HEADING.exec(line);
    if (heading !== null) {
      const words = line.slice(heading[0].length).trim();
      return this.#heading(heading[1].length, words.replace(/(?:^|[ \t])#+$/, ''), at + 1);
    }
    const underline = this.#open.length > 0 && !this.#isItem ? /^ {0,3}(=+|-+)[ \t]*$/.exec(line) : null;
    if (underline !== null) {
      const words = this.#open.join(' ');
      this.#open = [];
      return this.#heading(underline[1][0] === '=' ? 1 : 2, words, at + 1);
    }
    if (RULE.test(line) || REFERENCE.test(line)) {
      this.#flush();
      return at + 1;
    }
    if (line.includes('|') && isTableRule(this.#lines[at + 1] ?? '')) return this.#readTable(at);
    const item = ITEM.exec(line);
    if (item !== null) {
      this.#flush();
      this.#isItem = true;
      this.#open.push(line.slice(item[0].length));
      return at + 1;
    }
    if (this.#isItem && this.#open.length === 0 && !/^\s/.test(line)) this.#isItem = false;
    this.#open.push(line.trim());
    return at + 1;
  }

  #heading(level: number, words: string, next: number): number {
    this.#flush();
    this.#isItem = false;
    this.#builder.heading(level, this.#inline(words));
    return next;
  }

  #readFence(at: number, mark: string): number {
    this.#flush();
    let end = at + 1;
    while (end < this.#lines.length && !closesFence(this.#lines[end], mark)) end++;
    this.#builder.code(this.#lines.slice(at + 1, end).join('\n'));
    return end + 1;
  }

  #readIndented(at: number): number {
    const code: string[] = [];
    let end = at;
    // The first line has been found to be one, without its quote marks: so they go here as well, or nothing would be read.
    for (; end < this.#lines.length; end++) {
      const line = withoutQuoteMarks(this.#lines[end]);
      if (!/^(?: {4}|\t|\s*$)/.test(line)) break;
      code.push(line.replace(/^(?: {4}|\t)/, ''));
    }
    this.#builder.code(code.join('\n'));
    return end;
  }

  #readTable(at: number): number {
    this.#flush();
    const rows: string[][] = [this.#cells(this.#lines[at])];
    let end = at + 2;
    for (; end < this.#lines.length && this.#lines[end].includes('|'); end++) rows.push(this.#cells(this.#lines[end]));
    this.#builder.table(rows);
    return end;
  }

  #cells(line: string): string[] {
    const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
    return inner.split(/(?<!\\)\|/).map((cell) => this.#inline(cell.trim()));
  }

  #inline(text: string): string {
    return plainInline(text, this.#references, (url, words) => this.#builder.link(url, words));
  }

  #flush(): void {
    if (this.#open.length === 0) return;
    const text = this.#inline(this.#open.join(' '));
    this.#open = [];
    if (this.#isItem) this.#builder.item(text);
    else this.#builder.paragraph(text);
  }
}

function withoutQuoteMarks(line: string): string {
  return line.replace(/^(?: {0,3}> ?)+/, '');
}

function closesFence(line: string, mark: string): boolean {
  const found = FENCE.exec(line)?.[1];
  return found !== undefined && found[0] === mark[0] && found.length >= mark.length && line.trim() === found;
}

function isTableRule(line: string): boolean {
  return line.includes('|') && TABLE_RULE.test(line.replace(/[ \t]/g, ''));
}
