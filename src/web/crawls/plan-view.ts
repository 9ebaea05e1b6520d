import type { PlanPreview, PlanRange, PlanResult } from '../../contracts/crawl-library.ts';
import { type Html, html } from '../frame/html.ts';
import { formatCount, formatDuration, formatSize } from '../frame/written-amount.ts';
import { hiddenToken } from './action-buttons.ts';
import { hiddenDraft } from './crawl-form.ts';

const HOSTS_SHOWN = 5;

/** What a crawl will come to, before it begins. */
export function planView(
  { id, draft, state, startedAt, result, problem }: PlanPreview,
  token: string,
  now: number,
): Html {
  const change = html`<button type="submit" name="do" value="change" class="quiet">Change the answers</button>`;
  const start = html`<button type="submit" name="do" value="start">Start the crawl</button>`;
  return html`<article class="plan">
<h1>${state === 'looking' ? 'Looking at the site …' : 'Preview'}</h1>
<p class="seeds"><bdi>${draft.addresses.trim().split('\n').slice(0, 3).join(' · ')}</bdi></p>
${
  state === 'looking' &&
  html`<p>Up to 40 requests, as politely as the crawl itself; it takes half a minute at most. ${formatDuration(Math.max(0, now - startedAt))} so far.</p>
<form method="post" action="/plan/${id}/cancel">${hiddenToken(token)}<button type="submit" class="quiet">Cancel</button></form>`
}
${state === 'cancelled' && html`<p>The preview was cancelled.</p>`}
${state === 'failed' && html`<div class="card trouble"><h2>Nothing could be estimated</h2><pre class="told">${problem ?? ''}</pre></div>`}
${result !== undefined && figures(result)}
${state !== 'looking' && html`<form method="post" action="/new" class="buttons">${hiddenToken(token)}${hiddenDraft(draft)}${start} ${change}</form>`}
</article>`;
}

function figures(result: PlanResult): Html {
  const { pages, requests, bytes, ms, bounds, sample, limit, noEndInSight } = result;
  const row = (name: string, range: PlanRange, write: (value: number) => string): Html =>
    html`<tr><th scope="row">${name}</th><td>${write(range.low)}</td><td class="likely">${write(range.likely)}</td><td>${write(range.high)}</td></tr>`;
  const count = (value: number): string => formatCount(Math.round(value));
  const sum = (of: (host: PlanResult['sample']['hosts'][number]) => number): number =>
    sample.hosts.reduce((total, host) => total + of(host), 0);
  const [read, waiting, listed] = [
    sum((host) => host.sitemaps.read),
    sum((host) => host.sitemaps.waiting),
    sum((host) => host.listed),
  ];
  const delays = sample.hosts.filter(({ crawlDelayMs = 0 }) => crawlDelayMs > 0);
  return html`<table class="figures"><thead><tr><td></td><th scope="col">At least</th><th scope="col">Likely</th><th scope="col">At most</th></tr></thead>
<tbody>${row('Pages', pages, count)}${row('Requests', requests, count)}${row('Received', bytes, formatSize)}${row('Time', ms, formatDuration)}</tbody></table>
<dl class="findings">
<dt>Seen</dt><dd>${formatCount(sample.found)} of ${formatCount(sample.asked)} addresses had a page, on ${formatCount(sample.hosts.length)} ${sample.hosts.length === 1 ? 'host' : 'hosts'}${sample.failed > 0 && `; ${formatCount(sample.failed)} failed`}.</dd>
<dt>robots.txt</dt><dd>${sample.forbidden === 0 ? 'No link is forbidden' : `${formatCount(sample.forbidden)} links are forbidden and left out`}${delays.length > 0 && html`; ${delays.slice(0, HOSTS_SHOWN).map(({ host, crawlDelayMs = 0 }, at) => html`${at > 0 && ', '}${host} asks for ${formatDuration(crawlDelayMs)} between requests`)}`}.</dd>
<dt>Sitemaps</dt><dd>${read === 0 ? 'None was found.' : `${formatCount(read)} read${waiting > 0 ? `, ${formatCount(waiting)} more announced` : ''}; ${formatCount(listed)} addresses listed.`}</dd>
<dt>Estimated from</dt><dd>${basisOf(result.basis)}${noEndInSight !== undefined && ' No end is in sight: there may be several times as many pages. Set a limit.'}</dd>
${limit !== undefined && html`<dt>Limit</dt><dd>${limit} ends it before the web does.</dd>`}
${bounds.length > 0 && html`<dt>What takes the time</dt><dd><ul>${bounds.slice(0, HOSTS_SHOWN).map(({ host, requests: asked, everyMs, ms: time }) => html`<li>${host}: about ${count(asked)} requests${everyMs > 0 && `, one every ${formatDuration(everyMs)}`}: ${formatDuration(time)}</li>`)}</ul></dd>`}
</dl>`;
}

function basisOf(basis: string): string {
  switch (basis) {
    case 'everything was seen':
      return 'Everything: nothing else was left to be asked for.';
    case 'sitemaps':
      return 'The sitemaps, and how complete they are.';
    case 'sitemaps and links':
      return 'Sitemaps where there are some, else how fast links led to new addresses.';
    default:
      return 'How fast links led to new addresses: a rough figure.';
  }
}
