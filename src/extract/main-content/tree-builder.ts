import { type ByteText, byteSourceOf, decodeBytes } from '../byte-text.ts';
import { BREAKOUT } from '../element-traits.ts';
import { attributeName, type HtmlScanner } from '../html-scanner.ts';
import { type MarkupReader, scanOnce } from '../scan-once.ts';
import { collapse } from '../white-space.ts';
import type { ContentTree, TextRuns } from './content-tree.ts';
import {
  BREAKS,
  EMPTY,
  elementNumber,
  elementNumbers,
  flagsOf,
  HEAD_PART,
  NO_TEXT,
  numbersByScanner,
  RAW,
  TEXT,
  unknownNumber,
} from './names/content-elements.ts';
import { ElementNames, type Named } from './names/element-names.ts';
import { DISCUSSION, FRAME, HIDDEN, NOISE, POST } from './names/name-hints.ts';
import type { NameReader } from './names/name-reader.ts';
import { OpenElements } from './open-elements.ts';
import { statedBodiesOf } from './stated-body.ts';
import { kindOfData, kindOfMeta, kindOfRel, moreStated, type StatedKind } from './stated-kind.ts';

const ALT = attributeName('alt');
const CONTENT = attributeName('content');
const HREF = attributeName('href');
const NAME = attributeName('name');
const PROPERTY = attributeName('property');
const REL = attributeName('rel');
const SRC = attributeName('src');
const TYPE = attributeName('type');

const A = elementNumber('a');
const BASE = elementNumber('base');
const BODY = elementNumber('body');
const HEAD = elementNumber('head');
const HTML = elementNumber('html');
const IMG = elementNumber('img');
const LINK = elementNumber('link');
const META = elementNumber('meta');
const SCRIPT = elementNumber('script');
const TITLE = elementNumber('title');
const SVG = elementNumber('svg');

export interface TreeLimits {
  /** What follows the last node is not read. */
  readonly maxNodes: number;
  /** What lies deeper belongs to the element at this depth. */
  readonly maxDepth: number;
}

export const DEFAULT_TREE_LIMITS: TreeLimits = { maxNodes: 400_000, maxDepth: 400 };

/** Reads a document into a tree. Wrong markup is mended roughly as a browser does it; nothing makes it throw. */
export function buildTree(source: string | Uint8Array, limits: TreeLimits = DEFAULT_TREE_LIMITS): ContentTree {
  const [builder] = scanOnce<[TreeBuilder]>(byteSourceOf(source), [(scanner) => new TreeBuilder(scanner, limits)]);
  return builder.tree();
}

/** Builds the tree while somebody else leads through the document. */
export class TreeBuilder implements MarkupReader {
  readonly #scanner: HtmlScanner;
  readonly #limits: TreeLimits;
  readonly #html: ByteText;
  readonly #bytes: Uint8Array;
  readonly #element: number[] = [];
  readonly #parent: number[] = [];
  readonly #end: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #length: number[] = [];
  readonly #linked: number[] = [];
  readonly #hints: number[] = [];
  readonly #name: number[] = [];
  readonly #run: number[] = [];
  readonly #runs: TextRuns = { holder: [], length: [], linked: [], first: [] };
  readonly #references = new Map<number, string>();
  readonly #alternatives = new Map<number, string>();
  readonly #open: OpenElements;
  readonly #names: ElementNames;
  readonly #numbersOfUnknown = new Map<string, number>();
  readonly #statedBodies: string[] = [];
  #title = '';
  #kind: StatedKind = 'none';
  #base: string | undefined;
  /** Row of the link that text belongs to, or -1. */
  #link = -1;
  /** How many elements without text are open; foreign ones are among them. */
  #inNoText = 0;
  #inForeign = 0;
  /** The run that text would join, or -1 after a line break. */
  #currentRun = -1;

  /** The limit of nodes is reached: nothing more is read. */
  #full = false;

  constructor(scanner: HtmlScanner, limits: TreeLimits = DEFAULT_TREE_LIMITS, names?: NameReader) {
    this.#html = scanner.html;
    this.#bytes = scanner.bytes;
    this.#limits = limits;
    this.#names = new ElementNames(names);
    this.#scanner = scanner;
    this.#open = new OpenElements((row, number) => this.#closed(row, number));
    this.#push(BODY, NAMELESS);
  }

