import type { TableRow } from '../../contracts/site-report.ts';
import { type ReportColumn, reportColumn } from '../../crawl/report/site/report-columns.ts';
import type { ReportLink, ReportPage } from '../../crawl/report/site/site-report.ts';
import { type Html, type HtmlPart, html } from '../frame/html.ts';
import { outerLink, ownLink, readableAddress } from '../frame/links.ts';
import { oneLineAddress } from '../frame/one-line-address.ts';
import { formatCount, formatDuration, formatSize } from '../frame/written-amount.ts';
import { isoTime, isTime } from '../frame/written-date.ts';
import { type ReportRequest, reportLink } from './report-request.ts';

/** Columns that hold an address. */
const ADDRESSES: ReadonlySet<string> = new Set(['url', 'canonical', 'redirectsTo', 'finalUrl', 'duplicateOf']);

interface ShownRows {
  readonly request: ReportRequest;
  readonly page: ReportPage;
  /** Pages that link to the rows, by URL, where the view tells of them. */
  readonly holders: ReadonlyMap<string, readonly ReportLink[]>;
}

export function reportTable({ request, page, holders }: ShownRows): Html {
  const columns = request.query.columns.flatMap((name) => reportColumn(name) ?? []);
  return html`<div class="scroll" role="region" aria-labelledby="view-title" tabindex="0">
<table class="urls">
<thead><tr>${columns.map((column) => headView(column, request))}</tr></thead>
<tbody>${page.rows.map(
    ({
      values,
    }) => html`<tr>${columns.map((column) => cellView(column, values, holders.get(String(values.url)) ?? []))}</tr>
`,
  )}</tbody>
</table>
</div>`;
}

function headView(column: ReportColumn, request: ReportRequest): Html {
  const { name, label, meaning, derived } = column;
  const numeric = column.kind === 'number' && html` class="amount"`;
  if (derived === true) return html`<th scope="col" title="${meaning}"${numeric}>${label}</th>`;
  const { sort } = request.query;
  const isSorted = sort.column === name;
  const descending = isSorted && sort.descending === true;
  // Of numbers and times the greatest are asked for first.
  const isUpFirst = column.kind === 'text' || column.kind === 'word';
  const next = isSorted ? (descending ? name : `-${name}`) : isUpFirst ? name : `-${name}`;
  const state = isSorted && html` aria-sort="${descending ? 'descending' : 'ascending'}"`;
  return html`<th scope="col"${numeric}${state}><a href="${reportLink(request, { sort: next })}" title="${meaning}">${label}${isSorted && html`<span class="arrow" aria-hidden="true"> ${descending ? '▼' : '▲'}</span>`}</a></th>`;
}

function cellView(column: ReportColumn, values: TableRow, links: readonly ReportLink[]): Html {
  const { name, kind } = column;
  const value = values[name];
  if (value === undefined) return html`<td class="none"></td>`;
  if (name === 'url')
    return html`<td class="address">${addressView(String(value))}${links.length > 0 && holdersView(links, values)}</td>`;
  if (ADDRESSES.has(name)) return html`<td class="address">${addressView(String(value))}</td>`;
  if (kind === 'time') return html`<td class="when">${timeView(Number(value))}</td>`;
  if (kind === 'number') return html`<td class="amount">${numberView(column, Number(value))}</td>`;
  const mark = name === 'outcome' && (value === 'gone' || value === 'failed') ? ' wrong' : '';
  return html`<td class="${kind === 'text' ? 'words' : 'word'}${mark}"><span dir="auto" title="${String(value)}">${String(value)}</span></td>`;
}

/** Leads to all that is known of the page; the arrow to the page itself. */
function addressView(url: string): Html {
  const { host, path } = readableAddress(url);
  const text = path.length === 0 ? `${host}/` : [host, ...path].join('/');
  const outer = outerLink(url);
  return html`<span class="both"><a href="${ownLink('/page', { url })}">${oneLineAddress(text, url)}</a>${outer !== undefined && html` <a class="out" href="${outer}" rel="noreferrer nofollow" title="Open ${url}" aria-label="Open the page itself">↗</a>`}</span>`;
}

/** The pages to be mended. */
function holdersView(links: readonly ReportLink[], { url, inLinks }: TableRow): Html {
  const more = typeof inLinks === 'number' ? inLinks - links.length : 0;
  return html`<div class="holders">linked from <ul>${links.map(
    ({ from, text }) => html`<li>${addressView(from)}${text.trim() !== '' && html` <q dir="auto">${text}</q>`}</li>`,
  )}${more > 0 && html`<li><a href="${ownLink('/page', { url: String(url) })}">${formatCount(more)} more</a></li>`}</ul></div>`;
}

function timeView(time: number): HtmlPart {
  if (!isTime(time)) return undefined;
  const iso = isoTime(time);
  return html`<time datetime="${iso}" title="${iso}">${iso.slice(0, 10)} <small>${iso.slice(11, 16)}</small></time>`;
}

function numberView({ name, unit }: ReportColumn, value: number): string {
  if (unit === 'bytes') return formatSize(value);
  if (unit === 'ms') return formatDuration(value);
  return name === 'status' || name === 'finalStatus' ? String(value) : formatCount(value);
}
