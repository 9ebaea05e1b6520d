const BLANKS: ReadonlySet<string> = new Set('\t\n\f\r ');
const COMMENT_END = /--!?>/g;
const DOCTYPE = /<!doctype[^>]*>/iy;

/**
 * A page that was moved to a file: what its links count from is said at its top, as BASE, and so is that it is UTF-8. The first BASE and
 * the first charset of a page hold, whatever it says itself; a parser takes them for the beginning of its head.
 */
export function withBase(html: string, base: string): string {
  const at = beginning(html);
  const head = `<meta charset="utf-8"><base href="${attribute(base)}">`;
  return `${html.slice(0, at).replace(/^\ufeff/, '')}${head}${html.slice(at)}`;
}

/** Where the doctype ends, or where one would be: behind blanks, comments and instructions. A pattern would overflow the stack on millions of blanks. */
function beginning(html: string): number {
  let at = html.startsWith('\ufeff') ? 1 : 0;
  for (let next = at; next >= 0; next = behindNext(html, at)) at = next;
  DOCTYPE.lastIndex = at;
  return at + (DOCTYPE.exec(html)?.[0].length ?? 0);
}

/** Behind the blank, comment or instruction that stands here; -1 where none does, or it never ends. */
function behindNext(html: string, at: number): number {
  if (BLANKS.has(html.charAt(at))) return at + 1;
  if (html.startsWith('<?', at)) return behind(html.indexOf('>', at), 1);
  if (!html.startsWith('<!--', at)) return -1;
  for (const whole of ['<!-->', '<!--->']) if (html.startsWith(whole, at)) return at + whole.length;
  COMMENT_END.lastIndex = at + 4;
  const end = COMMENT_END.exec(html);
  return end === null ? -1 : end.index + end[0].length;
}

function behind(at: number, length: number): number {
  return at < 0 ? -1 : at + length;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
