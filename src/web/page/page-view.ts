import type { DuplicateCluster } from '../../crawl/report/duplicate-clusters.ts';
import { reportEntries } from '../../crawl/report/format-report.ts';
import { formatOutcome, type UrlReport } from '../../crawl/report/url-report.ts';
import type { PageLinkLists } from '../crawl-facts.ts';
import { card, dataTable, factList } from '../frame/data-table.ts';
import { type Html, html } from '../frame/html.ts';
import { hostLink, pageLink } from '../frame/known-links.ts';
import { outerLink, ownLink } from '../frame/links.ts';
import { oneLineAddress } from '../frame/one-line-address.ts';
import { formatCount, formatDuration, formatSize } from '../frame/written-amount.ts';
import { isoTime, writtenMinute, writtenSecond } from '../frame/written-date.ts';
import type { WebCopy, WebVersion } from '../web-reader.ts';
import { anchorsView, inLinksView, outLinksView } from './link-lists-view.ts';

export interface PageToShow {
  readonly report: UrlReport;
  /** Oldest first. */
  readonly versions: readonly WebVersion[];
  /** Absent where links were not gathered. */
  readonly links?: PageLinkLists;
  readonly cluster?: DuplicateCluster;
  /** Absent where none is held, or where the page asks that none is shown. */
  readonly copy?: WebCopy;
  readonly text?: string;
  /** The page asks that no copy of it is shown. */
  readonly isClosed: boolean;
}

const VERSIONS_SHOWN = 10;
const MEMBERS_SHOWN = 20;
const HEADERS_SHOWN = 100;
const TEXT_SHOWN = 5000;

/** All that is known of a page. Everything in it was written by strangers. */
export function pageView(shown: PageToShow): Html {
  const { report, versions, links, cluster } = shown;
  const { url, page } = report;
  const live = outerLink(url);
  return html`<article class="wide-page page-page">
<h1 dir="auto">${page?.facts?.title ?? page?.facts?.about?.title ?? (page === undefined ? 'A page that this crawl has not met' : 'A page without a title')}</h1>
<p class="address">${live === undefined ? oneLineAddress(url, url) : html`<a href="${live}" rel="noreferrer">${oneLineAddress(url, url)}</a>`}</p>
${ways(shown)}
${page === undefined && lookUpForm(url)}
<div class="columns wide">
${card('Status', statusOf(report))}
${page?.facts !== undefined && card('Content', contentOf(shown))}
</div>
${report.path.length > 0 && card('How it was found', wayHere(report))}
${page !== undefined && page.history.length > 0 && card('Visits', visits(shown))}
${page?.facts !== undefined && card('Links to this page', links && inLinksView(links), 'Links are gathered with the search index; none were yet.')}
${links !== undefined && links.anchors.length > 0 && card('Called by others', anchorsView(links))}
${links?.outLinks !== undefined && card('Links on this page', outLinksView(links), '')}
${card('Duplicates', duplicates(report, cluster), 'No other stored page is known to say the same.')}
${spam(report)}
${card('Explanation', explanation(report))}
${page?.facts !== undefined && card('Archive record', archived(shown), 'No copy is stored.')}
${shown.text !== undefined && shown.text.trim() !== '' && card('Main text', mainText(shown.text))}
${versions.length > 1 && html`<p class="choices"><a href="${ownLink('/diff', { url })}">Last change of the text</a></p>`}
</article>`;
}

export function lookUpForm(url: string): Html {
  return html`<form class="line-form" action="/page" method="get">
<label class="hidden" for="page-url">Address of a page</label>
<input id="page-url" name="url" type="url" value="${url}" maxlength="8000" placeholder="https://example.org/page" required>
<button type="submit">Look up</button></form>`;
}

function ways({ report, versions, isClosed }: PageToShow): Html {
  const { url, page } = report;
  const host = page?.host ?? report.host?.host;
  const has = versions.length > 0;
  return html`<p class="choices">${has && !isClosed && html`<a href="${ownLink('/cached', { url })}">Stored copy</a> `}${has && html`<a href="${ownLink('/versions', { url })}">${formatCount(versions.length)} ${versions.length === 1 ? 'version' : 'versions'}</a> `}${versions.length > 1 && html`<a href="${ownLink('/diff', { url })}">What changed</a> `}${host !== undefined && html`<a href="${ownLink('/host', { name: host, url })}">Host and robots.txt</a> <a href="${ownLink('/graph', { host })}">Link graph</a>`}</p>`;
}

