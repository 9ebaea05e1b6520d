import { copyHead } from './cached-text.ts';
import { type Html, html } from './html.ts';
import { ownLink } from './links.ts';
import { typeName } from './type-name.ts';
import type { WebVersion } from './web-reader.ts';
import { isoTime, writtenMinute } from './written-date.ts';

const CHANGES: Readonly<Record<WebVersion['changed'], string>> = {
  first: 'first visit',
  same: 'unchanged',
  changed: 'changed',
};

/** The visits of a page, newest first, and a way to compare any two. */
export function versionsView(url: string, versions: readonly WebVersion[]): Html {
  const newestFirst = [...versions].reverse();
  const changed = versions.filter((version) => version.changed !== 'same').length;
  const [newer, older] = presetPair(newestFirst);
  return html`<article class="copy">
${copyHead({ url, title: 'Versions' })}
<p class="facts">${versions.length} ${versions.length === 1 ? 'visit' : 'visits'}, ${changed} ${changed === 1 ? 'version' : 'different versions'}</p>
<form action="/diff" method="get">
<input type="hidden" name="url" value="${url}">
<table class="versions">
<thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">Visited</th><th scope="col">Status</th><th scope="col">Type</th><th scope="col">Content</th></tr></thead>
<tbody>${newestFirst.map((version, at) => {
    const time = isoTime(version.date);
    return html`<tr class="${version.changed}">
<td><input type="radio" name="from" value="${time}" aria-label="Compare from ${time}"${at === older && html` checked=""`}></td>
<td><input type="radio" name="to" value="${time}" aria-label="Compare to ${time}"${at === newer && html` checked=""`}></td>
<td><a href="${ownLink('/cached', { url, at: time })}">${writtenMinute(version.date)}</a></td>
<td>${version.status}</td><td>${typeName(version.mediaType) ?? 'Web page'}</td><td>${CHANGES[version.changed]}</td></tr>`;
  })}</tbody>
</table>
${versions.length > 1 && html`<p><button type="submit">Compare the text</button></p>`}
</form>
</article>`;
}

/** The last change is what most want to see: the newest that changed, and the one before it. */
function presetPair(newestFirst: readonly WebVersion[]): readonly [number, number] {
  const changed = newestFirst.findIndex((version) => version.changed === 'changed');
  const newer = changed < 0 ? 0 : changed;
  return [newer, Math.min(newer + 1, newestFirst.length - 1)];
}
