import type { ForeignCapture } from '../../contracts/foreign-capture.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import { type HttpHead, headerValue, parseHttpHead } from '../http-message.ts';
import { dechunk } from '../transfer-coding.ts';
import { ADDRESS_FIELD } from '../warc/visit-records.ts';
import { targetUri, type WarcRecord } from '../warc/warc-record.ts';

/** What a record of a foreign archive comes to. `skipped`: it is as it should be, but no answer for a URL. */
export type ReadRecord =
  | { readonly kind: 'capture'; readonly capture: Omit<ForeignCapture, 'path' | 'offset' | 'length'> }
  | { readonly kind: 'skipped'; readonly as: string }
  | { readonly kind: 'refused'; readonly why: string };

/** An answer as it came from the server, or would have. */
export interface ForeignAnswer {
  readonly httpVersion: string;
  readonly status: number;
  readonly statusText: string;
  readonly rawHeaders: readonly string[];
  /** Transfer coding undone, content coding kept. */
  readonly raw: Buffer;
  readonly address: string;
  /** What was asked for; the URL of its capture is the canonical one. */
  readonly askedFor?: string;
  readonly truncated?: 'length' | 'time' | 'disconnect';
}

/** No server sends more before the body. */
const LONGEST_HEAD = 1024 * 1024;
/** No browser takes more; a line of megabytes is no address. */
const LONGEST_URL = 16 * 1024;
/** Clocks go wrong; but what is dated later would count as newer than all that is fetched from now on. */
const LATEST_AHEAD_MS = 86_400_000;

export function readRecord(record: WarcRecord, urlOptions: UrlOptions): ReadRecord {
  const { type, fields } = record;
  if (type === 'continuation' || fields.get('WARC-Segment-Number') !== undefined)
    return { kind: 'refused', why: 'a part of a record that was cut into several, which are not put together' };
  if (type !== 'response' && type !== 'revisit' && type !== 'resource' && type !== 'conversion')
    return { kind: 'skipped', as: /^[a-z]{1,20}$/.test(type) ? type : 'unknown' };
  const target = targetUri(fields);
  if (target === undefined) return { kind: 'refused', why: `a ${type} without a WARC-Target-URI` };
  if (!isOfWeb(target)) return { kind: 'skipped', as: 'not of the web' };
  const url = normalizeUrl(target, urlOptions);
  if (url === undefined || url.length > LONGEST_URL) return { kind: 'refused', why: 'its URL is none, or too long' };
  const date = dateOf(fields.get('WARC-Date') ?? '');
  if (!(date >= 0)) return { kind: 'refused', why: 'it has no date that can be read' };
  if (date > Date.now() + LATEST_AHEAD_MS) return { kind: 'refused', why: 'its date lies in the future' };
  if (!record.whole && !holdsAnswer(record))
    return { kind: 'refused', why: 'the record is cut, or its length is wrong' };
  const digest = digestOf(fields.get('WARC-Payload-Digest'));
  const told = { url, date, ...(digest === undefined ? {} : { digest }) };
  if (type === 'resource' || type === 'conversion')
    return { kind: 'capture', capture: { ...told, kind: type, status: 200 } };
  const status = httpHeadOf(record.block)?.status ?? 0;
  if (type === 'revisit')
    return { kind: 'capture', capture: { ...told, kind: type, status, refersTo: referralOf(record, url, urlOptions) } };
  if (status < 100 || status > 599) return { kind: 'refused', why: 'a response without an HTTP status line' };
  return { kind: 'capture', capture: { ...told, kind: type, status } };
}

