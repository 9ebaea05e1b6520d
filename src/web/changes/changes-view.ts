import type { LoggedChange } from '../../contracts/change-log.ts';
import { CHANGE_KINDS, type ChangeKind } from '../../crawl/notify/change-report.ts';
import { type Html, html } from '../frame/html.ts';
import { outerLink, ownLink, readableAddress } from '../frame/links.ts';
import { oneLineAddress } from '../frame/one-line-address.ts';
import { isoTime, writtenDay } from '../frame/written-date.ts';

export interface ChangesPage {
  /** Oldest first, as the log has them. */
  readonly changes: readonly LoggedChange[];
  /** Only these were asked for; all where empty. */
  readonly kinds: readonly ChangeKind[];
  /** Number of the oldest that is shown, where there are older ones. */
  readonly older?: number;
}

/** What has happened to pages, newest first, day by day. */
export function changesView({ changes, kinds, older }: ChangesPage): Html {
  const kind = kinds.length === 0 ? undefined : kinds.join(',');
  const days = Map.groupBy(changes.toReversed(), ({ at }) => isoTime(at).slice(0, 10));
  return html`<article class="copy changes">
<h1>What has changed</h1>
<p class="facts">${choice(kinds)} · <a href="${ownLink('/changes.atom', { kind })}">Feed</a> · <a href="${ownLink('/changes.json', { kind })}">JSON</a></p>
${changes.length === 0 && html`<p class="nothing">No changes yet. They are noticed when pages are visited again: by a crawl with --continuous, or by one more round with --again.</p>`}
${[...days.values()].map(dayView)}
${older !== undefined && html`<p><a href="${ownLink('/changes', { kind, before: older })}">Older changes</a></p>`}
</article>`;
}

function choice(kinds: readonly ChangeKind[]): Html {
  const link = (name: string, kind: ChangeKind | undefined, chosen: boolean): Html =>
    chosen ? html`<b>${name}</b>` : html`<a href="${ownLink('/changes', { kind })}">${name}</a>`;
  return html`${link('all', undefined, kinds.length === 0)}${CHANGE_KINDS.map(
    (kind) => html` · ${link(kind, kind, kinds.length === 1 && kinds[0] === kind)}`,
  )}`;
}

function dayView(changes: readonly LoggedChange[]): Html {
  return html`<h2>${writtenDay(changes[0].at)}</h2>
<table class="versions changes">
<thead><tr><th scope="col">Noticed</th><th scope="col">What</th><th scope="col" class="page">Page</th><th scope="col">Copies</th></tr></thead>
<tbody>${changes.map(rowView)}</tbody>
</table>
`;
}

function rowView({ at, url, change, title }: LoggedChange): Html {
  return html`<tr class="${change.kind}">
<td><time datetime="${isoTime(at)}">${isoTime(at).slice(11, 16)}<span class="zone"> UTC</span></time></td>
<td>${change.kind}${change.kind === 'gone' && html` (HTTP ${change.status})`}</td>
<td class="page">${pageLink(url, title)}${change.kind === 'moved' && html` → ${pageLink(change.to, undefined)}`}</td>
<td class="copies">${change.kind === 'changed' && html`<a href="${ownLink('/diff', { url, to: isoTime(at) })}">what changed</a> · `}<a href="${ownLink('/versions', { url })}">versions</a></td></tr>
`;
}

function pageLink(url: string, title: string | undefined): Html {
  const { host, path } = readableAddress(url);
  const link = outerLink(url);
  const words = html`${title !== undefined && title.trim() !== '' && html`<span dir="auto">${title}</span> `}${oneLineAddress([host, ...path].join(' › '), url)}`;
  return link === undefined ? words : html`<a href="${link}" rel="noreferrer">${words}</a>`;
}
