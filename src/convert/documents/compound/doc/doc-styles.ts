import type { ByteReader } from '../byte-reader.ts';
import type { DocPlace } from './doc-fib.ts';
import { type DocParagraph, PLAIN_PARAGRAPH, withProperties } from './doc-paragraph.ts';

interface Style {
  /** The number of a style that Word itself defines. */
  readonly builtIn: number;
  readonly isParagraph: boolean;
  readonly base: number;
  readonly properties: Uint8Array;
}

const MAX_STYLES = 4_096;
const MAX_ANCESTORS = 12;
const TITLE = 62;
const NO_PROPERTIES = new Uint8Array(0);

/** The style sheet of a Word document: which styles are headings, which belong to lists. */
export class DocStyles {
  readonly #styles: (Style | undefined)[] = [];
  readonly #known = new Map<number, DocParagraph>();

  constructor(table: ByteReader, place: DocPlace) {
    if (place.length === 0) return;
    const end = Math.min(place.at + place.length, table.length);
    const header = table.u16(place.at);
    const count = Math.min(table.u16(place.at + 2), MAX_STYLES);
    const baseLength = table.u16(place.at + 4);
    let at = place.at + 2 + header;
    for (let i = 0; i < count && at + 2 <= end; i++) {
      const length = table.u16(at);
      this.#styles.push(length === 0 ? undefined : readStyle(table, at + 2, length, baseLength));
      at += 2 + length;
    }
  }

  /** What a paragraph of this style is before its own properties. */
  paragraph(style: number): DocParagraph {
    const known = this.#known.get(style);
    if (known !== undefined) return known;
    const line: Style[] = [];
    for (let at = style; line.length < MAX_ANCESTORS; ) {
      const ancestor = this.#styles[at];
      if (ancestor === undefined || !ancestor.isParagraph) break;
      line.unshift(ancestor);
      if (ancestor.base === at) break;
      at = ancestor.base;
    }
    let paragraph = PLAIN_PARAGRAPH;
    for (const ancestor of line) paragraph = withProperties(paragraph, ancestor.properties);
    const heading = headingLevel(this.#styles[style]);
    if (heading !== undefined) paragraph = { ...paragraph, level: heading };
    this.#known.set(style, paragraph);
    return paragraph;
  }
}

function headingLevel(style: Style | undefined): number | undefined {
  if (style === undefined) return undefined;
  if (style.builtIn >= 1 && style.builtIn <= 9) return style.builtIn;
  return style.builtIn === TITLE ? 1 : undefined;
}

function readStyle(table: ByteReader, start: number, length: number, baseLength: number): Style {
  const kind = table.u16(start + 2);
  const isParagraph = (kind & 0xf) === 1;
  const name = start + Math.max(baseLength, 8);
  // The name has its length before and a zero behind it; what follows lies at even places.
  let at = name + 2 + (table.u16(name) + 1) * 2;
  if ((at - start) % 2 === 1) at++;
  const room = start + length - at - 2;
  const there = isParagraph ? Math.min(table.u16(at), room) : 0;
  return {
    builtIn: table.u16(start) & 0xfff,
    isParagraph,
    base: kind >> 4,
    properties: there > 2 ? table.bytes(at + 4, there - 2) : NO_PROPERTIES,
  };
}
