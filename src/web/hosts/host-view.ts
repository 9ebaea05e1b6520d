import { describeHostTrouble } from '../../crawl/report/describe-host-trouble.ts';
import { hostDelay } from '../../frontier/politeness.ts';
import type { HostFacts } from '../crawl-facts.ts';
import { card, factList } from '../frame/data-table.ts';
import { type Html, html } from '../frame/html.ts';
import { ownLink, withoutMisleading } from '../frame/links.ts';
import { formatCount, formatDuration, formatSize } from '../frame/written-amount.ts';
import { writtenSecond } from '../frame/written-date.ts';
import { nextTurn } from './next-turn.ts';
import { robotsView } from './robots-view.ts';

/** All that is known of a host. `url`: what its robots.txt is to judge, as typed. */
export function hostView(facts: HostFacts, url: string, now: number): Html {
  const { record, robots, agent } = facts;
  const isTroubled = record.parked !== undefined || record.holdUntil > now;
  const trouble = isTroubled ? describeHostTrouble(record, now, undefined) : undefined;
  return html`<article class="wide-page host-page">
<h1>${withoutMisleading(record.host)}</h1>
<p class="choices"><a href="/hosts">All hosts</a> <a href="${ownLink('/search', { q: `site:${record.host}` })}">Search its pages</a> <a href="${ownLink('/graph', { host: record.host })}">Link graph</a></p>
${trouble !== undefined && html`<section class="card trouble"><h2>Not asked at present</h2><p>${trouble.reason}; ${trouble.next}</p></section>`}
<div class="columns wide">
${card(
  'Turn and delay',
  factList([
    ['Next request', nextTurn(record, now)],
    ['Delay', delayWords(facts)],
    ['Last answer', record.lastFetchMs > 0 && formatDuration(record.lastFetchMs)],
    ['Back-offs in a row', record.pushbacks > 0 && formatCount(record.pushbacks)],
    ['Address', record.address],
  ]),
)}
${card(
  'Pages and budget',
  factList([
    ['Stored', withLimit(formatCount(record.pages), facts.rules?.budgets.maxPages, formatCount)],
    ['Received', withLimit(formatSize(record.bytes), facts.rules?.budgets.maxBytes, formatSize)],
    ['Time spent', withLimit(formatDuration(record.fetchMs), facts.rules?.budgets.maxMs, formatDuration)],
    ['Waiting', withLimit(formatCount(record.queued), facts.rules?.budgets.maxQueued, formatCount)],
    ['Parked', record.parked],
  ]),
)}
</div>
<div class="columns wide">
${card('Answers', answers(facts), 'Nothing was counted for this host yet.')}
${card('Pauses', pauses(facts), 'It was not asked twice yet.')}
</div>
<section class="card"><h2>robots.txt</h2>
<form class="line-form" action="/host" method="get"><input type="hidden" name="name" value="${record.host}">
<label class="hidden" for="judged">A URL or path of this host</label>
<input id="judged" name="url" type="text" value="${url}" maxlength="8000" placeholder="A URL or path: which line decides?">
<button type="submit">Judge</button></form>
<p class="quiet">Read for ${agent}.</p>
${robots.length === 0 ? html`<p class="nothing">Not read yet.</p>` : robots.map((one) => html`<h3>${one.record.origin}</h3>${robotsView(one)}`)}
</section>
</article>`;
}

/** The longest of what counts, and the others. */
function delayWords({ record, rules }: HostFacts): string {
  const { crawlDelayMs, lastFetchMs } = record;
  if (rules === undefined)
    return crawlDelayMs === undefined ? 'not known' : `Crawl-delay ${formatDuration(crawlDelayMs)}`;
  const { minimumDelayMs, delayFactor } = rules.politeness;
  const ms = hostDelay(rules.politeness, lastFetchMs, crawlDelayMs ?? 0);
  const why =
    ms === crawlDelayMs
      ? 'Crawl-delay of its robots.txt'
      : ms === minimumDelayMs
        ? 'the least delay of the settings'
        : `${delayFactor} times its last answer`;
  return `${formatDuration(ms)}: ${why}`;
}

function withLimit(text: string, limit: number | undefined, format: (value: number) => string): string {
  return limit === undefined ? text : `${text} of ${format(limit)} allowed`;
}

function answers({ tally }: HostFacts): Html | false {
  if (tally === undefined) return false;
  const { requests, failures, status, lastError } = tally;
  const most = Math.max(1, ...Object.values(status));
  const families = ['2', '3', '4', '5'] as const;
  return html`<p>${formatCount(requests)} ${requests === 1 ? 'request' : 'requests'}, ${formatCount(failures)} ${failures === 1 ? 'error' : 'errors'}.</p>
<ul class="counts">${families.map((family) => html`<li><span>${family}xx</span><meter min="0" max="${most}" value="${status[family]}" aria-hidden="true"></meter><b>${formatCount(status[family])}</b></li>`)}</ul>
${lastError !== undefined && html`<p class="more">Last error ${writtenSecond(lastError.at)}: ${lastError.what}</p>`}`;
}

function pauses({ tally }: HostFacts): Html | false {
  if (tally === undefined || tally.gaps.count === 0) return false;
  const { count, early, tightest } = tally.gaps;
  return factList([
    ['Measured', formatCount(count)],
    [
      'Shorter than owed',
      early === 0 ? html`<b class="good">none</b>` : html`<b class="bad">${formatCount(early)}</b>`,
    ],
    tightest !== undefined && [
      'Tightest',
      `${formatDuration(tightest.gapMs)}, where ${formatDuration(tightest.owedMs)} was owed`,
    ],
  ]);
}