function statusOf({ page, host, robots }: UrlReport): Html {
  const verdict = robots?.verdict;
  return factList([
    ['State', page === undefined ? 'never met' : STATES[page.state]],
    ['Last outcome', page?.outcome && formatOutcome(page.outcome)],
    ['HTTP status', page?.facts?.status],
    ['Visited', page?.visitedAt !== undefined && writtenMinute(page.visitedAt)],
    ['Next visit', page?.nextVisit !== undefined && writtenMinute(page.nextVisit)],
    ['Depth', page?.depth],
    ['Host', (page?.host ?? host?.host) !== undefined && hostLink(page?.host ?? host?.host ?? '')],
    verdict && [
      'robots.txt',
      html`<b class="${verdict.allowed ? 'good' : 'bad'}">${verdict.allowed ? 'allows it' : 'forbids it'}</b>: ${verdict.rule ?? 'no rule matches'}${verdict.line !== undefined && ` (line ${verdict.line})`}`,
    ],
  ]);
}

const STATES = {
  queued: 'waits',
  leased: 'is being fetched',
  done: 'visited',
  'refused-link': 'not admitted',
} as const;

function contentOf({ report, copy }: PageToShow): Html {
  const facts = report.page?.facts;
  const about = facts?.about;
  return factList([
    ['Type', facts && [facts.mediaType || 'unknown', facts.charset].filter(Boolean).join(', ')],
    ['Size', facts && formatSize(facts.bytes)],
    ['Answered in', facts && formatDuration(facts.fetchMs)],
    ['Title', about?.title ?? facts?.title],
    ['Description', about?.description],
    ['Authors', about?.authors?.join(', ')],
    ['Published', about?.published !== undefined && writtenMinute(about.published)],
    ['Modified', about?.modified !== undefined && writtenMinute(about.modified)],
    ['Last-Modified', facts?.lastModified],
    [
      'Language',
      about?.language !== undefined && [
        about.language,
        about.declaredLanguage !== undefined &&
          about.declaredLanguage !== about.language &&
          ` (declares ${about.declaredLanguage})`,
      ],
    ],
    ['Words', about && formatCount(about.words)],
    ['No text', about?.unreadable],
    ['Links', facts && formatCount(facts.linkCount)],
    ['Canonical', facts?.canonical],
    ['Directives', facts?.directives.join('; ')],
    ['Server', copy?.headers.find(([name]) => name.toLowerCase() === 'server')?.[1]],
  ]);
}

function wayHere({ path }: UrlReport): Html {
  return html`<ol class="way">${path.map(({ url, how, anchor }) => html`<li>${pageLink(url)} <small class="quiet">${how}${anchor !== undefined && html` “${anchor}”`}</small></li>`)}</ol>`;
}

function visits({ report, versions, isClosed }: PageToShow): Html {
  const history = report.page?.history ?? [];
  const rows = history
    .toReversed()
    .slice(0, VERSIONS_SHOWN)
    .map((entry) => {
      const { at, status } = entry;
      return [
        writtenSecond(at),
        status === undefined ? '–' : String(status),
        html`<span class="wrap">${formatOutcome(entry)}</span>`,
      ];
    });
  const copies = versions.toReversed().slice(0, VERSIONS_SHOWN);
  const { url } = report;
  return html`${dataTable(['When', { name: 'Status' }, 'Outcome'], rows)}
${history.length > rows.length && html`<p class="quiet">${formatCount(history.length - rows.length)} earlier visits.</p>`}
${copies.length > 0 && html`<h3>Copies in the archive</h3><ul class="plain">${copies.map((version) => html`<li>${isClosed ? writtenMinute(version.date) : html`<a href="${ownLink('/cached', { url, at: isoTime(version.date) })}">${writtenMinute(version.date)}</a>`} ${version.changed === 'same' ? 'unchanged' : version.changed === 'first' ? 'first copy' : 'changed'}</li>`)}</ul>`}`;
}

