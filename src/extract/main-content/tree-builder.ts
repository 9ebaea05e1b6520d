import { type ByteText, byteSourceOf, decodeBytes } from '../byte-text.ts';
import { ANY_TAG, BREAKOUT } from '../element-traits.ts';
import type { HtmlScanner } from '../html-scanner.ts';
import { documentKernel } from '../kernel/document-kernel.ts';
import { type MarkupReader, scanOnce } from '../scan-once.ts';
import { attributeName } from '../tags/attribute-name.ts';
import { collapse } from '../white-space.ts';
import type { ContentTree } from './content-tree.ts';
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
import { ElementNames } from './names/element-names.ts';
import { DISCUSSION, FRAME, HIDDEN, NOISE, POST } from './names/name-hints.ts';
import { NAMELESS, type Named, type NameReader } from './names/name-reader.ts';
import { OpenElements } from './open-elements.ts';
import { RowTexts } from './row-texts.ts';
import { statedBodiesOf } from './stated-body.ts';
import { kindOfData, kindOfMeta, kindOfRel, moreStated, type StatedKind } from './stated-kind.ts';
import { type TreeColumns, TreeRooms } from './tree-columns.ts';

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
  readonly startTraits = ANY_TAG;
  readonly endTraits = ANY_TAG;
  readonly takesText = true;
  readonly #scanner: HtmlScanner;
  readonly #limits: TreeLimits;
  readonly #html: ByteText;
  readonly #bytes: Uint8Array;
  readonly #rooms: TreeRooms;
  readonly #columns: TreeColumns;
  #rows = 0;
  #runs = 0;
  readonly #referring: number[] = [];
  readonly #references: string[] = [];
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

  /** `names` and `rooms`: of the pages that were read before. */
  constructor(
    scanner: HtmlScanner,
    limits: TreeLimits = DEFAULT_TREE_LIMITS,
    names?: NameReader,
    rooms = new TreeRooms(),
  ) {
    this.#rooms = rooms;
    this.#columns = rooms.take();
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

  /** What was read; to be asked for once, at the end. It holds until it is given back. */
  tree(): ContentTree {
    this.#open.popTo(0);
    const rows = this.#rows;
    const runs = this.#runs;
    const columns = this.#columns;
    const { parent, length, linked } = columns;
    for (let row = rows - 1; row > 0; row--) {
      length[parent[row]] += length[row];
      linked[parent[row]] += linked[row];
    }
    return {
      html: this.#html,
      bytes: this.#bytes,
      element: columns.element.subarray(0, rows),
      parent: parent.subarray(0, rows),
      end: columns.end.subarray(0, rows),
      from: columns.from.subarray(0, rows),
      to: columns.to.subarray(0, rows),
      length: length.subarray(0, rows),
      linked: linked.subarray(0, rows),
      hints: columns.hints.subarray(0, rows),
      name: columns.name.subarray(0, rows),
      run: columns.run.subarray(0, rows),
      runs: {
        holder: columns.runHolder.subarray(0, runs),
        length: columns.runLength.subarray(0, runs),
        linked: columns.runLinked.subarray(0, runs),
        first: columns.runFirst.subarray(0, runs),
      },
      references: new RowTexts(this.#referring, this.#references, columns.reference.subarray(0, rows)),
      alternatives: this.#alternatives,
      title: this.#title,
      base: this.#base,
      statedBodies: this.#statedBodies,
      kind: this.#kind,
    };
  }

  /** Nobody looks at the tree any more: its room is that of another page. */
  giveBack(): void {
    this.#rooms.giveBack(this.#columns);
  }

  #readText(start: number, end: number): void {
    const length = textLength(this.#bytes, start, end);
    if (this.#currentRun === -1) {
      if (length === 0) return;
      this.#startRun();
    }
    const row = this.#addRow(TEXT, NAMELESS);
    const columns = this.#columns;
    const run = this.#currentRun;
    const linked = this.#link === -1 ? 0 : length;
    columns.from[row] = start;
    columns.to[row] = end;
    columns.length[row] = length;
    columns.linked[row] = linked;
    columns.run[row] = run;
    columns.runLength[run] += length;
    columns.runLinked[run] += linked;
  }

  /** The text that begins it comes next: there are no more runs than rows. */
  #startRun(): void {
    if (this.#rows === this.#columns.capacity) this.#columns.grow();
    const columns = this.#columns;
    const run = this.#runs++;
    this.#currentRun = run;
    columns.runHolder[run] = this.#open.holder();
    columns.runLength[run] = 0;
    columns.runLinked[run] = 0;
    columns.runFirst[run] = this.#rows;
  }

  #mindLimit(): void {
    this.#full = this.#rows >= this.#limits.maxNodes;
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
    if (this.#columns.name[0] !== 0) return;
    const { number, hints } = this.#names.read(this.#scanner);
    this.#columns.name[0] = number;
    if ((hints & POST) !== 0) this.#kind = moreStated(this.#kind, 'article');
    this.#columns.hints[0] = hints & ~(HIDDEN | NOISE | FRAME | DISCUSSION | POST);
  }

  #readEmpty(number: number, named: Named): void {
    const row = this.#addRow(number, named);
    if (number !== IMG) return;
    const source = this.#scanner.attribute(SRC);
    if (source !== undefined) this.#refer(row, source);
    const alternative = this.#scanner.attribute(ALT);
    if (alternative !== undefined) this.#alternatives.set(row, alternative);
  }

  #readLink(named: Named): void {
    this.#endLink();
    const reference = this.#scanner.attribute(HREF);
    const row = this.#push(A, named);
    if (row === -1 || reference === undefined) return;
    this.#refer(row, reference);
    this.#link = row;
  }

  #refer(row: number, reference: string): void {
    this.#referring.push(row);
    this.#columns.reference[row] = this.#references.push(reference);
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
    const row = this.#rows++;
    const columns = this.#columns;
    if (row === columns.capacity) columns.grow();
    columns.element[row] = number;
    columns.parent[row] = row === 0 ? -1 : this.#open.top;
    columns.end[row] = row + 1;
    columns.from[row] = 0;
    columns.to[row] = 0;
    columns.length[row] = 0;
    columns.linked[row] = 0;
    columns.hints[row] = named.hints;
    columns.name[row] = named.number;
    columns.run[row] = -1;
    columns.reference[row] = 0;
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
    this.#columns.end[row] = this.#rows;
    if (number === SVG) this.#inForeign--;
    if ((flags & NO_TEXT) !== 0) this.#inNoText--;
    if ((flags & BREAKS) !== 0) this.#currentRun = -1;
    if (row === this.#link) this.#link = -1;
  }
}

/** From so many bytes on the kernel takes less time than the loop. */
const LONG = 64;

/** Bytes that are no white space, and one for each gap between them. */
function textLength(bytes: Uint8Array, start: number, end: number): number {
  const kernel = end - start < LONG ? undefined : documentKernel();
  if (kernel?.hold(bytes)) return kernel.textLength(start, end);
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
