import { type Html, type HtmlPart, html } from '../frame/html.ts';
import { formatCount, formatDuration, formatSize } from '../frame/written-amount.ts';
import { writtenMinute } from '../frame/written-date.ts';
import type { CrawlLook } from './crawl-watch.ts';
import { busiestTable, slowestTable, troubleList, visitsTable } from './dashboard-tables.ts';
import type { RateBook, RateStep } from './rate-book.ts';

const CHART = { width: 600, height: 90 };
const MINUTE_MS = 60_000;

/** What a crawl does, on one page. */
export function dashboardView(look: CrawlLook, rates: RateBook): Html {
  return html`<article class="dashboard">
<h1>${look.ended === undefined ? 'What the crawl does' : 'What the crawl did'}</h1>
<p class="state">${stateOf(look)}${look.ended === undefined && html` <span class="live"></span>`}</p>
${look.waiting.length > 0 && trouble(look)}
${tiles(look)}
${pace(look, rates)}
<div class="columns">
${countsCard('Endings of visits', look.totals.outcomes, 'No visit has ended yet.')}
${countsCard('Refused, by rule', look.totals.refused, 'Nothing was refused.')}
${countsCard('Failed, by kind', look.totals.failed, 'Nothing has failed.')}
${look.totals.revisits !== undefined && countsCard('Visits again', look.totals.revisits, '')}
</div>
${card('Longest queues', look.busiest.length > 0 && busiestTable(look.busiest, look.at), 'Nothing waits.')}
${card('Slowest answers', look.slowest.length > 0 && slowestTable(look.slowest), 'No host has answered yet.')}
${learnt(look)}
${look.upkeep !== undefined && freshness(look.upkeep, look.planned)}
${card('Last visits', look.visits.length > 0 && visitsTable(look.visits), 'None yet.')}
</article>`;
}

function stateOf({ at, startedAt, ended, pausedAt, visits }: CrawlLook): Html {
  if (ended === undefined && pausedAt !== undefined) return html`Paused since ${writtenMinute(pausedAt)}.`;
  if (startedAt === undefined) return html`The crawl has not begun.`;
  const begun = html`begun ${writtenMinute(startedAt)}`;
  if (ended !== undefined) return html`Ended (${ended.why}) ${writtenMinute(ended.at)}, ${begun}.`;
  const isBusy = at - Math.max(startedAt, visits[0]?.at ?? 0) < MINUTE_MS;
  return isBusy
    ? html`Running, ${begun}.`
    : html`Nothing was fetched in the last minute: it waits, or was cut off; ${begun}.`;
}

/** Above all else: a crawl of a dead server does nothing for minutes, and this says why. */
function trouble({ waiting, waitingHosts }: CrawlLook): Html {
  const more = waitingHosts - waiting.length;
  return html`<section class="card trouble"><h2>Hosts that do not answer, or ask for a pause</h2>
${troubleList(waiting)}
${more > 0 && html`<p>${formatCount(more)} more. The command "status" lists hosts, "explain" the reason.</p>`}</section>`;
}

function tiles({ totals, queued, later, planned, hosts }: CrawlLook): Html {
  const tile = (value: string, name: string, more?: HtmlPart): Html =>
    html`<div><dt>${value === '1' ? ofOne(name) : name}</dt><dd class="value">${value}</dd>${more !== undefined && html`<dd>${more}</dd>`}</div>`;
  const put = [later > 0 && `${formatCount(later)} for later`, planned > 0 && `${formatCount(planned)} to visit again`];
  return html`<dl class="tiles">
${tile(formatCount(totals.pages), 'pages stored', `${formatCount(totals.distinctDocuments)} distinct`)}
${tile(formatCount(totals.requests), 'requests')}
${tile(formatSize(totals.bytes), 'received')}
${tile(formatCount(queued), 'URLs wait', put.filter((text) => text !== false).join(', ') || undefined)}
${tile(formatCount(hosts), 'hosts')}
${tile(formatCount(totals.nearDuplicates), 'near duplicates', totals.spam > 0 ? `${formatCount(totals.spam)} with signs of spam` : undefined)}
</dl>`;
}

const OF_ONE: Readonly<Record<string, string>> = {
  'pages stored': 'page stored',
  requests: 'request',
  'URLs wait': 'URL waits',
  hosts: 'host',
  'near duplicates': 'near duplicate',
};

function ofOne(name: string): string {
  return OF_ONE[name] ?? name;
}

