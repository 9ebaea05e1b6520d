import { decodeReferences } from '../character-references.ts';
import { resolveLink } from './resolve-link.ts';

/** Attributes of HTML that hold one address. */
const linkAttribute =
  /(\s(?:href|src|action|cite|data|poster|background|longdesc|codebase|formaction|classid|usemap|profile|lowsrc)\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** Markup whose links are absolute; nothing else in it changes. */
export function resolveMarkup(markup: string, base: string): string {
  if (base === '' || !markup.includes('<')) return markup;
  let resolved = '';
  let copied = 0;
  let open = markup.indexOf('<');
  while (open !== -1) {
    if (markup.startsWith('<!--', open)) {
      const end = markup.indexOf('-->', open + 4);
      if (end === -1) break;
      open = markup.indexOf('<', end);
      continue;
    }
    const close = tagEnd(markup, open + 1);
    if (close === -1) break;
    const tag = markup.slice(open, close);
    if (tag.includes('=')) {
      resolved += markup.slice(copied, open) + tag.replace(linkAttribute, rewrite);
      copied = close;
    }
    open = markup.indexOf('<', close);
  }
  return copied === 0 ? markup : resolved + markup.slice(copied);

  function rewrite(whole: string, before: string, double?: string, single?: string, bare?: string): string {
    const written = double ?? single ?? bare ?? '';
    const link = decodeReferences(written, true);
    const absolute = resolveLink(link, base);
    if (absolute === link || written.startsWith('#')) return whole;
    return `${before}"${absolute.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  }
}

/** Position of the `>` that ends the tag, quotes minded; -1 where none does. */
function tagEnd(markup: string, start: number): number {
  let quote = 0;
  for (let at = start; at < markup.length; at++) {
    const code = markup.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x3e) {
      return at;
    } else if ((code === 0x22 || code === 0x27) && markup.charCodeAt(at - 1) === 0x3d) {
      quote = code;
    }
  }
  return -1;
}
