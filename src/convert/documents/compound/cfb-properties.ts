import type { DocumentFacts } from '../document-builder.ts';
import { ByteReader } from './byte-reader.ts';
import type { CompoundFile } from './cfb-reader.ts';
import { CodePages } from './code-page.ts';

const SUMMARY = '\u0005SummaryInformation';
const MAX_PROPERTIES = 200;
const MAX_TEXT = 10_000;

const CODE_PAGE = 1;
const TITLE = 2;
const SUBJECT = 3;
const AUTHOR = 4;
const KEYWORDS = 5;
const COMMENTS = 6;
const LAST_AUTHOR = 8;
const CREATED = 12;
const SAVED = 13;
const PAGES = 14;

const I2 = 2;
const I4 = 3;
const LPSTR = 30;
const LPWSTR = 31;
const FILETIME = 64;
/** 1601 to 1970, and what is not a date of a document. */
const EPOCH_MS = 11_644_473_600_000;
const LATEST_MS = 7_258_118_400_000;

/** What the property set of an old Office file says: title, author, dates. */
export function summaryOf(file: CompoundFile): DocumentFacts {
  const stream = file.stream(SUMMARY);
  if (stream === undefined) return {};
  const properties = readProperties(new ByteReader(stream));
  const text = (id: number) => {
    const value = properties.get(id);
    return typeof value === 'string' ? value.trim() : '';
  };
  const number = (id: number) => {
    const value = properties.get(id);
    return typeof value === 'number' && value > 0 ? value : undefined;
  };
  const created = number(CREATED);
  const modified = number(SAVED);
  const pages = number(PAGES);
  const keywords = text(KEYWORDS);
  return {
    title: text(TITLE),
    authors: authorsIn(text(AUTHOR) || text(LAST_AUTHOR)),
    description: [text(SUBJECT), text(COMMENTS)].filter((part) => part !== '').join('. '),
    ...(keywords === '' ? {} : { keywords: keywords.split(/[,;]/) }),
    ...(created === undefined ? {} : { created }),
    ...(modified === undefined ? {} : { modified }),
    ...(pages === undefined ? {} : { pages }),
  };
}

/** Office parts several authors by semicolons. */
export function authorsIn(text: string): string[] {
  return text.split(/\s*;\s*/).filter((name) => name !== '');
}

function readProperties(reader: ByteReader): Map<number, string | number> {
  const properties = new Map<number, string | number>();
  const section = reader.u32(44);
  const count = Math.min(reader.u32(section + 4), MAX_PROPERTIES);
  const places = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    places.set(reader.u32(section + 8 + i * 8), section + reader.u32(section + 12 + i * 8));
  }
  const codePages = new CodePages();
  const codePageAt = places.get(CODE_PAGE);
  const codePage = codePageAt === undefined ? 1252 : reader.u16(codePageAt + 4);
  for (const [id, at] of places) {
    const value = readValue(reader, at, codePage, codePages);
    if (value !== undefined) properties.set(id, value);
  }
  return properties;
}

function readValue(
  reader: ByteReader,
  at: number,
  codePage: number,
  codePages: CodePages,
): string | number | undefined {
  switch (reader.u16(at)) {
    case I2:
      return reader.u16(at + 4);
    case I4:
      return reader.i32(at + 4);
    case LPSTR: {
      const bytes = reader.bytes(at + 8, Math.min(reader.u32(at + 4), MAX_TEXT));
      return untilZero(codePages.decode(bytes, codePage));
    }
    case LPWSTR:
      return untilZero(reader.utf16(at + 8, Math.min(reader.u32(at + 4), MAX_TEXT)));
    case FILETIME: {
      const ms = Math.round((reader.u32(at + 8) * 2 ** 32 + reader.u32(at + 4)) / 10_000) - EPOCH_MS;
      return ms > 0 && ms < LATEST_MS ? ms : undefined;
    }
    default:
      return undefined;
  }
}

function untilZero(text: string): string {
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}