function duplicates({ page }: UrlReport, cluster: DuplicateCluster | undefined): Html | false {
  const of = page?.outcome?.kind === 'duplicate' ? page.outcome.of : undefined;
  const near = page?.facts?.nearDuplicateOf;
  if (of === undefined && near === undefined && cluster === undefined) return false;
  const members = (cluster?.members ?? []).filter(({ url }) => url !== page?.url);
  return html`${factList([
    of !== undefined && ['The same as', pageLink(of)],
    near !== undefined && [
      'Near to',
      html`${pageLink(near.url)} ${Math.round(near.jaccard * 100)} % of the text in common`,
    ],
    cluster !== undefined && ['Stands for all', pageLink(cluster.canonical)],
  ])}${members.length > 0 && html`<h3>${formatCount(members.length)} ${members.length === 1 ? 'page says' : 'pages say'} the same</h3><ul class="plain">${members.slice(0, MEMBERS_SHOWN).map(({ url, kind, jaccard }) => html`<li>${pageLink(url)} <small>${kind === 'near' ? `near: ${Math.round((jaccard ?? 0) * 100)} % in common` : kind === 'exact' ? 'the same bytes' : 'the first that had it'}</small></li>`)}</ul>${members.length > MEMBERS_SHOWN && html`<p class="quiet">${formatCount(members.length - MEMBERS_SHOWN)} more.</p>`}`}`;
}

function spam({ page, hostSpam, cloaked }: UrlReport): Html | false {
  const found = page?.facts?.spam;
  if (found === undefined && hostSpam === undefined && cloaked === undefined) return false;
  const signs = [
    ...(found?.signs ?? []).map((sign) => ({ ...sign, whose: 'page' })),
    ...(hostSpam?.signs ?? []).map((sign) => ({ ...sign, whose: 'host' })),
    ...(cloaked === undefined ? [] : [{ ...cloaked, whose: 'page' }]),
  ];
  const rows = signs.map(({ technique, weight, evidence, whose }) => [
    technique,
    whose,
    weight.toFixed(2),
    html`<span class="wrap">${evidence}</span>`,
  ]);
  return card(
    'Signs of spam',
    html`<p>${[found && `Page ${found.score.toFixed(2)}`, hostSpam && `host ${hostSpam.score.toFixed(2)}`].filter(Boolean).join(', ')}</p>${dataTable(['Technique', 'Of', { name: 'Weight' }, 'Evidence'], rows)}`,
  );
}

/** In the words of `orbweaver explain`. */
function explanation(report: UrlReport): Html {
  return factList(
    reportEntries(report).map(({ name, lines }) => [
      name,
      lines.map((line) => html`<div dir="auto">${line.trim()}</div>`),
    ]),
  );
}

function archived({ report, copy, isClosed }: PageToShow): Html | false {
  const location = report.page?.facts?.location;
  if (location === undefined && copy === undefined) return false;
  return html`${factList([
    location && ['File', html`<code>${location.file}</code>`],
    location && ['Offset', formatCount(location.offset)],
    location && ['Length', `${formatCount(location.length)} bytes`],
    ['Digest', report.page?.facts?.digest],
    copy && ['Fetched', writtenMinute(copy.date)],
  ])}${isClosed && html`<p class="quiet">The page asks that no copy of it is shown (noarchive).</p>`}
${
  copy !== undefined &&
  copy.headers.length > 0 &&
  html`<details><summary>Headers of the answer</summary>${dataTable(
    ['Header', 'Value'],
    copy.headers.slice(0, HEADERS_SHOWN).map(([name, value]) => [name, html`<span class="wrap">${value}</span>`]),
  )}</details>`
}`;
}

function mainText(text: string): Html {
  const lines = text
    .slice(0, TEXT_SHOWN)
    .split(/\n+/)
    .filter((line) => line.trim() !== '');
  return html`<div class="prose excerpt" tabindex="0" role="region" aria-label="Main text">${lines.map((line) => html`<p dir="auto">${line}</p>`)}</div>${text.length > TEXT_SHOWN && html`<p class="quiet">Its beginning; the stored copy has all of it.</p>`}`;
}
