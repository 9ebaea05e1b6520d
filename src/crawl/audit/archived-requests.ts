import { join } from 'node:path';
import { headerValue, parseHttpHead } from '../../archive/http-message.ts';
import { ADDRESS_FIELD } from '../../archive/warc/visit-records.ts';
import { parseFields, WarcFields } from '../../archive/warc/warc-fields.ts';
import { readWarc } from '../../archive/warc/warc-reader.ts';
import { targetUri, type WarcRecord } from '../../archive/warc/warc-record.ts';
import { parseRetryAfter } from '../../fetch/failure-table.ts';
import { parseHttpDate } from '../../fetch/http-date.ts';
import { type PolitenessNote, readPolitenessField } from './politeness-note.ts';

/** A request whose answer is archived. */
export interface ArchivedRequest {
  readonly url: string;
  /** When it was sent, and when the answer was over; ms since the epoch. */
  readonly at: number;
  readonly end: number;
  /** As the delay of the host followed from it. */
  readonly fetchMs: number;
  readonly status: number;
  readonly address: string;
  readonly agent: string;
  readonly retryAfterMs?: number;
}

/** What is known of a request before all records beside it are read. */
interface PendingRequest extends Mutable<ArchivedRequest> {
  retryAfter?: { readonly value: string; readonly sent?: number };
  /** What was asked for, where that was another spelling of the URL. */
  asked?: string;
}

export type AuditedItem =
  | { readonly kind: 'request'; readonly request: ArchivedRequest; readonly offset: number }
  /** What the crawl owed hosts from here on. */
  | { readonly kind: 'politeness'; readonly note: PolitenessNote }
  | { readonly kind: 'damage' };

/** More than the head of any request or answer. */
const KEEP = 128 * 1024;

/** The requests of one archive file, in write order. */
export async function* archivedRequests(folder: string, file: string): AsyncGenerator<AuditedItem> {
  let pending: PendingRequest | undefined;
  let offset = 0;
  for await (const item of readWarc(join(folder, file), { keep: KEEP })) {
    if (item.kind === 'damage') {
      yield { kind: 'damage' };
      continue;
    }
    const { record } = item;
    if (record.type === 'warcinfo') {
      const note = readPolitenessField(new WarcFields(parseFields(record.block.toString())));
      if (note !== undefined) yield { kind: 'politeness', note };
    } else if (record.type === 'request') {
      if (pending !== undefined) yield { kind: 'request', request: whole(pending), offset };
      pending = requestOf(record);
      offset = record.offset;
    } else if (pending !== undefined && targetUri(record.fields) === pending.url) complete(pending, record);
  }
  if (pending !== undefined) yield { kind: 'request', request: whole(pending), offset };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

function requestOf({ fields, block }: WarcRecord): PendingRequest | undefined {
  const url = targetUri(fields);
  const at = Date.parse(fields.get('WARC-Date') ?? '');
  if (url === undefined || Number.isNaN(at)) return undefined;
  const agent = headerValue(parseHttpHead(block)?.rawHeaders ?? [], 'user-agent') ?? '';
  return { ...{ url, at, end: at, fetchMs: 0, status: 0, agent }, address: fields.get('WARC-IP-Address') ?? '' };
}

/** What the records beside a request tell of it. */
function complete(request: PendingRequest, { type, fields, block }: WarcRecord): void {
  if (type === 'response' || type === 'revisit') {
    const head = parseHttpHead(block);
    const asked = fields.get(ADDRESS_FIELD);
    if (asked !== undefined) request.asked = asked;
    request.status = head?.status ?? 0;
    if (request.status !== 429 && request.status !== 503) return;
    const sent = parseHttpDate(headerValue(head?.rawHeaders ?? [], 'date') ?? '');
    const value = headerValue(head?.rawHeaders ?? [], 'retry-after');
    if (value !== undefined) request.retryAfter = { value, ...(sent === undefined ? {} : { sent }) };
  } else if (type === 'metadata') {
    const end = Date.parse(fields.get('WARC-Date') ?? '');
    if (end >= request.at) request.end = end;
    request.fetchMs = Number(new WarcFields(parseFields(block.toString())).get('fetchTimeMs') ?? 0);
  }
}

/** A date in Retry-After counts from the date of the answer, or from its end where it has none. */
function whole({ retryAfter, asked, ...known }: PendingRequest): ArchivedRequest {
  const request = asked === undefined ? known : { ...known, url: asked };
  if (retryAfter === undefined) return request;
  const retryAfterMs = parseRetryAfter(retryAfter.value, retryAfter.sent ?? request.end);
  return retryAfterMs === undefined ? request : { ...request, retryAfterMs };
}
