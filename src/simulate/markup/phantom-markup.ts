import { hash32, pick, unit } from '../model/seeded-hash.ts';

const PURPOSE = { phantom: 73, nowhere: 74 } as const;

/** Addresses that stand on a page without being links. */
export interface PhantomMarkup {
  readonly head: string;
  readonly body: string;
  /** Instead of the end of the page, where it is not ''. */
  readonly tail: string;
  readonly paths: readonly string[];
}

const NONE: PhantomMarkup = { head: '', body: '', tail: '', paths: [] };

/** Those of one page; `share` of the pages have some. */
export function phantomMarkup(seed: number, share: number, host: number, index: number): PhantomMarkup {
  const draw = hash32(seed, host, index, PURPOSE.phantom);
  if (unit(draw) >= share) return NONE;
  const written = { head: '', body: '', tail: '', paths: [] as string[] };
  const path = (name: string): string => {
    const made = `/phantom/${name}-${host}-${index}.html`;
    written.paths.push(made);
    return made;
  };
  const kind = hash32(seed, host, index, PURPOSE.nowhere);
  if ((kind & 1) === 0) written.head += `<script>var menu = '<a href="${path('script')}">menu<\\/a>';</script>\n`;
  if ((kind & 2) === 0) written.head += `<style>/* <a href="${path('style')}">style</a> */</style>\n`;
  if ((kind & 4) === 0) written.body += `<!-- <a href="${path('comment')}">old link</a> -->\n`;
  if ((kind & 8) === 0) written.body += `<textarea rows=3><a href="${path('textarea')}">text</a></textarea>\n`;
  if ((kind & 16) === 0) written.body += `<div data-html='<a href="${path('attribute')}">x</a>'>Widget</div>\n`;
  if ((kind & 32) === 0) written.body += `<a data-href="${path('data-href')}" name="here">Here</a>\n`;
  if ((kind & 64) === 0) written.tail = `</body>\n</html>\n<!-- <a href="${path('tail')}">never closed</a>\n`;
  written.body += NOWHERE[pick(draw, NOWHERE.length)];
  return written;
}

/** Anchors that lead to no page. */
const NOWHERE = [
  '<a name="notes">Notes</a>\n',
  '<a>Plain anchor</a>\n',
  '<a href="javascript:void(open(\'/phantom/js.html\'))">Open</a>\n',
  '<a href="mailto:someone@example.test?subject=/phantom/mail.html">Write</a>\n',
  '<a href=tel:+4912345>Call</a>\n',
  '<a href="data:text/html,<a href=/phantom/data.html>x</a>">Data</a>\n',
  '<a href="http://[::bad/phantom/host.html">Broken</a>\n',
  '<a href="ftp://files.example.test/phantom/file.html">Files</a>\n',
] as const;
