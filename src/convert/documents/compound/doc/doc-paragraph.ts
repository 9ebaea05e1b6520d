import { eachProperty } from './doc-properties.ts';

/** What matters of a paragraph's properties. */
export interface DocParagraph {
  /** Number of its list override, from 1; 0 where it is in no list. */
  list: number;
  listLevel: number;
  /** 1 to 9 for headings. */
  level: number | undefined;
  inTable: boolean;
  endsRow: boolean;
  /** Its mark ends a cell, or a row, of a table within a table. */
  endsInner: boolean;
}

const LIST_LEVEL = 0x260a;
const LIST = 0x460b;
const IN_TABLE = 0x2416;
const ENDS_ROW = 0x2417;
const OUTLINE_LEVEL = 0x2640;
const TABLE_DEPTH = 0x6649;
const INNER_CELL = 0x244b;
const INNER_ROW = 0x244c;
const MAX_LIST = 2_046;

export const PLAIN_PARAGRAPH: DocParagraph = {
  list: 0,
  listLevel: 0,
  level: undefined,
  inTable: false,
  endsRow: false,
  endsInner: false,
};

/** The paragraph that `properties` make of another one. */
export function withProperties(base: DocParagraph, properties: Uint8Array): DocParagraph {
  const paragraph = { ...base };
  eachProperty(properties, (property, at, reader) => {
    if (property === LIST) {
      const list = reader.u16(at);
      paragraph.list = list > MAX_LIST ? 0 : list;
    } else if (property === LIST_LEVEL) paragraph.listLevel = Math.min(reader.u8(at), 8);
    else if (property === IN_TABLE) paragraph.inTable = reader.u8(at) !== 0;
    else if (property === TABLE_DEPTH) paragraph.inTable = reader.i32(at) > 0;
    else if (property === ENDS_ROW) paragraph.endsRow = reader.u8(at) !== 0;
    else if (property === INNER_CELL || property === INNER_ROW) paragraph.endsInner = reader.u8(at) !== 0;
    else if (property === OUTLINE_LEVEL) paragraph.level = reader.u8(at) < 9 ? reader.u8(at) + 1 : undefined;
  });
  return paragraph;
}
