import type { Conversion, ConvertedDocument, DocumentBlock, DocumentLink } from '../../contracts/content/document.ts';
import type { ConversionBudget } from './conversion-budget.ts';
import { leadsSomewhere } from './placed-links.ts';

type Mutable<T> = { -readonly [Key in keyof T]?: T[Key] };

/** What a document says about itself. */
export type DocumentFacts = Mutable<Omit<ConvertedDocument, 'blocks' | 'links' | 'cut' | 'authors'>> & {
  authors?: string[];
  keywords?: string[];
};

/** Titles that programs write by themselves. */
const NO_TITLE =
  /^(?:powerpoint presentation|untitled(?: document)?|(?:document|dokument|slide|book|mappe|sheet|tabelle|feuil|hoja|foglio|blad|лист) ?\d*)$/i;
const MAX_FACT = 2_000;
const MAX_ENTRIES = 100;
/** Texts that `collapseSpace` changes. */
const NEEDS_WORK = /^ | $| {2}|[^\S ]|[\x00-\x1f\x7f]/;

/** Collects blocks and links. Invariants: at most `maxText` characters, `maxLinks` links and `maxText` characters of their addresses; no block is empty. */
export class DocumentBuilder {
  readonly facts: DocumentFacts = {};
  readonly budget: ConversionBudget;
  readonly #blocks: DocumentBlock[] = [];
  readonly #links: DocumentLink[] = [];
  readonly #linked = new Set<string>();
  #textLeft: number;
  /** Characters of addresses: a page made of the document holds each, and some twice. */
  #addressesLeft: number;
  #cut: ConvertedDocument['cut'];

  constructor(budget: ConversionBudget) {
    this.budget = budget;
    this.#textLeft = budget.limits.maxText;
    this.#addressesLeft = budget.limits.maxText;
  }

  /** No more text is wanted: readers may stop. */
  get full(): boolean {
    return this.#cut === 'text' || this.budget.exhausted !== undefined;
  }

  get size(): number {
    return this.#blocks.length;
  }

  heading(level: number, text: string): void {
    const kept = this.#take(collapseSpace(text));
    if (kept !== '')
      this.#blocks.push({ kind: 'heading', level: Math.min(Math.max(1, Math.trunc(level)), 6), text: kept });
  }

  paragraph(text: string): void {
    const kept = this.#take(collapseSpace(text));
    if (kept !== '') this.#blocks.push({ kind: 'paragraph', text: kept });
  }

  item(text: string): void {
    const kept = this.#take(collapseSpace(text));
    if (kept !== '') this.#blocks.push({ kind: 'item', text: kept });
  }

  /** Line breaks stay; for plain text. */
  lines(text: string): void {
    const kept = this.#take(text);
    if (kept !== '') this.#blocks.push({ kind: 'paragraph', text: kept });
  }

  code(text: string): void {
    const kept = this.#take(withoutBlankEnds(text));
    if (kept !== '') this.#blocks.push({ kind: 'code', text: kept });
  }

  /** Rows that are taken over as they are; empty cells at the ends of rows and empty rows are left out. */
  table(rows: readonly (readonly string[])[]): void {
    const kept: string[][] = [];
    for (const row of rows) {
      if (this.full) break;
      const cells = row.map((cell) => this.#take(collapseSpace(cell)));
      while (cells.length > 0 && cells[cells.length - 1] === '') cells.pop();
      if (cells.length > 0) kept.push(cells);
    }
    if (kept.length > 0) this.#blocks.push({ kind: 'table', rows: kept });
  }

  add(block: DocumentBlock): void {
    if (block.kind === 'heading') this.heading(block.level, block.text);
    else if (block.kind === 'table') this.table(block.rows);
    else this[block.kind](block.text);
  }

  /** `url` as written; only what can lead somewhere is kept, each address with its first text. */
  link(url: string, text: string): void {
    const address = url.trim();
    if (this.#links.length >= this.budget.limits.maxLinks || address.length > 4_096) return;
    if (address === '' || address.startsWith('#') || this.#linked.has(address)) return;
    if (address.length > this.#addressesLeft || !leadsSomewhere(address)) return;
    this.#addressesLeft -= address.length;
    this.#linked.add(address);
    this.#links.push({ url: address, text: collapseSpace(text).slice(0, 500) });
  }

  /** A limit other than that of the text was reached. */
  cutAt(cut: ConvertedDocument['cut']): void {
    this.#cut ??= cut;
  }

  /** `damaged` says what is wrong with a document of which nothing could be read. */
  finish(damaged?: string): Conversion {
    const exhausted = this.budget.exhausted;
    const empty = this.#blocks.length === 0;
    if (this.budget.bomb || (exhausted === 'size' && empty))
      return { kind: 'unreadable', why: 'too-large', detail: 'it unpacks to more than the limit' };
    if (exhausted === 'time' && empty)
      return { kind: 'unreadable', why: 'timeout', detail: `not read within ${this.budget.limits.maxMs} ms` };
    if (damaged !== undefined && empty) return { kind: 'unreadable', why: 'broken', detail: damaged };
    const cut = this.#cut ?? exhausted;
    const { authors, keywords, title, description, ...facts } = this.facts;
    const ownTitle = fact(title);
    const bestTitle = ownTitle === undefined || NO_TITLE.test(ownTitle) ? (this.#firstHeading() ?? ownTitle) : ownTitle;
    const about = fact(description);
    return {
      kind: 'converted',
      document: {
        ...defined(facts),
        ...(bestTitle === undefined ? {} : { title: bestTitle }),
        ...(about === undefined ? {} : { description: about }),
        authors: distinct(authors ?? []),
        ...(keywords === undefined || keywords.length === 0 ? {} : { keywords: distinct(keywords) }),
        blocks: this.#blocks,
        links: this.#links,
        ...(cut === undefined ? {} : { cut }),
      },
    };
  }

  #firstHeading(): string | undefined {
    for (const block of this.#blocks)
      if (block.kind === 'heading' && !NO_TITLE.test(block.text)) return block.text.slice(0, MAX_FACT);
    return undefined;
  }

  #take(text: string): string {
    if (text.length <= this.#textLeft) {
      this.#textLeft -= text.length;
      return text;
    }
    const kept = text.slice(0, this.#textLeft).toWellFormed();
    this.#textLeft = 0;
    this.#cut = 'text';
    return kept;
  }
}

/** Without blank lines before and white space behind; the indent of the first line stays. */
function withoutBlankEnds(text: string): string {
  const end = text.trimEnd();
  const blank = end.length - end.trimStart().length;
  // The line feed found stands before the first word, or there is none and the text begins at its start.
  return end.slice(end.lastIndexOf('\n', blank) + 1);
}

function fact(text: string | undefined): string | undefined {
  const collapsed = collapseSpace(text ?? '').slice(0, MAX_FACT);
  return collapsed === '' ? undefined : collapsed;
}

function distinct(texts: readonly string[]): string[] {
  const collapsed = texts.slice(0, MAX_ENTRIES).map((text) => collapseSpace(text).slice(0, MAX_FACT));
  return [...new Set(collapsed)].filter((text) => text !== '');
}

function defined<T extends object>(facts: T): T {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as T;
}

/** One space where there was white space or control characters, none at the ends. */
function collapseSpace(text: string): string {
  if (!NEEDS_WORK.test(text)) return text;
  return text.replace(/[\s\x00-\x1f\x7f]+/g, ' ').trim();
}
