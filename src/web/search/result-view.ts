import type { SearchHit, SnippetPart } from '../../contracts/search-service.ts';
import { type Html, type HtmlPart, html } from '../frame/html.ts';
import { fileLink, outerLink, ownLink, readableAddress, searchLink } from '../frame/links.ts';
import { writtenDay } from '../frame/written-date.ts';
import type { Refinement } from './query-refinement.ts';
import { typeName } from './type-name.ts';

export interface ResultContext {
  readonly query: string;
  readonly refinement: Refinement;
  readonly exactWords: boolean;
  /** Of the hit in the whole list, from 1. */
  readonly position: number;
  /** Clicks are recorded: results are opened by way of this server. */
  readonly clicks: boolean;
  /** A copy is held, and the page lets it be shown. */
  readonly hasCopy: boolean;
}

/** One result. Everything in it was written by strangers. */
export function resultView(hit: SearchHit, context: ResultContext): Html {
  const { query, refinement, exactWords, position, clicks, hasCopy } = context;
  const url = outerLink(hit.url) ?? fileLink(hit.url);
  const title = hit.title.some(({ text }) => text.trim() !== '') ? marked(hit.title) : (hit.url ?? hit.id);
  const target =
    url !== undefined && clicks && outerLink(hit.url) !== undefined
      ? ownLink('/go', { url: hit.url, q: query, n: position })
      : url;
  const type = typeName(hit.mediaType);
  return html`<li class="result"${languageOf(hit)}>
<article>
${hasCopy && thumbnail(hit)}<p class="address" lang="en">${addressOf(hit)}</p>
<h2 dir="auto">${target === undefined ? html`<span class="title">${title}</span>` : html`<a class="title" href="${target}" rel="noreferrer">${title}</a>`}</h2>
<p class="snippet" dir="auto">${marked(hit.snippet)}</p>
${shownOn(hit)}<p class="facts" lang="en">${spaced([
    type !== undefined && html`<span class="badge">${type}</span>`,
    writtenDay(hit.date),
    url !== undefined && hasCopy && html`<a class="cached" href="${ownLink('/cached', { url: hit.url })}">Cached</a>`,
    url !== undefined && hasCopy && html`<a href="${ownLink('/versions', { url: hit.url })}">Versions</a>`,
    url !== undefined && hit.shownOn === undefined && html`<a href="${ownLink('/page', { url: hit.url })}">Details</a>`,
    hit.similar > 0 && html`<a href="${searchLink(query, exactWords, { unfolded: 1 })}">${hit.similar} similar</a>`,
    hit.moreFromHost > 0 &&
      hit.host !== '' &&
      html`<a href="${searchLink(refinement.with([`site:${hit.host}`]), exactWords)}">${hit.moreFromHost} more from ${hit.host}</a>`,
  ])}</p>
</article>
</li>`;
}

/** Matches stand out; the rest is text. */
export function marked(parts: readonly SnippetPart[]): HtmlPart {
  return parts.map(({ text, match }) => (match ? html`<mark>${text}</mark>` : text));
}

function addressOf(hit: SearchHit): Html {
  const { host, path } = readableAddress(hit.url ?? hit.id);
  return html`<bdi class="host">${host}</bdi>${path.map((part) => html` <span class="step">&#8250; <bdi>${part}</bdi></span>`)}`;
}

/** The picture as the archive holds it; the server sends nothing as a picture that is none, and never SVG. */
function thumbnail({ url, mediaType, shownOn: page }: SearchHit): Html | undefined {
  if (page === undefined || !mediaType.startsWith('image/') || mediaType === 'image/svg+xml') return undefined;
  return html`<a class="thumbnail" href="${ownLink('/cached', { url })}"><img src="${ownLink('/cached', { url, as: 'file' })}" alt="" loading="lazy" decoding="async"></a>
`;
}

/** Of a picture: the page that shows it, and what is kept of that page. */
function shownOn({ shownOn: page }: SearchHit): Html | undefined {
  if (page === undefined) return undefined;
  const url = outerLink(page.url) ?? fileLink(page.url);
  const title = page.title === '' ? page.url : page.title;
  const size = page.width === undefined ? undefined : html` <span class="size">${page.width} × ${page.height}</span>`;
  return html`<p class="shown-on" dir="auto"><span lang="en">On the page </span>${
    url === undefined ? title : html`<a href="${url}" rel="noreferrer">${title}</a>`
  }${size} <a href="${ownLink('/page', { url: page.url })}" lang="en">Details</a></p>
`;
}

function languageOf({ language }: SearchHit): Html | undefined {
  return /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(language) ? html` lang="${language}"` : undefined;
}

function spaced(parts: readonly (Html | undefined | false)[]): HtmlPart {
  return parts
    .filter((part) => part !== undefined && part !== false)
    .map((part, at) => (at === 0 ? part : html` ${part}`));
}
