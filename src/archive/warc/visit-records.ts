import type { ArchiveEntry } from '../../contracts/archive.ts';
import type { Exchange } from '../../contracts/fetcher.ts';
import { type Capture, REVISIT_MIME } from '../cdxj/cdxj-line.ts';
import { contentCodings } from '../content-coding.ts';
import { encodeRequestHead, encodeResponseHead, headerValue, isBeyondHttp1 } from '../http-message.ts';
import { sha1Base32 } from '../sha1-base32.ts';
import { fieldLine } from './warc-fields.ts';
import { encodeRecordHead, RECORD_END, recordId } from './warc-record.ts';

/** The records of one visit, not yet compressed. */
export interface VisitRecords {
  /** Whole, in pieces; likewise `metadata`. */
  readonly request?: Uint8Array[];
  readonly main: MainRecord;
  readonly metadata?: Uint8Array[];
  /** The text of the document. */
  readonly conversion?: Uint8Array[];
  /** The page as a browser has shown it, and its picture; or what a document that is not HTML was converted to. */
  readonly page?: Uint8Array[];
  readonly screenshot?: Uint8Array[];
  /** The index entry, but for the place. */
  readonly capture: Omit<Capture, 'file' | 'offset' | 'length'>;
}

/** The response, or the revisit that stands for it. */
export interface MainRecord {
  /** Head of the record and of the response. */
  readonly head: Uint8Array;
  /** The body as received; empty in a revisit. */
  readonly body: Uint8Array;
  /** Compressing the body again gains nothing. */
  readonly bodyIsCompressed: boolean;
}

/** A field of the response, or of its revisit: the record of the page as a browser has shown it. */
export const RENDERED_FIELD = 'X-Rendered-Record';
/** Likewise: the record of the page that the document was converted to. */
export const CONVERTED_FIELD = 'X-Converted-Record';
/** Likewise: what was asked for, where that was another spelling of its target. */
export const ADDRESS_FIELD = 'X-Requested-URI';
/** How the target of a picture begins; the URL of the page follows. */
export const SCREENSHOT = 'urn:screenshot:';
const NOTHING = new Uint8Array(0);
const PROFILES = 'http://netpreserve.org/warc/1.1/revisit/';
const COMPRESSED_TYPES =
  /^(?:image\/(?!svg|bmp|x-ms-bmp|vnd\.microsoft\.icon|x-icon|tiff)|video\/|audio\/(?!x?-?wav|x-aiff)|font\/woff|application\/(?:zip|gzip|x-gzip|x-7z-compressed|x-rar-compressed|vnd\.rar|x-bzip2|x-xz|zstd|epub\+zip|java-archive|vnd\.openxmlformats|vnd\.oasis\.opendocument))/;

export function visitRecords(entry: ArchiveEntry, uuid: () => string): VisitRecords {
  const { head, exchange, raw, body, truncated } = entry.result;
  const mainId = uuid();
  const pageField = entry.rendered === undefined ? CONVERTED_FIELD : RENDERED_FIELD;
  const page = entry.rendered ?? (entry.converted && { html: entry.converted, truncated: false });
  const pageId = page === undefined ? undefined : uuid();
  const mediaType = entry.mediaType.replace(/[^!-~]+/g, '');
  const date = exchange.date ?? exchange.startedAt;
  const isoDate = new Date(date).toISOString();
  const bodyDigest = withoutPrefix(entry.payloadDigest);
  // Digests of a record cover the payload with its content coding: that is what other tools check.
  const rawDigest = raw === body ? bodyDigest : (entry.rawDigest ?? sha1Base32(raw));
  const revisit = revisitFields(entry, rawDigest);
  const payload = revisit === undefined ? raw : NOTHING;
  const httpHead = encodeResponseHead(head, revisit === undefined ? raw.length : undefined);
  // A 304 says nothing about the payload itself: its digest is told only where it is known from the earlier visit.
  const digest = entry.profile === 'server-not-modified' && revisit ? entry.revisitOf?.payloadDigest : rawDigest;
  const decodedDigest = digest !== undefined && bodyDigest !== digest ? bodyDigest : undefined;

  const mainHead = encodeRecordHead({
    type: revisit === undefined ? 'response' : 'revisit',
    id: mainId,
    date: isoDate,
    contentType: 'application/http; msgtype=response',
    length: httpHead.length + payload.length,
    // Of a response the payload digest and the checksum of gzip tell enough; another pass over every body is not worth it.
    blockDigest: revisit === undefined ? undefined : sha1Base32(httpHead),
    fields: [
      ['WARC-Target-URI', entry.url],
      ['WARC-IP-Address', exchange.address || undefined],
      ['WARC-Protocol', isBeyondHttp1(head) ? `h${head.httpVersion.replace(/^h|\.0$/g, '')}` : undefined],
      ...(revisit ?? []),
      ['WARC-Payload-Digest', digest === undefined ? undefined : `sha1:${digest}`],
      ['X-Decoded-Payload-Digest', decodedDigest === undefined ? undefined : `sha1:${decodedDigest}`],
      ['WARC-Identified-Payload-Type', mediaType || undefined],
      ['WARC-Truncated', revisit === undefined ? truncated : undefined],
      [ADDRESS_FIELD, entry.address],
      [pageField, pageId === undefined ? undefined : recordId(pageId)],
    ],
  });

  return {
    request: exchange.requestHead === '' ? undefined : requestRecord(entry, isoDate, uuid(), mainId),
    main: {
      head: Buffer.concat([mainHead, httpHead]),
      body: payload,
      bodyIsCompressed:
        contentCodings(headerValue(head.rawHeaders, 'content-encoding')).length > 0 || COMPRESSED_TYPES.test(mediaType),
    },
    metadata: metadataRecord(entry, uuid(), mainId),
    ...(entry.text === undefined ? {} : { conversion: conversionRecord(entry, entry.text, uuid(), mainId) }),
    ...(page === undefined || pageId === undefined ? {} : { page: pageRecord(entry, page, pageId, mainId) }),
    ...(entry.screenshot === undefined
      ? {}
      : { screenshot: screenshotRecord(entry, entry.screenshot, uuid(), mainId) }),
    capture: {
      url: entry.url,
      date,
      mime: revisit === undefined ? mediaType : REVISIT_MIME,
      status: head.status,
      digest,
      bodyDigest: decodedDigest,
    },
  };
}

