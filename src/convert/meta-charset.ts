import { encodingOf } from './encoding-label.ts';

/** The standard's bound. A declaration counts after it only while nothing but the head of the document has been seen. */
const UNCONDITIONAL_BYTES = 1_024;
/** No head is longer than this. */
const MOST_BYTES = 65_536;
/** Nearly every head has said it by then. */
const FIRST_BYTES = 1_024;

const HEAD_TAGS = new Set(['html', 'head', 'script', 'noscript', 'style', 'link', 'meta', 'object', 'title', 'base']);
/** What ends the content of elements that hold no markup. */
const RAW_TEXT: ReadonlyMap<string, RegExp> = new Map(
  ['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [
    name,
    new RegExp(`</${name}[\\t\\n\\f\\r />]`, 'i'),
  ]),
);

/**
 * The encoding that a `<meta>` declares, read before anything is decoded. Markup is read the way browsers do it: what stands
 * in comments, scripts, styles and titles declares nothing, and a head may be longer than the 1,024 bytes of the standard.
 * With `intoRawText`, declarations in scripts, styles and titles count, as the standard's own description has it.
 */
export function metaCharset(bytes: Uint8Array, intoRawText = false): string | undefined {
  // What is declared there does not depend on what comes behind; what is not, may be declared later.
  const first = bytes.length > FIRST_BYTES ? charsetWithin(bytes, FIRST_BYTES, intoRawText) : undefined;
  return first ?? charsetWithin(bytes, MOST_BYTES, intoRawText);
}

function charsetWithin(bytes: Uint8Array, most: number, intoRawText: boolean): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, most)).toString('latin1');
  let inHead = true;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    if (!inHead && at >= UNCONDITIONAL_BYTES) return undefined;
    const ends = text[at + 1] === '/';
    const nameStart = at + (ends ? 2 : 1);
    if (!/[a-z]/i.test(text.charAt(nameStart))) {
      at = markupEnd(text, at);
      continue;
    }
    const nameEnd = skip(text, nameStart, isOfTagName);
    const name = text.slice(nameStart, nameEnd).toLowerCase();
    const attributes = name === 'meta' && !ends ? new Map<string, string>() : undefined;
    at = readAttributes(text, nameEnd, attributes);
    if (at === -1) return undefined;
    if (attributes !== undefined) {
      const encoding = declaredEncoding(attributes);
      if (encoding !== undefined) return encoding;
    }
    if (!HEAD_TAGS.has(name) || (ends && (name === 'head' || name === 'html'))) inHead = false;
    if (RAW_TEXT.has(name) && !ends && !intoRawText) at = rawTextEnd(text, at, name);
  }
  return undefined;
}

/** The encoding by which a document says it is written, as the bytes that say so could be read. */
function declaredEncoding(attributes: ReadonlyMap<string, string>): string | undefined {
  let label = attributes.get('charset');
  if (label === undefined && attributes.get('http-equiv')?.toLowerCase() === 'content-type')
    label = charsetIn(attributes.get('content') ?? '');
  const encoding = label === undefined ? undefined : encodingOf(label);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8';
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding;
}

/** The label after `charset=` in the content of a META tag. */
function charsetIn(content: string): string | undefined {
  const found = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))/i.exec(
    content,
  );
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

/** Collects the attributes from `from` on, the first of each name, where they are wanted; answers the position after the tag, -1 where it is cut. */
function readAttributes(text: string, from: number, attributes: Map<string, string> | undefined): number {
  let at = from;
  for (;;) {
    at = skip(text, at, isBetween);
    if (at >= text.length) return -1;
    if (text[at] === '>') return at + 1;
    const nameEnd = skip(text, at + 1, isOfAttributeName);
    const nameStart = at;
    let start = nameEnd;
    let end = nameEnd;
    at = skip(text, nameEnd, isSpace);
    if (text[at] === '=') {
      at = skip(text, at + 1, isSpace);
      const quote = text[at];
      const quoted = quote === '"' || quote === "'";
      start = quoted ? at + 1 : at;
      end = quoted ? text.indexOf(quote, start) : skip(text, start, isOfValue);
      if (end === -1) return -1;
      at = quoted ? end + 1 : end;
    }
    if (attributes === undefined) continue;
    const name = text.slice(nameStart, nameEnd).toLowerCase();
    if (!attributes.has(name)) attributes.set(name, withoutReferences(text.slice(start, end)));
  }
}

/** Labels are letters and digits; written as references they can only be numeric ones. */
function withoutReferences(value: string): string {
  return value.replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi, (whole, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code < 0x80 ? String.fromCharCode(code) : whole;
  });
}

/** Position after a comment, a declaration, or a `<` that starts nothing. */
function markupEnd(text: string, open: number): number {
  if (text.startsWith('<!--', open)) {
    // "<!-->" and "<!--->" are whole comments.
    const end = /^-?>|--!?>/.exec(text.slice(open + 4));
    return end === null ? text.length : open + 4 + end.index + end[0].length;
  }
  if (!/[!/?]/.test(text.charAt(open + 1))) return open + 1;
  const end = text.indexOf('>', open + 2);
  return end === -1 ? text.length : end + 1;
}

function rawTextEnd(text: string, from: number, name: string): number {
  const end = RAW_TEXT.get(name)?.exec(text.slice(from)) ?? null;
  return end === null ? text.length : from + end.index;
}

function skip(text: string, from: number, wanted: (char: string) => boolean): number {
  let at = from;
  while (at < text.length && wanted(text[at])) at++;
  return at;
}

function isBetween(char: string): boolean {
  return isSpace(char) || char === '/';
}

function isOfTagName(char: string): boolean {
  return !isSpace(char) && char !== '/' && char !== '>';
}

function isOfAttributeName(char: string): boolean {
  return isOfTagName(char) && char !== '=';
}

function isOfValue(char: string): boolean {
  return !isSpace(char) && char !== '>';
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\r' || char === '\f';
}
