import type { ReportAbout, ReportProgress } from '../../crawl/report/site/build-report.ts';
import { REPORT_VIEWS } from '../../crawl/report/site/report-views.ts';
import type { ReportLink, ReportPage } from '../../crawl/report/site/site-report.ts';
import { type Html, type HtmlPart, html } from '../frame/html.ts';
import { formatCount } from '../frame/written-amount.ts';
import { writtenMinute } from '../frame/written-date.ts';
import { columnChooser, filterForm } from './report-forms.ts';
import { type ReportRequest, reportLink } from './report-request.ts';
import { reportTable } from './report-table.ts';

/** All that a page of the report shows. */
export interface ShownReport {
  readonly request: ReportRequest;
  readonly page: ReportPage;
  readonly about: ReportAbout;
  /** URLs of each view, by its name. */
  readonly counts: ReadonlyMap<string, number>;
  /** Set while a newer one is being made. */
  readonly making?: ReportProgress;
  /** Why the last could not be made. */
  readonly fault?: string;
  /** Pages that link to the rows, by URL, where the view tells of them. */
  readonly holders: ReadonlyMap<string, readonly ReportLink[]>;
}

export function reportView(shown: ShownReport): Html {
  const { request, page, about, counts } = shown;
  const { view } = request.query;
  return html`<article class="report">
<header class="report-head"><h1>Site report</h1>
<p class="as-of">As of ${writtenMinute(about.madeAt)}${shown.making !== undefined && html`; a newer one is being made (${progress(shown.making)})`}.${shown.fault !== undefined && html` <span class="wrong">A newer one could not be made: ${shown.fault}</span>`}</p></header>
<nav class="report-views" aria-label="Views"><ul>${REPORT_VIEWS.map(
    ({ name, label }) =>
      html`<li><a href="${reportLink(request, { view: name, filters: [] })}"${name === view.name && html` aria-current="page"`}>${label} <span class="urls-in">${formatCount(counts.get(name) ?? 0)}</span></a></li>`,
  )}</ul></nav>
<div class="report-main">
<h2 id="view-title">${view.label}</h2>
<p class="meaning">${view.meaning}</p>
${!about.hasLinks && linksNote(view.needsLinks === true)}
<div class="tools">${filterForm(request)}${columnChooser(request)}</div>
<p class="found"><span>${amount(page)}</span> ${exports(request, about)}</p>
${page.rows.length > 0 && reportTable(shown)}
${pager(shown)}
</div>
</article>`;
}

/** The first report is being made: the page asks again by itself. */
export function makingView(making: ReportProgress | undefined, fault: string | undefined): Html {
  return html`<article class="report making">
<h1>Site report</h1>
${fault === undefined ? html`<p role="status">The report is being made: ${making === undefined ? 'it begins' : progress(making)}. This page shows it as soon as it is there.</p>` : html`<p class="wrong" role="alert">The report could not be made: ${fault}</p>`}
</article>`;
}

function progress({ stage, urls }: ReportProgress): string {
  const done = { reading: 'reading', linking: 'counting links', sorting: 'sorting' }[stage];
  return urls === 0 ? done : `${done}, ${formatCount(urls)} URLs`;
}

function linksNote(isNeeded: boolean): Html {
  const what = isNeeded
    ? 'This view needs the links between pages'
    : 'In-links and orphans need the links between pages';
  return html`<p class="note">${what}, which are gathered with the search index: <code>orbweaver index</code>.</p>`;
}

function amount({ total, skipped, rows }: ReportPage): HtmlPart {
  if (total === 0) return 'No URL matches.';
  if (rows.length === 0) return html`No more of ${formatCount(total)} URLs.`;
  if (rows.length === total) return html`${formatCount(total)} ${total === 1 ? 'URL' : 'URLs'}`;
  return html`${formatCount(skipped + 1)}–${formatCount(skipped + rows.length)} of ${formatCount(total)} URLs`;
}

/** What is seen, as a file: the same view, filters, sort and columns, and all rows. */
function exports(request: ReportRequest, { hasLinks }: ReportAbout): Html {
  const link = (path: string, per?: 'link'): string => reportLink(request, { path, ...(per && { per }) });
  return html`<span class="exports">Export: <a href="${link('/report.csv')}" download>CSV</a> <a href="${link('/report.jsonl')}" download>JSONL</a>${hasLinks && html` <a href="${link('/report.csv', 'link')}" download>CSV, a row per link</a>`}</span>`;
}

function pager({ request, page }: ShownReport): Html | false {
  const { rows, total, skipped } = page;
  const hasNext = skipped + rows.length < total && rows.length > 0;
  if (skipped === 0 && !hasNext) return false;
  const first = rows[0]?.key;
  const last = rows.at(-1)?.key;
  return html`<nav class="pager" aria-label="Pages">
${skipped > 0 && html`<a href="${reportLink(request)}">First</a>`}
${skipped > 0 && first !== undefined && html`<a rel="prev" href="${reportLink(request, { before: first })}">Previous</a>`}
${hasNext && last !== undefined && html`<a rel="next" href="${reportLink(request, { after: last })}">Next</a>`}
</nav>`;
}
