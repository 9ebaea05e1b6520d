import { type Html, html, trusted } from '../frame/html.ts';
import { outerLink, ownLink } from '../frame/links.ts';
import { isoTime, writtenDay, writtenMinute } from '../frame/written-date.ts';
import type { Reply } from '../http/reply.ts';
import { LIVE_MARK } from './archived-page.ts';

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
  /** Parts of the page that the archive does not hold. */
  readonly missing: number;
  /** They may be fetched from where the page names them. */
  readonly live: boolean;
}

/**
 * What a stranger's page may do here: be drawn. It runs nothing, sends nothing, frames nothing, is of no origin, and unless the
 * reader asks for it fetches nothing, so that a hostile page does not even learn that it was looked at.
 */
function cachedPolicy(live: boolean): string {
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

/**
 * The page as it was stored, with a banner above it and a BASE that makes its links work. All that is ours comes first, up to
 * the open BODY: whatever the page leaves open, nests or closes, the parser has passed it by then. The parser then takes the
 * head of the page as part of the body, where titles, styles and META tags mean the same; its own HTML and BODY tags add the
 * attributes that ours do not have.
 */
export function cachedPageReply(page: CachedPage): Reply {
  const ours = html`<html style="${ROOT_GUARD}"><head><meta charset="utf-8"><base href="${outerLink(page.base) ?? page.url}"><style>${trusted(LIVE_LINKS)}</style></head><body style="${GUARD}">${banner(page)}`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': cachedPolicy(page.live),
      // Else a browser looks up the host of every link as soon as it has read it.
      'x-dns-prefetch-control': 'off',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    },
    body: doctypeOf(page.markup) + ours.markup + page.markup.replace(BLANK_START, ''),
  };
}

const BLANK_START = /^\ufeff?[\t\n\f\r ]*/;
const DOCTYPE = /<!doctype\s*html(?:\s+(?:public|system)(?:\s*(?:"[^"<>]*"|'[^'<>]*')){1,2})?\s*>/iy;
/** A comment as browsers end it (`<!-->` and `<!--->` are whole ones), or what they take for one, and blanks. */
const BEFORE_DOCTYPE = /(?:<!--(?:-?>|.*?--!?>)|<(?:\?|!(?!--|doctype))[^>]*>|[\t\n\f\r ])+/isy;

/**
 * The doctype of a page, which decides by which rules it is laid out; empty where it has none. Only one that is written as the
 * standard has it: it is copied to the front, where nothing else of the page may stand.
 */
function doctypeOf(markup: string): string {
  const start = BLANK_START.exec(markup)?.[0].length ?? 0;
  return matchAt(DOCTYPE, markup, start + matchAt(BEFORE_DOCTYPE, markup, start).length);
}

function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? '';
}

/** What would hide, move or cut off the banner where a page says it of its root or body. Inline, it beats every style sheet. */
const GUARDED = [
  ...['visibility:visible', 'opacity:1', 'zoom:1', 'clip:auto', 'contain:none', 'container-type:normal'],
  ...['content-visibility:visible', 'will-change:auto', 'mix-blend-mode:normal', 'pointer-events:auto'],
  ...['transform', 'translate', 'rotate', 'scale', 'perspective', 'filter', 'backdrop-filter', 'clip-path', 'mask'].map(
    (property) => `${property}:none`,
  ),
  ...['offset-path:none', 'animation:none', 'transition:none'],
];
const GUARD = important(GUARDED);
/** Pages that show themselves by a script alone hide their root until then. */
const ROOT_GUARD = important([...GUARDED, 'display:block', 'position:static', 'margin-top:46px']);

function important(rules: readonly string[]): string {
  return rules.map((rule) => `${rule}!important`).join(';');
}

/** Beats every rule of the page's own style sheets, which are not to hide the banner or dress it up. */
const BANNER_BOX = important([
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
]);

/** Links that leave the archive. The page may overrule it: that costs the reader no more than the mark. */
const LIVE_LINKS = `a[${LIVE_MARK}]:not(:has(img,picture,svg))::after{content:"\\2197";font-size:.7em;line-height:0;vertical-align:super}`;

const BANNER_STYLE = `
nav{box-sizing:border-box;height:46px;display:flex;align-items:center;gap:18px;padding:0 16px;overflow-x:auto;white-space:nowrap;
font:14px/1.3 system-ui,sans-serif;color:#f4efe4;background:#211e17;border-bottom:3px solid #e0a03a}
a{color:#ffd590;text-underline-offset:3px}a:focus-visible{outline:2px solid #fff;outline-offset:2px}
strong{font-weight:600}.address{overflow:hidden;text-overflow:ellipsis;min-width:8em;flex:1 1 8em;color:#cfc8b8}
.narrow{display:none}@media (max-width:46em){.address,.wide{display:none}.narrow{display:inline}nav{gap:10px;padding:0 8px;font-size:13px}}
@media print{nav{display:none}}`;

/** In a closed shadow tree, which the page's rules do not reach into. */
function banner({ url, date, versions, origin, live, missing }: CachedPage): Html {
  const at = isoTime(date);
  return html`<orbweaver-banner style="${BANNER_BOX}"><template shadowrootmode="closed"><style>${trusted(BANNER_STYLE)}</style><nav aria-label="About this copy"><a href="${origin}/">Search</a><strong><span class="wide">Copy of ${writtenMinute(date)}</span><span class="narrow">${writtenDay(date)}</span></strong><span class="address"><bdi>${url}</bdi></span><a href="${url}" rel="noreferrer">Original</a><a href="${origin}${ownLink('/versions', { url })}">${versions} ${versions === 1 ? 'version' : 'versions'}</a><a href="${origin}${ownLink('/cached', { url, at, as: 'text' })}">Text<span class="wide"> only</span></a>${
    live
      ? html`<a href="${origin}${ownLink('/cached', { url, at })}">Archive only</a>`
      : missing > 0 &&
        html`<a href="${origin}${ownLink('/cached', { url, at, live: 1 })}" title="Loads pictures and styles that the archive does not hold from the web">Load<span class="wide"> missing parts</span></a>`
  }</nav></template></orbweaver-banner>`;
}
