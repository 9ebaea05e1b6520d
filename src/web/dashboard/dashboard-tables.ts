import type { HostRecord } from '../../contracts/page-store.ts';
import type { CrawlTrouble } from '../../contracts/state/monitor.ts';
import { dataTable } from '../frame/data-table.ts';
import { type Html, html } from '../frame/html.ts';
import { hostLink, pageLink } from '../frame/known-links.ts';
import { formatCount, formatDuration, formatSize } from '../frame/written-amount.ts';
import { writtenSecond } from '../frame/written-date.ts';
import { nextTurn } from '../hosts/next-turn.ts';
import type { CrawlLook, LastVisit } from './crawl-watch.ts';

export function busiestTable(hosts: readonly HostRecord[], now: number): Html {
  return dataTable(
    ['Host', { name: 'Waiting' }, { name: 'Stored' }, { name: 'Received' }, 'Next request'],
    hosts.map((host) => [
      hostLink(host.host),
      formatCount(host.queued),
      formatCount(host.pages),
      formatSize(host.bytes),
      nextTurn(host, now),
    ]),
  );
}

export function slowestTable(hosts: readonly HostRecord[]): Html {
  return dataTable(
    ['Host', { name: 'Last answer' }, { name: 'Crawl-delay' }],
    hosts.map(({ host, lastFetchMs, crawlDelayMs }) => [
      hostLink(host),
      formatDuration(lastFetchMs),
      crawlDelayMs === undefined ? 'none' : formatDuration(crawlDelayMs),
    ]),
  );
}

/** In the words of the terminal. */
export function troubleList(hosts: CrawlLook['waiting']): Html {
  return html`<ul class="plain">${hosts.map(({ host, reason, next, queued }) => {
    const urls = `${formatCount(queued)} ${queued === 1 ? 'URL waits' : 'URLs wait'}`;
    return html`<li><b>${hostLink(host)}</b>: ${reason}; ${next} <small>${urls}</small></li>`;
  })}</ul>`;
}

export function errorsTable(troubles: readonly CrawlTrouble[]): Html {
  return dataTable(
    ['Page', 'When', 'What happened'],
    troubles.map(({ url, at, what }) => [pageLink(url), writtenSecond(at), html`<span class="wrap">${what}</span>`]),
    'visits',
  );
}

export function visitsTable(visits: readonly LastVisit[]): Html {
  return dataTable(
    ['Page', 'When', { name: 'Status' }, { name: 'Size' }],
    visits.map(({ url, at, status, mediaType, bytes }) => [
      pageLink(url),
      writtenSecond(at),
      `${status}${mediaType === 'warc/revisit' ? ', as before' : ''}`,
      formatSize(bytes),
    ]),
    'visits',
  );
}