  text(): void {
    if (this.#inNoText > 0 || this.#full) return;
    this.#readText(this.#scanner.textStart, this.#scanner.textEnd);
    this.#mindLimit();
  }

  startTag(): boolean {
    if (this.#full) return false;
    const scanner = this.#scanner;
    const number = this.#number();
    const flags = flagsOf(number);
    if (this.#inForeign > 0) {
      if ((scanner.traits & BREAKOUT) === 0) {
        if (!scanner.selfClosing && (flags & EMPTY) === 0) this.#push(number, NAMELESS);
        this.#mindLimit();
        return false;
      }
      this.#open.close(SVG);
    }
    if ((flags & HEAD_PART) === 0 || number === BODY) this.#open.close(HEAD);
    if (number === BODY) this.#readRoot();
    else if (number !== HTML) {
      if ((flags & RAW) !== 0) return true;
      this.#readElement(number, flags);
    }
    this.#mindLimit();
    return false;
  }

  /** Content without markup: data, or text shown as it is written. */
  rawText(): void {
    const scanner = this.#scanner;
    const number = this.#number();
    const start = scanner.textStart;
    const end = scanner.textEnd;
    if (number === SCRIPT && (scanner.attribute(TYPE) ?? '').toLowerCase().includes('ld+json')) {
      const json = this.#html.slice(start, end) as ByteText;
      this.#kind = moreStated(this.#kind, kindOfData(json));
      if (json.includes('articleBody')) this.#statedBodies.push(...statedBodiesOf(decodeBytes(json)));
    } else if (number === TITLE) {
      if (this.#title === '') this.#title = collapse(scanner.text());
    } else if ((flagsOf(number) & NO_TEXT) === 0 && this.#inNoText === 0) {
      this.#currentRun = -1;
      if (this.#push(number, NAMELESS) !== -1) this.#readText(start, end);
      this.#mindLimit();
    }
  }

  endTag(): void {
    if (this.#full) return;
    const number = this.#number();
    const flags = flagsOf(number);
    if (number === BODY || number === HTML || (flags & EMPTY) !== 0) return;
    if ((flags & BREAKS) !== 0) this.#currentRun = -1;
    if (number === A) this.#endLink();
    else this.#open.close(number);
  }

  /** What was read; to be asked for once, at the end. */
  tree(): ContentTree {
    this.#open.popTo(0);
    for (let row = this.#element.length - 1; row > 0; row--) {
      this.#length[this.#parent[row]] += this.#length[row];
      this.#linked[this.#parent[row]] += this.#linked[row];
    }
    return {
      html: this.#html,
      bytes: this.#bytes,
      element: this.#element,
      parent: this.#parent,
      end: this.#end,
      from: this.#from,
      to: this.#to,
      length: this.#length,
      linked: this.#linked,
      hints: this.#hints,
      name: this.#name,
      run: this.#run,
      runs: this.#runs,
      references: this.#references,
      alternatives: this.#alternatives,
      title: this.#title,
      base: this.#base,
      statedBodies: this.#statedBodies,
      kind: this.#kind,
    };
  }

  #readText(start: number, end: number): void {
    const length = textLength(this.#bytes, start, end);
    if (this.#currentRun === -1) {
      if (length === 0) return;
      this.#startRun();
    }
    const row = this.#addRow(TEXT, NAMELESS);
    const run = this.#currentRun;
    const linked = this.#link === -1 ? 0 : length;
    this.#from[row] = start;
    this.#to[row] = end;
    this.#length[row] = length;
    this.#linked[row] = linked;
    this.#run[row] = run;
    this.#runs.length[run] += length;
    this.#runs.linked[run] += linked;
  }

  #startRun(): void {
    const runs = this.#runs;
    this.#currentRun = runs.holder.length;
    runs.holder.push(this.#open.holder());
    runs.length.push(0);
    runs.linked.push(0);
    runs.first.push(this.#element.length);
  }

  #mindLimit(): void {
    this.#full = this.#element.length >= this.#limits.maxNodes;
  }

  #readElement(number: number, flags: number): void {
    const scanner = this.#scanner;
    if (number === META) this.#readMeta();
    else if (number === LINK) this.#kind = moreStated(this.#kind, kindOfRel(scanner.attribute(REL) ?? ''));
    else if (number === BASE) this.#base ??= scanner.attribute(HREF);
    this.#open.closeImplied(number, flags);
    if ((flags & BREAKS) !== 0) this.#currentRun = -1;
    const empty = (flags & EMPTY) !== 0 || (number === SVG && scanner.selfClosing);
    if (this.#inNoText > 0) {
      if (!empty) this.#push(number, NAMELESS);
      return;
    }
    const named = this.#names.read(scanner);
    if ((named.hints & POST) !== 0) this.#kind = moreStated(this.#kind, 'article');
    if (empty) this.#readEmpty(number, named);
    else if (number === A) this.#readLink(named);
    else this.#push(number, named);
  }

  #readMeta(): void {
    const content = this.#scanner.attribute(CONTENT);
    const property = this.#scanner.attribute(PROPERTY) ?? this.#scanner.attribute(NAME);
    if (content === undefined || property === undefined) return;
    this.#kind = moreStated(this.#kind, kindOfMeta(property.trim().toLowerCase(), content));
  }

  /** The body of the document is row 0, wherever its tag stands; it is never noise. */
  #readRoot(): void {
    if (this.#name[0] !== 0) return;
    const { number, hints } = this.#names.read(this.#scanner);
    this.#name[0] = number;
    if ((hints & POST) !== 0) this.#kind = moreStated(this.#kind, 'article');
    this.#hints[0] = hints & ~(HIDDEN | NOISE | FRAME | DISCUSSION | POST);
  }

  #readEmpty(number: number, named: Named): void {
    const row = this.#addRow(number, named);
    if (number !== IMG) return;
    const source = this.#scanner.attribute(SRC);
    if (source !== undefined) this.#references.set(row, source);
    const alternative = this.#scanner.attribute(ALT);
    if (alternative !== undefined) this.#alternatives.set(row, alternative);
  }

  #readLink(named: Named): void {
    this.#endLink();
    const reference = this.#scanner.attribute(HREF);
    const row = this.#push(A, named);
    if (row === -1 || reference === undefined) return;
    this.#references.set(row, reference);
    this.#link = row;
  }

  #endLink(): void {
    this.#link = -1;
    this.#open.closeLink();
  }

