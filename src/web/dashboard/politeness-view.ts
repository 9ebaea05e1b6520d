import { GAP_CLASSES } from '../../crawl/monitor/gap-classes.ts';
import { type Html, html } from '../frame/html.ts';
import { hostLink } from '../frame/known-links.ts';
import { formatCount, formatDuration } from '../frame/written-amount.ts';
import type { MonitorLook } from './crawl-watch.ts';

/** What is shown of it proves so much and no more. */
const MEANING =
  'Measured from the end of a request to the start of the next one to the same host, by the clock of the crawl. Owed is what delay, Crawl-delay, back-off and Retry-After had come to when the first ended. The first request to a host in each run follows none. Pauses between hosts that share an address are not measured here.';

/** Pauses between requests to a host, beside what was owed. */
export function politenessView({ politeness, tightest }: MonitorLook): Html {
  if (politeness === undefined || politeness.count === 0)
    return html`<p class="nothing">No host was asked twice yet.</p>`;
  const { count, early, classes } = politeness;
  const most = Math.max(1, ...classes);
  return html`<p>${early === 0 ? html`<b class="good">No pause was shorter than owed</b>` : html`<b class="bad">${formatCount(early)} ${early === 1 ? 'pause was' : 'pauses were'} shorter than owed</b>`}, of ${formatCount(count)} measured.</p>
<div class="columns wide">
<ul class="counts">${GAP_CLASSES.map(
    ({ name }, at) =>
      html`<li><span>${name}</span><meter min="0" max="${most}" value="${classes[at] ?? 0}" aria-hidden="true"></meter><b>${formatCount(classes[at] ?? 0)}</b></li>`,
  )}</ul>
<div class="scroll" tabindex="0" role="region" aria-label="Tightest pauses"><table>
<thead><tr><th scope="col">Tightest pauses</th><th scope="col" class="number">Pause</th><th scope="col" class="number">Owed</th></tr></thead>
<tbody>${tightest.map(
    ({ host, gaps }) =>
      html`<tr><th scope="row">${hostLink(host)}</th><td class="number">${formatDuration(gaps.tightest?.gapMs ?? 0)}</td><td class="number">${formatDuration(gaps.tightest?.owedMs ?? 0)}</td></tr>`,
  )}</tbody></table></div>
</div>
<details><summary>What this shows</summary><p>${MEANING}</p></details>`;
}
