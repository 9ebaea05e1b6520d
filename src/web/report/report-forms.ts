import { REPORT_COLUMNS, reportColumn } from '../../crawl/report/site/report-columns.ts';
import { type Html, html } from '../frame/html.ts';
import { type ReportRequest, reportLink } from './report-request.ts';

/** As the form sends them, and as people say them. */
const SIGNS: readonly (readonly [string, string])[] = [
  ['=', 'is'],
  ['!=', 'is not'],
  ['~', 'contains'],
  ['!~', 'does not contain'],
  ['^=', 'begins with'],
  ['>=', 'at least'],
  ['<=', 'at most'],
  ['none', 'is missing'],
  ['some', 'is there'],
];

/** Filters that are on, each with a way to take it off, and one more. */
export function filterForm(request: ReportRequest): Html {
  const { filters } = request;
  return html`<div class="filters">
${
  filters.length > 0 &&
  html`<ul class="on" aria-label="Filters">${filters.map((filter, at) => {
    const rest = filters.filter((_, other) => other !== at);
    return html`<li><span dir="auto">${filter}</span> <a href="${reportLink(request, { filters: rest })}" aria-label="Remove the filter ${filter}">×</a></li>`;
  })}</ul>`
}
<form action="/report" method="get" class="filter" aria-label="Filter">${hidden(request)}
${request.columns !== undefined && html`<input type="hidden" name="columns" value="${request.columns.join(',')}">`}
<label class="hidden" for="fc">Column</label><select id="fc" name="fc">${REPORT_COLUMNS.filter(
    ({ derived }) => derived !== true,
  ).map(({ name, label }) => html`<option value="${name}">${label}</option>`)}</select>
<label class="hidden" for="fo">Comparison</label><select id="fo" name="fo">${SIGNS.map(
    ([sign, words]) => html`<option value="${sign}"${sign === '~' && html` selected`}>${words}</option>`,
  )}</select>
<label class="hidden" for="fv">Value</label><input id="fv" name="fv" type="text" maxlength="500" placeholder="shop, 4xx, 200k, 2026-11-15" autocomplete="off" autocapitalize="off" spellcheck="false">
<button type="submit">Filter</button></form></div>`;
}

export function columnChooser(request: ReportRequest): Html {
  const shown = new Set(request.query.columns);
  return html`<details class="columns"><summary>Columns</summary>
<form action="/report" method="get">${hidden(request)}
<ul>${REPORT_COLUMNS.map(
    ({ name, label, meaning }) =>
      html`<li><label title="${meaning}"><input type="checkbox" name="column" value="${name}"${shown.has(name) && html` checked`}> ${label}</label></li>`,
  )}</ul>
<button type="submit">Show these</button> <a href="${withoutColumns(request)}">Those of the view</a></form></details>`;
}

function withoutColumns({ columns: _columns, ...request }: ReportRequest): string {
  return reportLink(request);
}

function hidden({ query, filters, sort }: ReportRequest): Html {
  return html`<input type="hidden" name="view" value="${query.view.name}">${filters.map(
    (filter) => html`<input type="hidden" name="filter" value="${filter}">`,
  )}${sort !== undefined && reportColumn(sort.replace(/^-/, '')) !== undefined && html`<input type="hidden" name="sort" value="${sort}">`}`;
}