/** Undefined when the whole response must be written. */
function revisitFields(entry: ArchiveEntry, rawDigest: string): (readonly [string, string])[] | undefined {
  const { revisitOf, profile = 'identical-payload-digest' } = entry;
  if (revisitOf === undefined) return undefined;
  // The same text in another coding is not the same payload: a reader would pair these headers with those bytes.
  if (profile === 'identical-payload-digest' && (revisitOf.payloadDigest ?? rawDigest) !== rawDigest) return undefined;
  return [
    ['WARC-Profile', PROFILES + profile],
    ['WARC-Refers-To-Target-URI', revisitOf.url],
    ['WARC-Refers-To-Date', new Date(revisitOf.date).toISOString()],
  ];
}

function requestRecord(entry: ArchiveEntry, date: string, id: string, mainId: string): Uint8Array[] {
  const block = encodeRequestHead(entry.result.exchange.requestHead);
  const recordHead = encodeRecordHead({
    type: 'request',
    id,
    date,
    contentType: 'application/http; msgtype=request',
    length: block.length,
    blockDigest: sha1Base32(block),
    fields: [
      ['WARC-Target-URI', entry.url],
      ['WARC-IP-Address', entry.result.exchange.address || undefined],
      ['WARC-Concurrent-To', recordId(mainId)],
    ],
  });
  return [recordHead, block, RECORD_END];
}

function metadataRecord(entry: ArchiveEntry, id: string, mainId: string): Uint8Array[] | undefined {
  let text = '';
  for (const [name, value] of Object.entries(entry.metadata)) text += fieldLine(name, value);
  if (text === '') return undefined;
  const block = Buffer.from(text);
  const recordHead = encodeRecordHead({
    type: 'metadata',
    id,
    date: endDate(entry.result.exchange),
    contentType: 'application/warc-fields',
    length: block.length,
    blockDigest: sha1Base32(block),
    fields: [
      ['WARC-Target-URI', entry.url],
      ['WARC-Concurrent-To', recordId(mainId)],
    ],
  });
  return [recordHead, block, RECORD_END];
}

function conversionRecord(entry: ArchiveEntry, text: Uint8Array, id: string, mainId: string): Uint8Array[] {
  const recordHead = encodeRecordHead({
    type: 'conversion',
    id,
    date: endDate(entry.result.exchange),
    contentType: 'text/plain; charset=utf-8',
    length: text.length,
    blockDigest: undefined,
    fields: [
      ['WARC-Target-URI', entry.url],
      ['WARC-Refers-To', recordId(mainId)],
    ],
  });
  return [recordHead, text, RECORD_END];
}

function pageRecord(
  entry: ArchiveEntry,
  { html, truncated }: NonNullable<ArchiveEntry['rendered']>,
  id: string,
  mainId: string,
): Uint8Array[] {
  const recordHead = encodeRecordHead({
    type: 'conversion',
    id,
    date: endDate(entry.result.exchange),
    contentType: 'text/html; charset=utf-8',
    length: html.length,
    blockDigest: sha1Base32(html),
    fields: [
      ['WARC-Target-URI', entry.url],
      ['WARC-Refers-To', recordId(mainId)],
      ['WARC-Truncated', truncated ? 'length' : undefined],
      [ADDRESS_FIELD, entry.address],
    ],
  });
  return [recordHead, html, RECORD_END];
}

function screenshotRecord(entry: ArchiveEntry, picture: Uint8Array, id: string, mainId: string): Uint8Array[] {
  const recordHead = encodeRecordHead({
    type: 'resource',
    id,
    date: endDate(entry.result.exchange),
    contentType: 'image/jpeg',
    length: picture.length,
    blockDigest: sha1Base32(picture),
    fields: [
      ['WARC-Target-URI', `${SCREENSHOT}${entry.url}`],
      ['WARC-Concurrent-To', recordId(mainId)],
    ],
  });
  return [recordHead, picture, RECORD_END];
}

function withoutPrefix(digest: string): string {
  return digest.startsWith('sha1:') ? digest.slice(5) : digest;
}

function endDate({ startedAt, endedAt, date = startedAt }: Exchange): string {
  return new Date(date + endedAt - startedAt).toISOString();
}
