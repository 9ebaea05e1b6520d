import { answerOf, type ForeignAnswer } from '../../archive/foreign/foreign-record.ts';
import { headerValue } from '../../archive/http-message.ts';
import { readRecordAt } from '../../archive/warc/read-record-at.ts';
import { readWarc } from '../../archive/warc/warc-reader.ts';
import type { WarcRecord } from '../../archive/warc/warc-record.ts';
import type { Clock } from '../../base/clock.ts';
import type { Archive } from '../../contracts/archive.ts';
import type { Exchange, Fetcher, FetchRequest, FetchResult } from '../../contracts/fetcher.ts';
import type { ForeignCapture, ForeignCaptures } from '../../contracts/foreign-capture.ts';
import { type Decoded, decodeContent } from '../../fetch/body/content-decoding.ts';
import type { SizeCaps } from '../../fetch/body/size-caps.ts';
import { ReceivedHead } from '../../fetch/response-head.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import type { UrlOptions } from '../../url/url-options.ts';

export interface ArchiveFetcherParts {
  readonly captures: ForeignCaptures;
  readonly clock: Clock;
  readonly caps: Pick<SizeCaps, 'capFor'>;
  readonly urlOptions: UrlOptions;
  /** Output per byte of input, from which on a coded body is a bomb. */
  readonly maxRatio: number;
  /** Of longer records only so many bytes are read. */
  readonly keep: number;
  /** The copies of the folder itself: what was imported may be gone from where it came from. */
  readonly held?: Pick<Archive, 'get'>;
}

type Refused = Extract<FetchResult, { kind: 'refused' }>;

export const NOT_IN_ARCHIVE = 'not in the archive';
/** Records up to this length, compressed, are read at once. */
const AT_ONCE = 1024 * 1024;
/** A revisit of a revisit is a mistake, but one that can be followed. */
const MAX_REFERRALS = 4;

/**
 * Answers from foreign archives, and from nowhere else: it has no way out. A URL has the newest of its captures that is an answer of the
 * server; with `after`, the one that comes next.
 */
export class ArchiveFetcher implements Fetcher {
  readonly #parts: ArchiveFetcherParts;

  constructor(parts: ArchiveFetcherParts) {
    this.#parts = parts;
  }

  async fetch(request: FetchRequest): Promise<FetchResult> {
    const { url } = request;
    let result = refused(NOT_IN_ARCHIVE) as FetchResult;
    for (const capture of this.#captures(request)) {
      // An error says nothing of the rules, and nobody can be asked again.
      if (capture.status >= 429 && url.endsWith('/robots.txt')) return refused(`HTTP ${capture.status} in the archive`);
      const answer = await this.#answerOf(capture, MAX_REFERRALS);
      if ('kind' in answer) return answer;
      result = await this.#resultOf(request, capture, answer);
      // Where the page was asked for under another spelling: the answer to that is another capture of the same URL.
      if (!this.#leadsToItself(capture, answer)) return result;
    }
    return result;
  }

  /** The one that is wanted, and those that come after it. */
  *#captures({ url, after }: FetchRequest): Generator<ForeignCapture> {
    const { captures } = this.#parts;
    if (after === undefined) {
      const all = captures.of(url);
      const first = best(all);
      if (first !== undefined) yield first;
      yield* all.filter((one) => one !== first && one.status < 300).reverse();
      return;
    }
    let next = captures.next(url, after);
    for (; next !== undefined; next = captures.next(url, next.date)) yield next;
  }

  #leadsToItself({ url, status }: ForeignCapture, { askedFor = url, rawHeaders }: ForeignAnswer): boolean {
    const to = status >= 300 && status < 400 ? headerValue(rawHeaders, 'location') : undefined;
    const isItself = to !== undefined && normalizeUrl(to, this.#parts.urlOptions, askedFor) === url;
    return isItself && URL.parse(to, askedFor)?.href !== askedFor;
  }

  async close(): Promise<void> {
    this.#parts.captures[Symbol.dispose]();
  }

  async #answerOf(capture: ForeignCapture, hops: number): Promise<ForeignAnswer | Refused> {
    const record = await this.#read(capture);
    const own = record === undefined ? undefined : answerOf(record);
    if (capture.kind !== 'revisit')
      return own ?? (await this.#heldCopy(capture)) ?? refused(`its record in ${capture.path} cannot be read any more`);
    const original = hops === 0 ? undefined : this.#parts.captures.original(capture.refersTo ?? {});
    if (original === undefined || isSame(original, capture))
      return refused('the archive holds only that it was as before, and not the copy that this speaks of');
    const held = await this.#answerOf(original, hops - 1);
    // A 304, or a record without headers, speaks of the answer of then as a whole.
    if ('kind' in held || own === undefined || own.status === 304) return held;
    return { ...own, rawHeaders: withCodingOf(own.rawHeaders, held.rawHeaders), raw: held.raw };
  }

