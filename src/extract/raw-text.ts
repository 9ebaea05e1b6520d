import { isName } from './known-names.ts';

/**
 * End of the content of an element that holds no markup: the position of its end tag's `<`, or the end of the document.
 * `script` has rules of its own, and `plaintext` never ends.
 */
export function rawTextEnd(html: string, from: number, element: string): number {
  if (element === 'plaintext') return html.length;
  return element === 'script' ? scriptEnd(html, from) : endTag(html, from, element);
}

function endTag(html: string, from: number, element: string): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2))
    if (isTagName(html, at + 2, element)) return at;
  return html.length;
}

/**
 * In a script, `<!--` starts an escaped part. A `<script` in there starts a doubly escaped part, in which `</script` only
 * leads back to the escaped part. `-->` ends both.
 */
function scriptEnd(html: string, from: number): number {
  let at = from;
  let end = -1;
  for (;;) {
    if (end < at) end = endTag(html, at, 'script');
    const escaped = html.slice(at, end).indexOf('<!--');
    if (escaped === -1) return end;
    let doubly = false;
    // The dashes of `<!--` may already be those of `-->`.
    at += escaped + 2;
    while (!html.startsWith('-->', at)) {
      at = nextDashOrTag(html, at + 1);
      if (at === html.length) return at;
      if (html.charCodeAt(at) === 0x2d) continue;
      const closes = html.charCodeAt(at + 1) === 0x2f;
      if (!isTagName(html, closes ? at + 2 : at + 1, 'script')) continue;
      if (closes && !doubly) return at;
      doubly = !closes;
    }
    at += 3;
  }
}

function nextDashOrTag(html: string, from: number): number {
  let at = from;
  while (at < html.length) {
    const code = html.charCodeAt(at);
    if (code === 0x2d || code === 0x3c) return at;
    at++;
  }
  return at;
}

/** The name, and after it something that ends a name. */
function isTagName(html: string, start: number, name: string): boolean {
  const end = start + name.length;
  if (!isName(html, start, Math.min(end, html.length), name)) return false;
  const code = html.charCodeAt(end);
  return code === 0x3e || code === 0x2f || code === 0x20 || (code >= 9 && code <= 13 && code !== 11);
}
