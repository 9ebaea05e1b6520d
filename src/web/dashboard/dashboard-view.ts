import { formatLoad } from '../../crawl/load/format-load.ts';
import { card } from '../frame/data-table.ts';
import { type Html, type HtmlPart, html } from '../frame/html.ts';
import { formatCount, formatDuration, formatSize } from '../frame/written-amount.ts';
import { writtenMinute } from '../frame/written-date.ts';
import type { CrawlLook } from './crawl-watch.ts';
import { chartsView, perSecond, type Span, spanLinks } from './dashboard-charts.ts';
import { busiestTable, errorsTable, slowestTable, troubleList, visitsTable } from './dashboard-tables.ts';
import { politenessView } from './politeness-view.ts';
import { qualityView } from './quality-view.ts';
import { recentRates } from './recent-rates.ts';

const MINUTE_MS = 60_000;
/** Ends that do not speak for themselves. */
const WHY: Readonly<Record<string, string>> = {
  parked: 'some hosts do not answer',
  'held-back': 'some URLs are held back',
};

/** Parts of the dashboard that are renewed while it is open, by the id of their element. */
export type Regions = ReadonlyMap<string, Html>;

/** What a crawl does, on one page. */
export function dashboardView(look: CrawlLook, span: Span, panel: HtmlPart = false): Html {
  const regions = dashboardRegions(look, span);
  const region = (id: string): Html => html`<div id="${id}" class="region">${regions.get(id)}</div>`;
  return html`<article class="dashboard wide-page" data-span="${span}">
<header class="page-head"><h1>Dashboard</h1><span class="live"></span></header>
${region('d-state')}
${panel}
${region('d-trouble')}
${region('d-tiles')}
<section class="card"><div class="card-head"><h2>Course of the crawl</h2>${spanLinks(span)}</div>${region('d-charts')}</section>
${region('d-counts')}
${region('d-errors')}
${region('d-hosts')}
${region('d-politeness')}
${region('d-learnt')}
${region('d-visits')}
</article>`;
}

export function dashboardRegions(look: CrawlLook, span: Span): Regions {
  const { monitor, totals } = look;
  return new Map<string, Html>([
    [
      'd-state',
      html`<p class="state" data-stands="${look.ended !== undefined ? 'ended' : look.pausedAt === undefined ? 'running' : 'paused'}">${stateOf(look)}</p>`,
    ],
    ['d-trouble', look.waiting.length > 0 ? trouble(look) : html``],
    ['d-tiles', tiles(look)],
    ['d-charts', chartsView(look, span)],
    [
      'd-counts',
      html`<div class="columns">
${countsCard('Outcomes', totals.outcomes, 'No visit has ended yet.')}
${monitor !== undefined && countsCard('Status codes', monitor.statuses, 'No answer yet.')}
${countsCard('Refused by rule', totals.refused, 'Nothing was refused.')}
${countsCard('Errors by kind', totals.failed, 'Nothing has failed.')}
${totals.revisits !== undefined && countsCard('Revisits', totals.revisits, '')}
</div>`,
    ],
    [
      'd-errors',
      card(
        'Latest errors',
        monitor !== undefined && monitor.troubles.length > 0 && errorsTable(monitor.troubles),
        'None.',
      ),
    ],
    ['d-hosts', hosts(look)],
    ['d-politeness', card('Politeness', monitor && politenessView(monitor), 'Nothing was measured yet.')],
    [
      'd-learnt',
      html`${learnt(look)}${look.upkeep !== undefined && freshness(look.upkeep, look.planned)}${look.quality !== undefined && qualityView(look.quality)}`,
    ],
    ['d-visits', card('Latest visits', look.visits.length > 0 && visitsTable(look.visits), 'None yet.')],
  ]);
}

function stateOf({ at, startedAt, ended, pausedAt, visits }: CrawlLook): Html {
  if (ended === undefined && pausedAt !== undefined) return html`Paused since ${writtenMinute(pausedAt)}.`;
  if (startedAt === undefined) return html`The crawl has not begun.`;
  const begun = html`begun ${writtenMinute(startedAt)}`;
  if (ended !== undefined) return html`${endOf(ended.why)} ${writtenMinute(ended.at)}, ${begun}.`;
  const isBusy = at - Math.max(startedAt, visits[0]?.at ?? 0) < MINUTE_MS;
  return isBusy
    ? html`Running, ${begun}.`
    : html`Nothing was fetched in the last minute: it waits, or was cut off; ${begun}.`;
}

function endOf(why: string): string {
  if (why === 'finished') return 'Finished';
  return why === 'stopped' ? 'Stopped' : `Ended (${WHY[why] ?? why})`;
}

/** Above all else: a crawl of a dead server does nothing for minutes, and this says why. */
function trouble({ waiting, waitingHosts }: CrawlLook): Html {
  const more = waitingHosts - waiting.length;
  return html`<section class="card trouble"><h2>Hosts that do not answer, or ask for a pause</h2>
${troubleList(waiting)}
${more > 0 && html`<p><a href="/hosts?sort=next&amp;order=desc">${formatCount(more)} more</a></p>`}</section>`;
}