  async #heldCopy({ url, date }: ForeignCapture): Promise<ForeignAnswer | undefined> {
    const copy = await this.#parts.held?.get(url, date);
    if (copy?.date !== date) return undefined;
    const [, httpVersion = '1.1', statusText = ''] = /^HTTP\/(\S+)\s+\d+\s*(.*)$/.exec(copy.statusLine) ?? [];
    const { status, rawHeaders } = copy;
    const asked = copy.address === undefined ? {} : { askedFor: copy.address };
    return { httpVersion, status, statusText, rawHeaders, raw: Buffer.from(copy.raw), address: '', ...asked };
  }

  /** At once where it is short; a long one without ever holding more of it than is wanted. */
  async #read({ path, offset, length }: ForeignCapture): Promise<WarcRecord | undefined> {
    const { keep } = this.#parts;
    try {
      const record = length <= AT_ONCE ? await readRecordAt(path, offset, length, undefined, keep) : undefined;
      if (record !== undefined) return record;
      for await (const item of readWarc(path, { from: offset, to: offset + length, keep }))
        if (item.kind === 'record') return item.record;
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      return undefined;
    }
  }

  async #resultOf(request: FetchRequest, capture: ForeignCapture, answer: ForeignAnswer): Promise<FetchResult> {
    const { clock, caps, maxRatio } = this.#parts;
    const now = clock.now();
    const { address, askedFor = capture.url } = answer;
    // No request was made, and none is written down. The date is that of the capture.
    const exchange: Exchange = {
      ...{ startedAt: now, endedAt: now, date: capture.date, address, requestHead: '' },
      ...(askedFor === capture.url ? {} : { askedFor }),
    };
    const asStored = headOf(answer, answer.rawHeaders);
    const reason = request.wanted?.(asStored);
    if (reason !== undefined) return { kind: 'unwanted', head: asStored, exchange, reason };
    if (request.method === 'HEAD') {
      const nothing = new Uint8Array();
      return { kind: 'response', head: asStored, exchange, raw: nothing, body: nothing };
    }
    const cap = request.maxBytes ?? caps.capFor(asStored.header('content-type'));
    const raw = answer.raw.subarray(0, cap);
    const cut = raw.length < answer.raw.length ? 'length' : answer.truncated;
    await request.admit?.(raw.length);
    const coding = asStored.header('content-encoding');
    const decoded: Decoded =
      coding === undefined
        ? { kind: 'decoded', body: raw }
        : await decodeContent(raw, coding, { maxBytes: cap, maxRatio });
    if (decoded.kind === 'decoded') {
      const truncated = cut ?? decoded.truncated;
      const result = { kind: 'response', head: asStored, exchange, raw, body: decoded.body } as const;
      return truncated === undefined ? result : { ...result, truncated };
    }
    if (!isPlain(raw)) {
      const { code, detail } = decoded;
      return { kind: 'failed', code, detail, exchange, bytes: raw.length };
    }
    // Some writers store what they decoded under the headers that it came with.
    const head = headOf(answer, withCodingOf(answer.rawHeaders, []));
    const result = { kind: 'response', head, exchange, raw, body: raw } as const;
    return cut === undefined ? result : { ...result, truncated: cut };
  }
}

function headOf({ httpVersion, status, statusText }: ForeignAnswer, rawHeaders: readonly string[]): ReceivedHead {
  return new ReceivedHead(httpVersion, status, statusText, rawHeaders);
}

/** The newest that says something of the page; where there is none, the newest. */
function best(captures: readonly ForeignCapture[]): ForeignCapture | undefined {
  return captures.findLast(({ status }) => status < 400 || status === 404 || status === 410) ?? captures.at(-1);
}

function isSame(a: ForeignCapture, b: ForeignCapture): boolean {
  return a.path === b.path && a.offset === b.offset;
}

/** The body comes in the coding of its own record, so the headers must say that one. */
function withCodingOf(headers: readonly string[], original: readonly string[]): readonly string[] {
  const coding = headerValue(original, 'content-encoding');
  const kept = headers.filter((_, at) => headers[at & ~1].toLowerCase() !== 'content-encoding');
  return coding === undefined ? kept : [...kept, 'Content-Encoding', coding];
}

/** Text as it is read, without any coding. */
function isPlain(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 512).some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
}

function refused(rule: string): Refused {
  return { kind: 'refused', by: 'archive', rule };
}