function pace(look: CrawlLook, rates: RateBook): Html {
  const steps = rates.steps();
  const minute = rates.over(MINUTE_MS);
  const { startedAt, ended, totals, requestsBefore = 0 } = look;
  const seconds = startedAt === undefined ? 0 : ((ended?.at ?? look.at) - startedAt) / 1000;
  return html`<section class="card">
<h2>Pace</h2>
<p>${ended === undefined && lastMinute(minute)}
${seconds > 1 && html`This run, with all waits: ${perSecond((totals.requests - requestsBefore) / seconds)} requests a second.`}</p>
${steps.length > 1 && ended === undefined && chart(steps, look.at)}
</section>`;
}

function lastMinute(minute: ReturnType<RateBook['over']>): HtmlPart {
  if (minute === undefined)
    return 'The last minute is not known yet: the pace is measured while this page is looked at.';
  return html`In the last minute <b>${perSecond(minute.pages)}</b> pages, <b>${perSecond(minute.requests)}</b> requests and <b>${formatSize(minute.bytes)}</b> a second.`;
}

/** Requests a second, as far back as is known; the figures above say the same in words. */
function chart(steps: readonly RateStep[], now: number): Html {
  const { width, height } = CHART;
  const most = Math.max(...steps.map(({ requests }) => requests));
  const span = Math.max(MINUTE_MS, now - steps[0].from);
  const x = (at: number): string => ((1 - (now - at) / span) * width).toFixed(1);
  const y = (rate: number): string => (height - 2 - (rate / Math.max(1, most)) * (height - 6)).toFixed(1);
  const line = steps.map(({ to, requests }) => `${x(to)},${y(requests)}`).join(' ');
  const area = `${x(steps[0].to)},${height} ${line} ${x(steps[steps.length - 1].to)},${height}`;
  const what = `Requests a second in the last ${formatDuration(span)}, ${perSecond(most)} at most`;
  return html`<figure class="pace">
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${what}">
<polygon class="area" points="${area}"/><polyline class="line" points="${line}"/>
</svg>
<figcaption>${what}</figcaption>
</figure>`;
}

function countsCard(title: string, counts: Readonly<Record<string, number>>, nothing: string): Html {
  const entries = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1]);
  const most = entries[0]?.[1] ?? 1;
  const rows = entries.map(
    ([name, count]) =>
      html`<li><span>${name}</span><meter min="0" max="${most}" value="${count}" aria-hidden="true"></meter><b>${formatCount(count)}</b></li>`,
  );
  return card(title, rows.length > 0 && html`<ul class="counts">${rows}</ul>`, nothing);
}

function learnt({ held, mirrors, spamHosts }: CrawlLook): Html {
  const traps = held.map(
    ({ pattern, reason, known, visits }) =>
      html`<li><code>${pattern}</code> <small>${formatCount(known)} ${known === 1 ? 'URL' : 'URLs'}, ${formatCount(visits)} visited${reason !== undefined && html`: ${reason}`}</small></li>`,
  );
  const pairs = mirrors.map(
    ({ mirror, original, why }) =>
      html`<li><code>${mirror}</code> shows <code>${original}</code> <small>${why}</small></li>`,
  );
  return html`<div class="columns wide">
${card('URLs held back: their like brought nothing new', traps.length > 0 && html`<ul class="plain">${traps}</ul>`, 'None.')}
${card('Mirrors', pairs.length > 0 && html`<ul class="plain">${pairs}</ul>`, 'No host shows the pages of another.')}
${spamHosts > 0 && card('Spam', html`<p>${spamHosts === 1 ? '1 host counts' : `${formatCount(spamHosts)} hosts count`} as spam.</p>`, '')}
</div>`;
}

function freshness({ policy, forecast }: NonNullable<CrawlLook['upkeep']>, planned: number): Html {
  const share = (value: number): string => `${(value * 100).toFixed(1)} %`;
  const rows = [{ policy, freshness: forecast.freshness, ageDays: forecast.ageDays }, ...forecast.others].map(
    (row, at) =>
      html`<tr><th scope="row">${row.policy}${at === 0 && ' (in use)'}</th><td>${share(row.freshness)}</td><td>${row.ageDays.toFixed(2)} days</td></tr>`,
  );
  return card(
    'Freshness',
    html`<p>${planned === 1 ? '1 page is' : `${formatCount(planned)} pages are`} to be visited again, with ${formatCount(Math.round(forecast.requestsPerDay))} requests a day. If pages go on changing as they did:</p>
<table><thead><tr><th scope="col">Policy</th><th scope="col">Fresh</th><th scope="col">Mean age</th></tr></thead><tbody>${rows}</tbody></table>`,
    '',
  );
}

function card(title: string, content: Html | false, nothing: string): Html {
  return html`<section class="card"><h2>${title}</h2>${content || html`<p class="nothing">${nothing}</p>`}</section>`;
}

function perSecond(rate: number): string {
  return rate.toFixed(rate < 10 ? 1 : 0);
}
