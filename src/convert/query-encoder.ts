import { decodeLegacy } from './charset-decoder.ts';
import { EBCDIC_PAGES } from './code-pages.ts';

/** Encodings whose queries go out as UTF-8: their bytes are not those of ASCII. ISO-2022-JP and -KR have states. */
const SENT_AS_UTF8 = new Set([
  'utf-8',
  'utf-16le',
  'utf-16be',
  'utf-32le',
  'utf-32be',
  'replacement',
  'iso-2022-jp',
  'iso-2022-kr',
  'x-user-defined',
  ...EBCDIC_PAGES,
]);

/** Two-byte encodings: the first lead byte that encoders use, and leads that only repeat other characters. */
const TWO_BYTE: ReadonlyMap<string, { readonly firstLead: number; readonly repeated: readonly number[] }> = new Map([
  ['gbk', { firstLead: 0x81, repeated: [] }],
  ['gb18030', { firstLead: 0x81, repeated: [] }],
  ['big5', { firstLead: 0xa1, repeated: [] }],
  ['euc-kr', { firstLead: 0x81, repeated: [] }],
  ['euc-jp', { firstLead: 0xa1, repeated: [] }],
  ['shift_jis', { firstLead: 0x81, repeated: [0xed, 0xee] }],
]);

/**
 * How browsers write characters beyond ASCII into the query of a link: in bytes of the page's encoding, and as a numeric
 * character reference where it lacks the character. Undefined for encodings whose queries are sent as UTF-8.
 * The table of an encoding is made when it is first needed; keep the encoder for the next page.
 */
export function queryEncoder(encoding: string): ((query: string) => string) | undefined {
  if (SENT_AS_UTF8.has(encoding)) return undefined;
  let table: ReadonlyMap<string, string> | undefined;
  return (query) => {
    table ??= escapesOf(encoding);
    let encoded = '';
    for (const char of query) {
      if (char <= '\x7f') encoded += char;
      else encoded += table.get(char) ?? `%26%23${char.codePointAt(0)}%3B`;
    }
    return encoded;
  };
}

/** Character -> how its bytes are written in a query, found by decoding every sequence of bytes there is. */
function escapesOf(encoding: string): Map<string, string> {
  const two = TWO_BYTE.get(encoding);
  const leads = two === undefined ? [] : range(two.firstLead, 0xfe).filter((lead) => !two.repeated.includes(lead));
  const trails = range(0x40, 0xfe);
  const singles = range(0x80, 0xff);
  // A line feed after each sequence ends it, whatever it was.
  const bytes = new Uint8Array(singles.length * 2 + leads.length * trails.length * 3).fill(0x0a);
  for (const [index, byte] of singles.entries()) bytes[index * 2] = byte;
  let at = singles.length * 2;
  for (const lead of leads) {
    for (const trail of trails) {
      bytes[at] = lead;
      bytes[at + 1] = trail;
      at += 3;
    }
  }
  const characters = decodeLegacy(bytes, encoding).split('\n');
  const table = new Map<string, string>();
  const add = (character: string, escapes: string): void => {
    const code = character.codePointAt(0) ?? 0;
    const single = character.length === (code > 0xffff ? 2 : 1);
    if (single && code > 0x7f && code !== 0xfffd && !table.has(character)) table.set(character, escapes);
  };
  for (const [index, byte] of singles.entries()) add(characters[index], escapeOf(byte));
  let index = singles.length;
  for (const lead of leads) for (const trail of trails) add(characters[index++], escapeOf(lead) + escapeOf(trail));
  return table;
}

/** A trail byte may be a character of ASCII; those that can stand here need no escape in a query. */
function escapeOf(byte: number): string {
  return byte < 0x7f ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
