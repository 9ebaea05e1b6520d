/** Before these a doctype still counts: blanks, comments, instructions. */
const BEFORE = /[\t\n\f\r ]+|<!--(?:-?>|.*?--!?>)|<\?[^>]*>/sy;
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

/** Where the doctype ends, or where one would be. Piece by piece: a pattern for all of them at once overflows the stack on millions of blanks. */
function beginning(html: string): number {
  let at = html.startsWith('\ufeff') ? 1 : 0;
  for (;;) {
    BEFORE.lastIndex = at;
    if (!BEFORE.test(html)) break;
    at = BEFORE.lastIndex;
  }
  DOCTYPE.lastIndex = at;
  return at + (DOCTYPE.exec(html)?.[0].length ?? 0);
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
