/** Before these a doctype still counts: blanks, comments, instructions. */
const BEFORE = /^\ufeff?(?:[\t\n\f\r ]|<!--(?:-?>|.*?--!?>)|<\?[^>]*>)*/s;
const DOCTYPE = /<!doctype[^>]*>/iy;

/**
 * A page that was moved to a file: what its links count from is said at its top, as BASE, and so is that it is UTF-8. The first BASE and
 * the first charset of a page hold, whatever it says itself; a parser takes them for the beginning of its head.
 */
export function withBase(html: string, base: string): string {
  const start = BEFORE.exec(html)?.[0].length ?? 0;
  DOCTYPE.lastIndex = start;
  const at = start + (DOCTYPE.exec(html)?.[0].length ?? 0);
  const head = `<meta charset="utf-8"><base href="${attribute(base)}">`;
  return `${html.slice(0, at).replace(/^\ufeff/, '')}${head}${html.slice(at)}`;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
