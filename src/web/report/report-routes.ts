import type { OrbweaverError } from '../../base/errors.ts';
import type { TableRow } from '../../contracts/site-report.ts';
import type { FolderReport, ReportState } from '../../crawl/report/site/folder-report.ts';
import { type ReportFormat, reportLines, writtenRow } from '../../crawl/report/site/report-lines.ts';
import { REPORT_VIEWS } from '../../crawl/report/site/report-views.ts';
import {
  LINK_COLUMNS,
  type ReportLink,
  type ReportPage,
  type SiteReport,
} from '../../crawl/report/site/site-report.ts';
import { messageReply } from '../frame/message-page.ts';
import { pageFrame } from '../frame/page-frame.ts';
import { DATA_POLICY, jsonReply, pageReply, type Reply } from '../http/reply.ts';
import type { WebRequest } from '../http/web-request.ts';
import { asBadRequest, type ReportRequest, reportLink, reportRequest } from './report-request.ts';
import { makingView, reportView } from './report-view.ts';

/** How soon a page that waits for its report asks again. */
const AGAIN_SECONDS = '2';
/** Views whose rows are mended on the pages that link to them. */
const WITH_HOLDERS: ReadonlySet<string> = new Set(['broken', 'redirects', 'chains']);
const HOLDERS_SHOWN = 3;

const TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
};

/** The site report: as a page, as JSON a page at a time, and as a file of all rows. */
export class ReportRoutes {
  readonly #source: FolderReport | undefined;
  readonly #name: string;

  constructor(source: FolderReport | undefined, name: string) {
    this.#source = source;
    this.#name = name;
  }

  async page(ask: WebRequest): Promise<Reply> {
    const request = reportRequest(ask);
    if (request.isForm) return { status: 303, headers: { location: reportLink(request) }, body: '' };
    if (this.#source === undefined) return this.#noCrawl();
    using lease = await this.#source.lease();
    const { report, making, fault } = lease;
    if (report === undefined) return this.#making(lease);
    const page = await pageOf(report, request);
    const content = reportView({
      ...{ request, page, about: report.about, holders: await holdersOf(report, request, page) },
      counts: new Map(REPORT_VIEWS.map((view) => [view.name, report.count(view)])),
      ...(making === undefined ? {} : { making }),
      ...(fault === undefined ? {} : { fault: faultText(fault) }),
    });
    return pageReply(this.#frame(content, `${request.query.view.label} · Site report`));
  }

  async json(ask: WebRequest): Promise<Reply> {
    const request = reportRequest(ask);
    if (this.#source === undefined) return jsonReply({ error: 'There is no crawl behind this index.' }, 404);
    using lease = await this.#source.lease();
    const { report, making } = lease;
    if (report === undefined) return withRetry(jsonReply({ error: 'The report is being made.', making }, 503));
    const { rows, total, skipped } = await pageOf(report, request);
    const { madeAt, hasLinks } = report.about;
    return jsonReply({
      ...{ view: request.query.view.name, madeAt: new Date(madeAt).toISOString(), hasLinks, total, skipped },
      rows: rows.map(({ values }) => writtenRow(values, request.query.columns)),
      // Where to read on, as "after".
      ...(skipped + rows.length < total && rows.length > 0 ? { next: rows.at(-1)?.key } : {}),
    });
  }

  /** All rows of what is seen. They are written as fast as they are read, some at a time. */
  async file(ask: WebRequest, format: ReportFormat): Promise<Reply> {
    const request = reportRequest(ask);
    if (this.#source === undefined) return this.#noCrawl();
    using lease = await this.#source.lease();
    if (lease.report === undefined) return withRetry(this.#making(lease));
    // Told now, not in the middle of the file.
    await pageOf(lease.report, { ...request, limit: 1 });
    const { view } = request.query;
    const file = `${this.#name.replace(/[^\w.-]+/g, '-')}-${view.name}${request.perLink ? '-links' : ''}.${format}`;
    return {
      status: 200,
      headers: {
        ...{ 'content-type': TYPES[format], 'cache-control': 'no-store', 'content-security-policy': DATA_POLICY },
        'content-disposition': `attachment; filename="${file}"`,
      },
      body: fileOf(this.#source, request, format),
    };
  }

  #making({ making, fault }: ReportState): Reply {
    const content = makingView(making, fault === undefined ? undefined : faultText(fault));
    const reply = pageReply(this.#frame(content, 'Site report'), fault === undefined ? 200 : 500);
    return { ...reply, headers: { ...reply.headers, refresh: AGAIN_SECONDS } };
  }

  #frame(content: ReturnType<typeof makingView>, title: string) {
    return pageFrame({
      title: `${title} · ${this.#name}`,
      name: this.#name,
      content,
      section: 'report',
      sheet: 'report',
    });
  }

  #noCrawl(): Reply {
    const text = 'There is no crawl behind this index: its documents were imported.';
    return messageReply(this.#name, 404, 'No site report', text);
  }
}

async function pageOf(report: SiteReport, request: ReportRequest): Promise<ReportPage> {
  const { query, limit, after, before } = request;
  // The key of a URL is needed, whether it is shown or not.
  const columns = query.columns.includes('url') ? query.columns : ['url', ...query.columns];
  try {
    return await report.page(
      { ...query, columns },
      { limit, ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) },
    );
  } catch (error) {
    throw asBadRequest(error);
  }
}

async function holdersOf(
  report: SiteReport,
  { query }: ReportRequest,
  { rows }: ReportPage,
): Promise<Map<string, readonly ReportLink[]>> {
  const holders = new Map<string, readonly ReportLink[]>();
  if (!WITH_HOLDERS.has(query.view.name) || !query.columns.includes('url')) return holders;
  for (const { values } of rows) {
    const url = String(values.url);
    const links: ReportLink[] = [];
    for await (const link of report.linksTo(url, HOLDERS_SHOWN)) links.push(link);
    holders.set(url, links);
  }
  return holders;
}

/** Has a lease of its own: the reply is read long after the request was answered. */
async function* fileOf(
  source: FolderReport,
  { query, perLink }: ReportRequest,
  format: ReportFormat,
): AsyncGenerator<string> {
  using lease = await source.lease();
  if (lease.report === undefined) return;
  const rows: AsyncIterable<TableRow> = perLink ? lease.report.linkRows(query) : lease.report.rows(query);
  yield* reportLines(format, perLink ? [...LINK_COLUMNS, ...query.columns] : query.columns, rows);
}

function withRetry(reply: Reply): Reply {
  return { ...reply, status: 503, headers: { ...reply.headers, 'retry-after': AGAIN_SECONDS } };
}

function faultText({ message, remedy }: OrbweaverError): string {
  return remedy === undefined ? message : `${message} ${remedy}`;
}
