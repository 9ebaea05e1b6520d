import type { HostRecord } from '../../contracts/page-store.ts';
import { holdReason } from '../../crawl/report/describe-host-trouble.ts';
import { type Html, type HtmlPart, html } from '../frame/html.ts';
import { ownLink, readableAddress } from '../frame/links.ts';
import { oneLineAddress } from '../frame/one-line-address.ts';
import { formatCount, formatDuration, formatSize } from '../frame/written-amount.ts';
import { isoTime } from '../frame/written-date.ts';
import type { CrawlLook, LastVisit } from './crawl-watch.ts';

export function busiestTable(hosts: readonly HostRecord[], now: number): Html {
  return table(
    ['Host', 'Waiting', 'Stored', 'Received', 'Next request'],
    hosts.map((host) => [
      host.host,
      formatCount(host.queued),
      formatCount(host.pages),
      formatSize(host.bytes),
      nextRequest(host, now),
    ]),
  );
}

export function slowestTable(hosts: readonly HostRecord[]): Html {
  return table(
    ['Host', 'Last answer', 'Delay it asks for'],
    hosts.map(({ host, lastFetchMs, crawlDelayMs }) => [
      host,
      formatDuration(lastFetchMs),
      crawlDelayMs === undefined ? 'none' : formatDuration(crawlDelayMs),
    ]),
  );
}

/** In the words of the terminal. */
export function troubleList(hosts: CrawlLook['waiting']): Html {
  return html`<ul class="plain">${hosts.map(({ host, reason, next, queued }) => {
    const urls = `${formatCount(queued)} ${queued === 1 ? 'URL waits' : 'URLs wait'}`;
    return html`<li><b>${host}</b>: ${reason}; ${next} <small>${urls}</small></li>`;
  })}</ul>`;
}

export function visitsTable(visits: readonly LastVisit[]): Html {
  return table(
    ['Page', 'When', 'Status', 'Size'],
    visits.map(({ url, at, status, mediaType, bytes }) => [
      pageLink(url),
      html`<time datetime="${isoTime(at)}">${isoTime(at).slice(11, 19)} UTC</time>`,
      `${status}${mediaType === 'warc/revisit' ? ', as before' : ''}`,
      formatSize(bytes),
    ]),
    'visits',
  );
}

function nextRequest({ parked, holdUntil, hold, dueAt }: HostRecord, now: number): string {
  if (parked !== undefined) return `parked: ${parked}`;
  if (holdUntil > now) return `in ${formatDuration(holdUntil - now)} (${holdReason(hold)})`;
  return dueAt > now ? `in ${formatDuration(dueAt - now)}` : 'now';
}

function pageLink(url: string): Html {
  const { host, path } = readableAddress(url);
  return html`<a href="${ownLink('/versions', { url })}">${oneLineAddress([host, ...path].join('/'), url)}</a>`;
}

function table(heads: readonly string[], rows: readonly (readonly HtmlPart[])[], kind = ''): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${heads.join(', ')}"><table class="${kind}">
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first, ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody>
</table></div>`;
}
