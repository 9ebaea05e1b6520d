import { type Html, html } from '../frame/html.ts';
import { ownLink } from '../frame/links.ts';
import { isoTime, writtenMinute } from '../frame/written-date.ts';
import { typeName } from '../search/type-name.ts';
import type { WebVersion } from '../web-reader.ts';
import { copyHead } from './cached-text.ts';

const CHANGES: Readonly<Record<WebVersion['changed'], string>> = {
  first: 'first visit',
  same: 'unchanged',
  changed: 'changed',
};

/**
 * The visits of a page, newest first, and a way to compare any two. `isShown`: the page lets its copies be shown. `current`: the one that
 * searches find, where newer ones are not searched yet.
 */
export function versionsView(
  url: string,
  versions: readonly WebVersion[],
  isShown: boolean,
  current?: WebVersion,
): Html {
  const newestFirst = [...versions].reverse();
  const types = typesOf(versions).reverse();
  const changed = versions.filter((version) => version.changed !== 'same').length;
  const [newer, older] = presetPair(newestFirst);
  const isCompared = isShown && versions.length > 1;
  return html`<article class="copy">
${copyHead({ url, title: 'Versions' })}
<p class="facts">${versions.length} ${versions.length === 1 ? 'visit' : 'visits'}, ${changed} ${changed === 1 ? 'version' : 'different versions'}</p>
${current !== undefined && html`<p>Searches find the version of ${writtenMinute(current.date)}; newer ones are searched when the index is switched.</p>`}
${!isShown && html`<p>The page asks that no copy of it is shown (noarchive).</p>`}
<form action="/diff" method="get">
<input type="hidden" name="url" value="${url}">
<table class="versions">
<thead><tr>${isCompared && html`<th scope="col">From</th><th scope="col">To</th>`}<th scope="col">Visited</th><th scope="col">Status</th><th scope="col" class="type">Type</th><th scope="col">Content</th></tr></thead>
<tbody>${newestFirst.map((version, at) => {
    const time = isoTime(version.date);
    const visited = writtenMinute(version.date);
    return html`<tr class="${version.changed}">
${
  isCompared &&
  html`<td><input type="radio" name="from" value="${time}" aria-label="Compare from ${time}"${at === older && html` checked=""`}></td>
<td><input type="radio" name="to" value="${time}" aria-label="Compare to ${time}"${at === newer && html` checked=""`}></td>`
}
<td>${isShown ? html`<a href="${ownLink('/cached', { url, at: time })}">${visited}</a>` : visited}</td>
<td>${version.status}</td><td class="type">${typeName(types[at]) ?? 'Web page'}</td><td>${CHANGES[version.changed]}${version === current && ', searched'}${current !== undefined && version.date > current.date && ', not searched yet'}</td></tr>`;
  })}</tbody>
</table>
${isCompared && html`<p><button type="submit">Compare the text</button></p>`}
</form>
</article>`;
}

/** A visit that found the same has no type of its own but that of the copy before it. */
function typesOf(versions: readonly WebVersion[]): string[] {
  const types: string[] = [];
  for (const { mediaType } of versions) types.push(mediaType === 'warc/revisit' ? (types.at(-1) ?? '') : mediaType);
  return types;
}

/** The last change is what most want to see: the newest that changed, and the one before it. */
function presetPair(newestFirst: readonly WebVersion[]): readonly [number, number] {
  const changed = newestFirst.findIndex((version) => version.changed === 'changed');
  const newer = changed < 0 ? 0 : changed;
  return [newer, Math.min(newer + 1, newestFirst.length - 1)];
}