/** Undefined where the record does not hold one after all. */
export function answerOf(record: WarcRecord): ForeignAnswer | undefined {
  const { fields, block, type } = record;
  const address = fields.get('WARC-IP-Address') ?? '';
  const cut = record.cut ? 'length' : truncationOf(fields.get('WARC-Truncated'));
  const askedFor = [fields.get(ADDRESS_FIELD), targetUri(fields)].find(isAddress);
  const more = {
    address,
    ...(askedFor === undefined ? {} : { askedFor }),
    ...(cut === undefined ? {} : { truncated: cut }),
  };
  if (type === 'resource' || type === 'conversion') {
    const mediaType = (fields.get('Content-Type') ?? '').replaceAll(/[^ -~]+/g, ' ');
    const rawHeaders = mediaType === '' ? [] : ['Content-Type', mediaType];
    return { httpVersion: '1.1', status: 200, statusText: 'OK', rawHeaders, raw: block, ...more };
  }
  const http = httpHeadOf(block);
  if (http === undefined || http.status === 0) return undefined;
  const stored = block.subarray(http.length);
  const isChunked = /\bchunked\b/i.test(headerValue(http.rawHeaders, 'transfer-encoding') ?? '');
  const told = record.whole ? undefined : contentLength(http.rawHeaders);
  const [, httpVersion = '1.1', statusText = ''] = /^HTTP\/(\S+)\s+\d+\s*(.*)$/.exec(http.startLine) ?? [];
  const { status, rawHeaders } = http;
  const raw = isChunked ? dechunk(stored) : stored.subarray(0, told);
  return { httpVersion, status, statusText, rawHeaders, raw, ...more };
}

/** Whether links can count from it. */
function isAddress(target: string | undefined): boolean {
  return target !== undefined && isOfWeb(target) && target.length <= LONGEST_URL && URL.canParse(target);
}

function isOfWeb(target: string): boolean {
  return /^https?:/i.test(target);
}

/** Undefined where the head has no end within reason. */
function httpHeadOf(block: Buffer): HttpHead | undefined {
  const head = parseHttpHead(block.subarray(0, LONGEST_HEAD));
  return head?.length === LONGEST_HEAD ? undefined : head;
}

/** Which record has the body of a revisit record. */
function referralOf(record: WarcRecord, url: CanonicalUrl, urlOptions: UrlOptions): ForeignCapture['refersTo'] {
  const { fields } = record;
  const target = fields.get('WARC-Refers-To-Target-URI')?.replace(/^<(.*)>$/, '$1');
  const date = dateOf(fields.get('WARC-Refers-To-Date') ?? '');
  const digest = digestOf(fields.get('WARC-Payload-Digest'));
  return {
    url: (target === undefined ? undefined : normalizeUrl(target, urlOptions)) ?? url,
    ...(Number.isNaN(date) ? {} : { date }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** The length of its record is wrong, but by its own the answer is there as a whole. */
function holdsAnswer({ type, block }: WarcRecord): boolean {
  const http = type === 'response' ? httpHeadOf(block) : undefined;
  const length = http && contentLength(http.rawHeaders);
  return http !== undefined && length !== undefined && block.length - http.length >= length;
}

function contentLength(rawHeaders: readonly string[]): number | undefined {
  const told = headerValue(rawHeaders, 'content-length');
  return told !== undefined && /^\d{1,15}$/.test(told) ? Number(told) : undefined;
}

/** ClueWeb wrote the day of the year where that of the month belongs: 2008-10-294T05:21:46-0700. */
function dateOf(text: string): number {
  const date = Date.parse(text);
  if (!Number.isNaN(date)) return date;
  const found = /^(\d{4})-\d\d-(\d{2,3})T(.*)$/.exec(text);
  if (found === null || Number(found[2]) > 366) return Number.NaN;
  const day = new Date(Date.UTC(Number(found[1]), 0, Number(found[2]))).toISOString().slice(0, 10);
  return Date.parse(`${day}T${found[3]}`);
}

/** As written, but for the case of its letters, in which writers differ. */
function digestOf(text: string | undefined): string | undefined {
  return text === undefined || text.length > 200 ? undefined : text.toUpperCase();
}

function truncationOf(reason: string | undefined): ForeignAnswer['truncated'] {
  if (reason === undefined) return undefined;
  return reason === 'length' || reason === 'time' ? reason : 'disconnect';
}
