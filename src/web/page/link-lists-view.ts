import type { PageLinkLists } from '../crawl-facts.ts';
import { dataTable } from '../frame/data-table.ts';
import { type Html, html } from '../frame/html.ts';
import { pageLink } from '../frame/known-links.ts';
import { formatCount } from '../frame/written-amount.ts';
import { writtenMinute } from '../frame/written-date.ts';

/** Pages that link here, with the texts of their links. */
export function inLinksView({ inLinks, inCount }: PageLinkLists): Html | false {
  if (inLinks.length === 0) return html`<p class="nothing">No indexed page links here.</p>`;
  const rows = inLinks.map(({ from, at, text, nofollow, sameHost }) => [
    pageLink(from),
    html`<span class="wrap" dir="auto">${text}</span>`,
    [sameHost ? 'same host' : 'another host', nofollow && ', nofollow'],
    writtenMinute(at),
  ]);
  return html`${dataTable(['Page', 'Text of the link', 'Kind', 'Seen'], rows, 'links', 'Links to this page')}${rest(inCount - inLinks.length)}`;
}

export function outLinksView({ outLinks = [], outCount }: PageLinkLists): Html | false {
  if (outLinks.length === 0) return html`<p class="nothing">None.</p>`;
  const rows = outLinks.map(({ url, text, nofollow }) => [
    pageLink(url),
    html`<span class="wrap" dir="auto">${text}</span>`,
    nofollow ? 'nofollow' : '',
  ]);
  return html`${dataTable(['Page', 'Text of the link', 'Kind'], rows, 'links', 'Links on this page')}${rest(outCount - outLinks.length)}`;
}

export function anchorsView({ anchors }: PageLinkLists): Html {
  const most = Math.max(...anchors.map(({ weight }) => weight));
  return html`<ul class="counts">${anchors.map(({ text, weight }) => html`<li><span dir="auto">${text}</span><meter min="0" max="${most}" value="${weight}" aria-hidden="true"></meter><b>${weight.toFixed(2)}</b></li>`)}</ul>`;
}

function rest(more: number): Html | false {
  return more > 0 && html`<p class="more quiet">About ${formatCount(more)} more.</p>`;
}
