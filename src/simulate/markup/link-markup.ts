import type { PlannedLink } from '../plan/link-plan.ts';
import { WORDS } from './word-lists.ts';

/** Bits for the markup around the address, apart from those that spell it. */
function markupBits(link: PlannedLink): number {
  return Math.imul(link.flavour, 0x9e3779b1) >>> 16;
}

/** An anchor with two href attributes: only the first counts. */
export function isDoubled(link: PlannedLink): boolean {
  return link.element === 'a' && (markupBits(link) & 0x3f) === 0x15;
}

/** A link in the body. `href` is escaped for double quotes; `second` is the address that does not count. */
export function bodyLink(link: PlannedLink, href: string, second: string): string {
  const bits = markupBits(link);
  if (link.element === 'area')
    return `<map name="m${bits}"><area shape="rect" href="${href}" alt="${anchor(bits)}"></map>\n`;
  if (link.element === 'iframe') return `<iframe src="${href}" title="${anchor(bits)}"></iframe>\n`;
  const rel = link.nofollow ? NOFOLLOW[bits % NOFOLLOW.length] : '';
  if (isDoubled(link)) return `<p><a href="${href}" href="${second}"${rel}>${anchor(bits)}</a></p>\n`;
  switch ((bits >>> 3) & 15) {
    case 0:
      return `<li><a href='${href}'${rel}>${anchor(bits)}</a></li>\n`;
    case 1:
      // An unquoted value ends at the first white space.
      return /\s/.test(href)
        ? `<li><a${rel} href="${href}">${anchor(bits)}</a>\n`
        : `<li><a${rel} href=${href}>${anchor(bits)}</a>\n`;
    case 2:
      return `<A CLASS=link${rel} HREF = "${href}" ><b>${anchor(bits)}</b></A>\n`;
    case 3:
      return `<div class="tile"><a class="tile__link"${rel} href="${href}"><img src="/static/icon.svg" alt="${anchor(bits)}"></a></div>\n`;
    case 4:
      return `<p>${WORDS[bits % WORDS.length]} <a\n  data-track='{"a":"b>c"}'\n  href="${href}"${rel}\n>${anchor(bits)}</a> and so on.</p>\n`;
    case 5:
      return `<td><a title="more > less" href="${href}"${rel}>${anchor(bits)}\n`;
    default:
      return `<p><a href="${href}"${rel}>${anchor(bits)}</a></p>\n`;
  }
}

/** A link in the head. */
export function headLink(link: PlannedLink, href: string): string {
  const bits = markupBits(link);
  switch (link.element) {
    case 'refresh':
      return `<meta http-equiv="refresh" content="${link.seconds ?? 600}; url=${href.trim()}">\n`;
    case 'canonical':
      return (bits & 1) === 0 ? `<link rel="canonical" href="${href}">\n` : `<LINK HREF="${href}" REL=canonical />\n`;
    case 'alternate':
      return `<link rel="alternate" hreflang="${LANGUAGES[bits % LANGUAGES.length]}" href="${href}">\n`;
    default: {
      const type = (bits & 1) === 0 ? 'application/rss+xml' : 'application/atom+xml';
      return `<link rel="alternate" type="${type}" title="News" href="${href}">\n`;
    }
  }
}

const LANGUAGES = ['de', 'fr', 'en-GB', 'pt-BR', 'ja', 'x-default'] as const;
const NOFOLLOW = [
  ' rel="nofollow"',
  " rel='noopener nofollow'",
  ' rel=NOFOLLOW',
  ' rel="ugc nofollow external"',
] as const;

function anchor(bits: number): string {
  return `${WORDS[bits % WORDS.length]} ${WORDS[(bits >>> 5) % WORDS.length]}`;
}
