import type { HostListPage, HostOrder, HostQuery, ListedHost } from '../../contracts/state/host-directory.ts';
import { type Html, type HtmlPart, html } from '../frame/html.ts';
import { hostLink } from '../frame/known-links.ts';
import { ownLink } from '../frame/links.ts';
import { formatCount, formatDuration, formatSize } from '../frame/written-amount.ts';
import { writtenSecond } from '../frame/written-date.ts';
import { nextTurn } from './next-turn.ts';
import { robotsWords } from './robots-view.ts';

/** What the table can be sorted by, and the direction that most want first. */
export const HOST_ORDERS: Readonly<
  Record<HostOrder, { readonly name: string; readonly first: 'asc' | 'desc'; readonly isNumber: boolean }>
> = {
  host: { name: 'Host', first: 'asc', isNumber: false },
  queued: { name: 'Waiting', first: 'desc', isNumber: true },
  pages: { name: 'Stored', first: 'desc', isNumber: true },
  bytes: { name: 'Received', first: 'desc', isNumber: true },
  slow: { name: 'Last answer', first: 'desc', isNumber: true },
  next: { name: 'Next request', first: 'asc', isNumber: false },
  errors: { name: 'Errors', first: 'desc', isNumber: true },
  slack: { name: 'Tightest pause', first: 'asc', isNumber: true },
};

const PLACES: readonly HostOrder[] = ['host', 'queued', 'pages', 'bytes', 'slow', 'next', 'errors', 'slack'];

/** All hosts, a page at a time. */
export function hostsView(page: HostListPage, query: HostQuery, now: number): Html {
  const { order, descending, search, after } = query;
  const kept = { q: search, sort: order, order: descending ? 'desc' : 'asc' };
  const count = `${formatCount(page.matching)} ${page.matching === 1 ? 'host' : 'hosts'}`;
  return html`<article class="wide-page hosts">
<h1>Hosts</h1>
<form class="line-form" action="/hosts" method="get">
<input type="hidden" name="sort" value="${kept.sort}"><input type="hidden" name="order" value="${kept.order}">
<label class="hidden" for="host-search">Part of a host name</label>
<input id="host-search" name="q" type="search" value="${search ?? ''}" maxlength="300" placeholder="Part of a host name">
<button type="submit">Find hosts</button>
</form>
<p class="quiet">${count}${search !== undefined && ` with “${search}” in the name`}. Sorted as of ${writtenSecond(page.sortedAt, now)}; each row is as of now.</p>
<section class="card"><h2 class="hidden">Table of hosts</h2>
${page.hosts.length === 0 ? html`<p class="nothing">${search === undefined ? 'No host is known yet.' : 'No host matches.'}</p>` : tableOf(page.hosts, query, now)}
</section>
<p class="choices">${after !== undefined && html`<a href="${ownLink('/hosts', kept)}">First page</a> `}${page.next !== undefined && html`<a rel="next" href="${ownLink('/hosts', { ...kept, after: writtenPlace(page.next) })}">Next page</a>`}</p>
</article>`;
}

/** A place in the list as a parameter; hosts-routes.ts reads it. */
function writtenPlace({ id, value }: NonNullable<HostListPage['next']>): string {
  return `${id}${typeof value === 'number' ? 'n' : 's'}${value}`;
}

function tableOf(hosts: readonly ListedHost[], query: HostQuery, now: number): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Hosts"><table>
<thead><tr>${PLACES.map((order) => headOf(order, query))}<th scope="col">robots.txt</th></tr></thead>
<tbody>${hosts.map((host) => rowOf(host, now))}</tbody></table></div>`;
}

/** A link that sorts; the column by which it is sorted turns round. */
function headOf(order: HostOrder, { order: sorted, descending, search }: HostQuery): Html {
  const { name, first, isNumber } = HOST_ORDERS[order];
  const isSorted = order === sorted;
  const turned = descending ? 'asc' : 'desc';
  const link = ownLink('/hosts', { q: search, sort: order, order: isSorted ? turned : first });
  const mark = isSorted ? (descending ? ' ↓' : ' ↑') : '';
  return html`<th scope="col"${isNumber && html` class="number"`}${isSorted && html` aria-sort="${descending ? 'descending' : 'ascending'}"`}><a href="${link}">${name}${mark}</a></th>`;
}

function rowOf({ record, tally, robots }: ListedHost, now: number): Html {
  const { tightest } = tally?.gaps ?? {};
  const number = (value: HtmlPart): Html => html`<td class="number">${value}</td>`;
  return html`<tr><th scope="row">${hostLink(record.host)}</th>
${number(formatCount(record.queued))}${number(formatCount(record.pages))}${number(formatSize(record.bytes))}${number(record.lastFetchMs > 0 ? formatDuration(record.lastFetchMs) : '–')}
<td><span class="wrap">${nextTurn(record, now)}</span></td>${number(tally === undefined ? '–' : formatCount(tally.failures))}
${number(tightest === undefined ? '–' : html`${formatDuration(tightest.gapMs)} of ${formatDuration(tightest.owedMs)}`)}
<td><span class="wrap">${robots === undefined ? 'not read yet' : robotsWords(robots)}</span></td></tr>`;
}