function tiles(look: CrawlLook): Html {
  const { totals, queued, later, planned, hosts: count, standing } = look;
  const tile = (value: string, name: string, more?: HtmlPart): Html =>
    html`<div><dt>${value === '1' ? (OF_ONE[name] ?? name) : name}</dt><dd class="value">${value}</dd>${more !== undefined && more !== false && more !== '' && html`<dd>${more}</dd>`}</div>`;
  const waits = [
    later > 0 && `${formatCount(later)} for later`,
    planned > 0 && `${formatCount(planned)} to visit again`,
  ];
  const stands = [
    [standing.ready, 'ready'],
    [standing.resting, 'resting'],
    [standing.held + standing.parked, 'held'],
  ] as const;
  const { pages, requests, bytes, memory } = recentRates(look);
  const copies = totals.pages - totals.distinctDocuments;
  const parts = (texts: readonly (string | false)[]): string => texts.filter((text) => text !== false).join(', ');
  return html`<dl class="tiles">
${tile(formatCount(totals.pages), 'pages stored', pages !== undefined && `${perSecond(pages)} now`)}
${tile(formatCount(totals.requests), 'requests', parts([requests !== undefined && `${perSecond(requests)} now`, averageOf(look)]))}
${tile(formatSize(totals.bytes), 'received', bytes !== undefined && `${formatSize(bytes)}/s now`)}
${tile(formatCount(queued), 'URLs wait', parts(waits))}
${tile(formatCount(count), 'hosts', stands.map(([number, name]) => `${formatCount(number)} ${name}`).join(', '))}
${tile(formatCount(copies + totals.nearDuplicates), 'duplicates', parts([`${formatCount(copies)} exact`, `${formatCount(totals.nearDuplicates)} near`, totals.spam > 0 && `${formatCount(totals.spam)} with signs of spam`]))}
${tile(...timeLeft(look))}
${memory !== undefined && tile(formatSize(memory), 'memory', loadOf(look))}
</dl>`;
}

/** What the machine does not carry, where that is so. */
function loadOf({ monitor }: CrawlLook): string {
  const load = monitor?.load;
  return load?.why === undefined ? '' : formatLoad(load);
}

/** Of the run as a whole, with all waits. */
function averageOf({ startedAt, ended, at, totals, requestsBefore = 0 }: CrawlLook): string | false {
  const seconds = startedAt === undefined ? 0 : ((ended?.at ?? at) - startedAt) / 1000;
  return seconds > 1 && `${perSecond((totals.requests - requestsBefore) / seconds)} on average`;
}

const OF_ONE: Readonly<Record<string, string>> = {
  'pages stored': 'page stored',
  requests: 'request',
  'URLs wait': 'URL waits',
  hosts: 'host',
  duplicates: 'duplicate',
};

/** Only an estimate that has held for some seconds is shown: no number is better than one that jumps. */
function timeLeft({ ended, upkeep, monitor, at }: CrawlLook): [value: string, name: string, more?: string] {
  if (ended !== undefined) return ['–', 'time left', 'the crawl has ended'];
  if (upkeep !== undefined) return ['∞', 'time left', 'a continuous crawl goes on'];
  const last = monitor?.samples.at(-1);
  if (last?.leftMs === undefined || at - last.at > MINUTE_MS) return ['–', 'time left', 'no steady estimate yet'];
  return [formatDuration(Math.max(1000, last.leftMs)), 'time left', 'about'];
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

function hosts({ busiest, slowest, standing, at, hosts: count }: CrawlLook): Html {
  const most = Math.max(1, ...standing.frontQueues.map(({ urls }) => urls));
  const queues = standing.frontQueues.map(
    ({ lane, hosts: number, urls }) =>
      html`<li><span>Queue ${lane}</span><meter min="0" max="${most}" value="${urls}" aria-hidden="true"></meter><b>${formatCount(urls)} ${urls === 1 ? 'URL' : 'URLs'}, ${formatCount(number)} ${number === 1 ? 'host' : 'hosts'}</b></li>`,
  );
  return html`${card('Longest queues', busiest.length > 0 && html`${busiestTable(busiest, at)}<p class="more"><a href="/hosts">All ${formatCount(count)} hosts</a></p>`, 'Nothing waits.')}
<div class="columns wide">
${card('Slowest answers', slowest.length > 0 && slowestTable(slowest), 'No host has answered yet.')}
${card('Front queues', queues.length > 0 && html`<p class="quiet">Hosts by the queue of their most urgent URL; 0 comes first.</p><ul class="counts">${queues}</ul>`, 'Nothing waits.')}
</div>`;
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
${card('Suspected traps', traps.length > 0 && html`<ul class="plain">${traps}</ul>`, 'None.')}
${card('Mirrors', pairs.length > 0 && html`<ul class="plain">${pairs}</ul>`, 'No host shows the pages of another.')}
${spamHosts > 0 && card('Spam', html`<p>${spamHosts === 1 ? '1 host counts' : `${formatCount(spamHosts)} hosts count`} as spam.</p>`)}
</div>`;
}

function freshness({ policy, forecast }: NonNullable<CrawlLook['upkeep']>, planned: number): Html {
  const share = (value: number): string => `${(value * 100).toFixed(1)} %`;
  const rows = [{ policy, freshness: forecast.freshness, ageDays: forecast.ageDays }, ...forecast.others].map(
    (row, at) =>
      html`<tr><th scope="row">${row.policy}${at === 0 && ' (in use)'}</th><td>${share(row.freshness)}</td><td>${row.ageDays.toFixed(2)} days</td></tr>`,
  );
  return card(
    'Freshness and age',
    html`<p>${planned === 1 ? '1 page is' : `${formatCount(planned)} pages are`} to be visited again, with ${formatCount(Math.round(forecast.requestsPerDay))} requests a day. If pages go on changing as they did:</p>
<table><thead><tr><th scope="col">Policy</th><th scope="col">Fresh</th><th scope="col">Mean age</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}
