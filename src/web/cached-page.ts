import { type Html, html, trusted } from './html.ts';
import { outerLink, ownLink } from './links.ts';
import type { Reply } from './reply.ts';
import { isoTime, writtenMinute } from './written-date.ts';

export interface CachedPage {
  readonly url: string;
  readonly date: number;
  /** Visits in all. */
  readonly versions: number;
  readonly markup: string;
  /** What the links of the page count from. */
  readonly base: string;
  /** Where this server is: with the base of the page, paths alone would lead to the stranger's server. */
  readonly origin: string;
  /** Pictures and styles may be fetched from where the page names them. */
  readonly live: boolean;
}

/**
 * What a stranger's page may do here: be drawn. It runs nothing, sends nothing, frames nothing, is of no origin, and unless the
 * reader asks for it fetches nothing, so that a hostile page does not even learn that it was looked at.
 */
export function cachedPolicy(live: boolean): string {
  const from = live ? 'data: http: https:' : 'data:';
  return [
    // A click may leave the page, also into a new tab, which then is as free as any other.
    'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
    "default-src 'none'",
    `img-src ${from}`,
    `style-src 'unsafe-inline' ${from}`,
    `font-src ${from}`,
    `media-src ${from}`,
    "script-src 'none'",
    "connect-src 'none'",
    "object-src 'none'",
    "frame-src 'none'",
    "form-action 'none'",
    'base-uri http: https:',
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page as it was stored, with a banner above it and a BASE that makes its links work. */
export function cachedPageReply(page: CachedPage): Reply {
  const start = afterDoctype(page.markup);
  // In front of everything, so that nothing on the page (a comment, a textarea left open) can swallow it. The parser then
  // takes the rest of the head as part of the body, where titles, styles and META tags mean the same.
  const inserted = html`<meta charset="utf-8"><base href="${outerLink(page.base) ?? page.url}">${banner(page)}`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': cachedPolicy(page.live),
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    },
    body: page.markup.slice(0, start) + inserted.markup + page.markup.slice(start),
  };
}

/** Where a doctype ends, 0 where there is none: before it nothing may stand, else the page is laid out by other rules. */
function afterDoctype(markup: string): number {
  let at = 0;
  for (;;) {
    while (/[\s\ufeff]/.test(markup.charAt(at))) at++;
    const isComment = markup.startsWith('<!--', at);
    const isInstruction = markup.startsWith('<?', at);
    if (!isComment && !isInstruction) break;
    const end = markup.indexOf(isComment ? '-->' : '>', at + 2);
    if (end < 0) return 0;
    at = end + (isComment ? 3 : 1);
  }
  if (!/^<!doctype/i.test(markup.slice(at, at + 9))) return 0;
  const end = markup.indexOf('>', at);
  return end < 0 ? 0 : end + 1;
}

/** Beats every rule of the page's own style sheets, which are not to hide the banner or dress it up. */
const BANNER_BOX = [
  'all:initial',
  'display:block',
  'position:fixed',
  'top:0',
  'left:0',
  'right:0',
  'height:46px',
  'z-index:2147483647',
  'visibility:visible',
  'opacity:1',
  'transform:none',
  'transition:none',
  'animation:none',
]
  .map((rule) => `${rule}!important`)
  .join(';');

const BANNER_STYLE = `
nav{box-sizing:border-box;height:46px;display:flex;align-items:center;gap:18px;padding:0 16px;overflow-x:auto;white-space:nowrap;
font:14px/1.3 system-ui,sans-serif;color:#f4efe4;background:#211e17;border-bottom:3px solid #e0a03a}
a{color:#ffd590;text-underline-offset:3px}a:focus-visible{outline:2px solid #fff;outline-offset:2px}
strong{font-weight:600}.address{overflow:hidden;text-overflow:ellipsis;min-width:8em;flex:1 1 8em;color:#cfc8b8}
@media (max-width:46em){.address{display:none}nav{gap:14px;font-size:13px}}
@media print{nav{display:none}}`;

/** In a closed shadow tree, which the page's rules do not reach into. */
function banner({ url, date, versions, origin, live }: CachedPage): Html {
  const at = isoTime(date);
  return html`<style>html{margin-top:46px!important}</style><orbweaver-banner style="${BANNER_BOX}"><template shadowrootmode="closed"><style>${trusted(BANNER_STYLE)}</style><nav aria-label="About this copy"><a href="${origin}/">Search</a><strong>Copy of ${writtenMinute(date)}</strong><span class="address"><bdi>${url}</bdi></span><a href="${url}" rel="noreferrer">Original</a><a href="${origin}${ownLink('/versions', { url })}">${versions} ${versions === 1 ? 'version' : 'versions'}</a><a href="${origin}${ownLink('/cached', { url, at, as: 'text' })}">Text only</a>${
    live
      ? html`<a href="${origin}${ownLink('/cached', { url, at })}">Without pictures</a>`
      : html`<a href="${origin}${ownLink('/cached', { url, at, live: 1 })}">Load pictures</a>`
  }</nav></template></orbweaver-banner>`;
}
