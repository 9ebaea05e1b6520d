import type { LibraryCrawl } from '../../contracts/crawl-library.ts';
import { type Html, html } from '../frame/html.ts';
import { formatCount } from '../frame/written-amount.ts';
import { actionButtons, hiddenToken } from './action-buttons.ts';
import { conditionBadge, crawlLink, freshness, manageLink, nextRun, writtenSize } from './crawl-words.ts';

export interface ListOptions {
  readonly now: number;
  /** Of forms; undefined where nothing may be changed from here. */
  readonly token: string | undefined;
}

/** All crawls of a library; folders that are none come last. */
export function listView(crawls: readonly LibraryCrawl[], options: ListOptions): Html {
  const [own, others] = [
    crawls.filter(({ condition }) => condition !== 'foreign'),
    crawls.filter(({ condition }) => condition === 'foreign'),
  ];
  return html`${own.length > 0 && table(own, options)}
${others.length > 0 && foreign(others)}`;
}

/** One click, and no network: for who only wants to see what it is. */
export function demoForm(token: string): Html {
  return html`<form method="post" action="/demo" class="demo">${hiddenToken(token)}
<button type="submit">Crawl the demo web</button>
<p>Five small sites about spiders, on this machine. No network is needed.</p></form>`;
}

function table(crawls: readonly LibraryCrawl[], { now, token }: ListOptions): Html {
  return html`<table class="crawls">
<thead><tr><th scope="col">Crawl</th><th scope="col">State</th><th scope="col">Pages</th><th scope="col">Waiting URLs</th><th scope="col">Last visit</th><th scope="col">Size</th><th scope="col">Next run</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
<tbody>${crawls.map((crawl) => row(crawl, now, token))}</tbody>
</table>`;
}

function row(crawl: LibraryCrawl, now: number, token: string | undefined): Html {
  const { name, note, facts, condition } = crawl;
  const first = facts?.seeds[0];
  const isReadable = facts !== undefined || condition === 'imported';
  return html`<tr>
<th scope="row"><a class="crawl" href="${isReadable ? crawlLink(name) : manageLink(name)}"><bdi>${name}</bdi></a>${first !== undefined && html`<small><bdi>${first}</bdi>${facts !== undefined && facts.seeds.length > 1 && ` and ${formatCount(facts.seeds.length - 1)} more`}</small>`}</th>
<td data-label="State">${conditionBadge(crawl)}${note !== '' && html`<small>${note}</small>`}</td>
<td data-label="Pages" class="amount">${facts === undefined ? '–' : formatCount(facts.pages)}</td>
<td data-label="Waiting URLs" class="amount">${facts === undefined ? '–' : formatCount(facts.queued)}</td>
<td data-label="Last visit">${freshness(crawl, now)}</td>
<td data-label="Size" class="amount">${writtenSize(crawl)}</td>
<td data-label="Next run">${nextRun(crawl, now)}</td>
<td class="actions">${token !== undefined && actionButtons(crawl, token, '/')}${isReadable && html`<a href="${crawlLink(name)}dashboard">Dashboard</a>`} <a href="${manageLink(name)}">Manage<span class="hidden"> ${name}</span></a></td>
</tr>`;
}

function foreign(crawls: readonly LibraryCrawl[]): Html {
  return html`<details class="foreign"><summary>${crawls.length === 1 ? '1 folder' : `${formatCount(crawls.length)} folders`} here ${crawls.length === 1 ? 'holds' : 'hold'} no crawl</summary>
<ul>${crawls.map(({ name }) => html`<li><bdi>${name}</bdi></li>`)}</ul></details>`;
}
