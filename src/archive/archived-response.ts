import type { ArchivedDocument } from '../contracts/archive.ts';
import { type Capture, REVISIT_MIME } from './cdxj/cdxj-line.ts';
import { contentCodings, decodeContent } from './content-coding.ts';
import { headerValue, parseHttpHead } from './http-message.ts';
import { dechunk } from './transfer-coding.ts';
import { ADDRESS_FIELD, CONVERTED_FIELD, RENDERED_FIELD } from './warc/visit-records.ts';
import { targetUri, type WarcRecord } from './warc/warc-record.ts';

/** What a revisit record refers to. */
export interface Referral {
  readonly url: string;
  readonly date: number;
  /** Base32 SHA-1 of the payload, content coding kept. */
  readonly digest: string | undefined;
}

/** A response or revisit record, understood. A revisit has no body of its own. */
export interface ArchivedResponse {
  readonly document: ArchivedDocument;
  readonly refersTo?: Referral;
}

/** Undefined for records of other types and for blocks that are no HTTP response. */
export function archivedResponse(record: WarcRecord, file: string): ArchivedResponse | undefined {
  if (record.type !== 'response' && record.type !== 'revisit') return undefined;
  const http = parseHttpHead(record.block);
  const url = targetUri(record.fields);
  if (http === undefined || http.status === 0 || url === undefined) return undefined;
  const stored = record.block.subarray(http.length);
  const chunked = /\bchunked\b/i.test(headerValue(http.rawHeaders, 'transfer-encoding') ?? '');
  const raw = chunked ? dechunk(stored) : stored;
  const address = record.fields.get(ADDRESS_FIELD);
  const document: ArchivedDocument = {
    url,
    date: Date.parse(record.fields.get('WARC-Date') ?? ''),
    status: http.status,
    statusLine: http.startLine,
    rawHeaders: http.rawHeaders,
    raw,
    body: decodeContent(raw, contentCodings(headerValue(http.rawHeaders, 'content-encoding'))),
    location: { file, offset: record.offset, length: record.length },
    ...(address === undefined || !URL.canParse(address) ? {} : { address }),
    ...(record.fields.get(RENDERED_FIELD) === undefined ? {} : { isRendered: true as const }),
    ...(record.fields.get(CONVERTED_FIELD) === undefined ? {} : { isConverted: true as const }),
  };
  return record.type === 'revisit' ? { document, refersTo: referralOf(record, url) } : { document };
}

/** The visit of a revisit record with the body of the visit it refers to. */
export function withBodyOf(revisit: ArchivedDocument, original: ArchivedDocument): ArchivedDocument {
  return {
    ...revisit,
    rawHeaders: withContentCodingOf(revisit.rawHeaders, original.rawHeaders),
    raw: original.raw,
    body: original.body,
  };
}

/** The visit as a browser has shown it, or as it was converted. */
export function asShown({ rawHeaders, ...document }: ArchivedDocument, html: Uint8Array): ArchivedDocument {
  const kept = rawHeaders.filter((_, at) => !/^content-(?:type|encoding|length)$/i.test(rawHeaders[at & ~1]));
  return { ...document, rawHeaders: [...kept, 'Content-Type', 'text/html; charset=utf-8'], raw: html, body: html };
}

/** The index entry of a response or revisit record: the same that was written beside it. */
export function captureOf(record: WarcRecord, file: string): Capture | undefined {
  const understood = archivedResponse(record, file);
  if (understood === undefined) return undefined;
  const { url, date, status } = understood.document;
  return {
    url,
    date,
    status,
    mime: record.type === 'revisit' ? REVISIT_MIME : (record.fields.get('WARC-Identified-Payload-Type') ?? ''),
    digest: sha1Of(record, 'WARC-Payload-Digest'),
    bodyDigest: sha1Of(record, 'X-Decoded-Payload-Digest'),
    file,
    offset: record.offset,
    length: record.length,
  };
}

function referralOf(record: WarcRecord, url: string): Referral {
  return {
    url: record.fields.get('WARC-Refers-To-Target-URI') ?? url,
    date: Date.parse(record.fields.get('WARC-Refers-To-Date') ?? ''),
    digest: sha1Of(record, 'WARC-Payload-Digest'),
  };
}

/** The body comes in the coding of the first visit, so the headers must say that one. A 304 says none at all. */
function withContentCodingOf(headers: readonly string[], original: readonly string[]): readonly string[] {
  const coding = headerValue(original, 'content-encoding');
  if (headerValue(headers, 'content-encoding') === coding) return headers;
  const kept = headers.filter((_, at) => headers[at & ~1].toLowerCase() !== 'content-encoding');
  return coding === undefined ? kept : [...kept, 'Content-Encoding', coding];
}

function sha1Of(record: WarcRecord, field: string): string | undefined {
  const value = record.fields.get(field);
  return value?.startsWith('sha1:') ? value.slice(5) : undefined;
}
