const VOID: ReadonlySet<string> = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'],
]);
const NAME = /^[a-z][^\s>"'/=]*/i;
const PIECE = /[^"'>]+|"[^"]*"|'[^']*'/y;

/** XHTML for a reader of HTML, to whom `<script src="a.js"/>` has no end: such elements get an end tag. */
export function closeEmptyTags(xhtml: string): string {
  return xhtml
    .split('<')
    .map((piece, at) => (at === 0 ? piece : closed(piece)))
    .join('<');
}

/** `tag` begins behind its bracket and ends before the next one, which no attribute of XML can hold. */
function closed(tag: string): string {
  const name = NAME.exec(tag)?.[0];
  if (name === undefined || VOID.has(name.toLowerCase())) return tag;
  let at = name.length;
  for (;;) {
    PIECE.lastIndex = at;
    if (!PIECE.test(tag)) break;
    at = PIECE.lastIndex;
  }
  if (tag[at] !== '>' || tag[at - 1] !== '/') return tag;
  return `${tag.slice(0, at - 1)}></${name}>${tag.slice(at + 1)}`;
}
