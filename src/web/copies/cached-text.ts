import { type Html, type HtmlPart, html } from '../frame/html.ts';
import { outerLink, ownLink } from '../frame/links.ts';
import { oneLineAddress } from '../frame/one-line-address.ts';
import { isoTime, writtenMinute } from '../frame/written-date.ts';
import { typeName } from '../search/type-name.ts';

export interface CachedText {
  readonly url: string;
  readonly date: number;
  readonly versions: number;
  readonly mediaType: string;
  readonly bytes: number;
  /** Undefined where it has none. */
  readonly text?: string;
  /** Prose to be wrapped, or lines to be kept. */
  readonly form: 'prose' | 'lines';
  readonly picture: boolean;
}

/** A copy that is not shown as a page: a text, a picture, or the words of a document and a way to save it. */
export function cachedTextView(copy: CachedText): Html {
  const { url, date, text, form, picture } = copy;
  const file = ownLink('/cached', { url, at: isoTime(date), as: 'file' });
  return html`<article class="copy">
${copyHead({ url, title: 'Stored copy' })}
<p class="facts">${[
    html`<span class="badge">${typeName(copy.mediaType) ?? 'Web page'}</span> · `,
    html`Stored ${writtenMinute(date)} · `,
    html`<span>${Math.max(1, Math.round(copy.bytes / 1_024)).toLocaleString('en')} KB</span> · `,
    html`<a href="${ownLink('/versions', { url })}">${copy.versions} ${copy.versions === 1 ? 'version' : 'versions'}</a> · `,
    html`<a href="${file}" download>Save the file</a>`,
  ]}</p>
${picture && html`<p class="picture"><img src="${file}" alt="The stored picture"></p>`}
${text !== undefined && wordsOf(text, form)}
${text === undefined && !picture && html`<p class="nothing">This kind of document is not shown here; it can be saved and opened with a program for it.</p>`}
</article>`;
}

/** Whose copy it is; the same above versions, texts and comparisons. */
export function copyHead({ url, title }: { readonly url: string; readonly title: string }): Html {
  const link = outerLink(url);
  return html`<h1>${title}</h1><p class="address">${link === undefined ? oneLineAddress(url, url) : html`<a href="${link}" rel="noreferrer">${oneLineAddress(url, url)}</a>`} <a class="details" href="${ownLink('/page', { url })}">Details</a></p>`;
}

function wordsOf(text: string, form: CachedText['form']): HtmlPart {
  if (text.trim() === '') return html`<p class="nothing">No text was found in it.</p>`;
  if (form === 'lines') return html`<pre class="lines" dir="auto" tabindex="0">${text}</pre>`;
  return html`<div class="prose">${text
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => html`<p dir="auto">${line}</p>`)}</div>`;
}