  /** Names that are not known get a number of their own in this document, so that end tags find their elements. */
  #number(): number {
    const known = numbersByScanner[this.#scanner.nameNumber];
    if (known !== -1) return known;
    const written = this.#scanner.tagName();
    let number = elementNumbers.get(written) ?? this.#numbersOfUnknown.get(written);
    if (number === undefined) {
      number = unknownNumber + this.#numbersOfUnknown.size;
      this.#numbersOfUnknown.set(written, number);
    }
    return number;
  }

  #addRow(number: number, named: Named): number {
    const row = this.#element.length;
    this.#element.push(number);
    this.#parent.push(row === 0 ? -1 : this.#open.top);
    this.#end.push(row + 1);
    this.#from.push(0);
    this.#to.push(0);
    this.#length.push(0);
    this.#linked.push(0);
    this.#hints.push(named.hints);
    this.#name.push(named.number);
    this.#run.push(-1);
    return row;
  }

  /** Opens an element; answers its row, or -1 where it would lie too deep: then its content belongs to the parent. */
  #push(number: number, named: Named): number {
    if (this.#open.depth >= this.#limits.maxDepth) return -1;
    const row = this.#addRow(number, named);
    this.#open.push(row, number);
    if (number === SVG) this.#inForeign++;
    if ((flagsOf(number) & NO_TEXT) !== 0) this.#inNoText++;
    return row;
  }

  #closed(row: number, number: number): void {
    const flags = flagsOf(number);
    this.#end[row] = this.#element.length;
    if (number === SVG) this.#inForeign--;
    if ((flags & NO_TEXT) !== 0) this.#inNoText--;
    if ((flags & BREAKS) !== 0) this.#currentRun = -1;
    if (row === this.#link) this.#link = -1;
  }
}

const NAMELESS: Named = { number: 0, hints: 0 };

/** Bytes that are no white space, and one for each gap between them. */
function textLength(bytes: Uint8Array, start: number, end: number): number {
  let length = 0;
  let gap = 0;
  // No branch depends on where words end: it would be guessed wrong.
  for (let at = start; at < end; at++) {
    const isText = (0x20 - bytes[at]) >>> 31;
    length += isText + (isText & gap);
    gap = isText ^ 1;
  }
  return length;
}
