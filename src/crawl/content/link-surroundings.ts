/** Characters of the text before and after a link that say what it is about. */
const REACH = 120;

/** The words around each link: its text is looked for in the page's, in order. None where it is not found. */
export function linkSurroundings(text: string, anchors: readonly string[]): string[] {
  let from = 0;
  return anchors.map((anchor) => {
    if (anchor === '') return '';
    const at = text.indexOf(anchor, from);
    if (at === -1) return '';
    from = at + anchor.length;
    const before = text.lastIndexOf('\n', at) + 1;
    const lineEnd = text.indexOf('\n', from);
    const after = lineEnd === -1 ? text.length : lineEnd;
    return `${text.slice(Math.max(before, at - REACH), at)} ${text.slice(from, Math.min(after, from + REACH))}`;
  });
}
