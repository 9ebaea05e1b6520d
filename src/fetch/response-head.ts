import type { ResponseHead } from '../contracts/fetcher.ts';

/** A response head as received. `rawHeaders` is latin1, to be written back unchanged; `header` reads UTF-8 where sent. */
export class ReceivedHead implements ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];

  constructor(httpVersion: string, status: number, statusText: string, rawHeaders: readonly string[]) {
    this.httpVersion = httpVersion;
    this.status = status;
    this.statusText = statusText;
    this.rawHeaders = rawHeaders;
  }

  header(name: string): string | undefined {
    const raw = this.rawHeaders;
    let found: string | undefined;
    for (let i = 0; i < raw.length; i += 2) {
      if (raw[i].length !== name.length || raw[i].toLowerCase() !== name) continue;
      found = found === undefined ? raw[i + 1] : `${found}, ${raw[i + 1]}`;
    }
    return found === undefined ? undefined : headerAsUtf8(found);
  }

  /** Every value of a header on its own, as in `rawHeaders`; Set-Cookie must not be joined. */
  headerValues(name: string): string[] {
    const raw = this.rawHeaders;
    const values: string[] = [];
    for (let i = 0; i < raw.length; i += 2) {
      if (raw[i].length === name.length && raw[i].toLowerCase() === name) values.push(raw[i + 1]);
    }
    return values;
  }
}

/** How the end of the body is told. */
export interface Framing {
  readonly chunked: boolean;
  /** Codings applied before chunking, in the order they were applied. */
  readonly transferCodings: readonly string[];
  readonly contentLength?: number;
  /** The connection can carry another request afterwards. */
  readonly keepAlive: boolean;
  /** Announced by the server: the connection is closed after this many idle seconds. */
  readonly keepAliveSeconds?: number;
}

export type ParsedHead =
  | { readonly kind: 'head'; readonly head: ReceivedHead; readonly framing: Framing }
  | { readonly kind: 'invalid'; readonly why: string };

const TRANSFER_CODINGS: ReadonlySet<string> = new Set(['chunked', 'gzip', 'x-gzip', 'deflate']);

const STATUS_LINE = /^HTTP\/(\d)(?:\.(\d))?[ \t]+([1-9]\d\d)(?:[ \t]+([^\r]*)|[ \t]*)$/i;

/**
 * Reads a head the way browsers do: line ends of either kind, stray white space, folded lines and lines that are no
 * headers are taken. What cannot be trusted is refused: NUL bytes, no status line, contradicting lengths.
 */
export function parseResponseHead(text: string): ParsedHead {
  if (text.includes('\0')) return { kind: 'invalid', why: 'NUL byte in the headers' };
  let end = text.indexOf('\n');
  if (end === -1) end = text.length;
  const status = STATUS_LINE.exec(withoutCr(text, 0, end));
  if (status === null) return { kind: 'invalid', why: 'no HTTP status line' };
  const minor = status[2] ?? '0';
  const version = status[1] === '1' ? `1.${minor}` : status[1];
  if (status[1] !== '1' && status[1] !== '2') return { kind: 'invalid', why: `HTTP version ${version}` };

  const rawHeaders: string[] = [];
  for (let at = end + 1; at < text.length; at = end + 1) {
    end = text.indexOf('\n', at);
    if (end === -1) end = text.length;
    readHeaderLine(text, at, end, rawHeaders);
  }
  return frame(new ReceivedHead(version, Number(status[3]), status[4] ?? '', rawHeaders));
}

function readHeaderLine(text: string, at: number, lineEnd: number, rawHeaders: string[]): void {
  const end = trimmedEnd(text, at, lineEnd);
  let start = at;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  if (start === end) return;
  if (start > at && rawHeaders.length > 0) {
    rawHeaders[rawHeaders.length - 1] += ` ${text.slice(start, end)}`;
    return;
  }
  const colon = text.indexOf(':', start);
  if (colon === -1 || colon >= end || colon === start) return;
  let value = colon + 1;
  while (value < end && isBlank(text.charCodeAt(value))) value++;
  rawHeaders.push(text.slice(start, trimmedEnd(text, start, colon)), text.slice(value, end));
}

function frame(head: ReceivedHead): ParsedHead {
  const connection = head.header('connection')?.toLowerCase();
  const transfer = head.header('transfer-encoding')?.toLowerCase();
  const lengths = head.headerValues('content-length');
  let keepAlive = head.httpVersion === '1.0' ? hasToken(connection, 'keep-alive') : !hasToken(connection, 'close');
  let chunked = false;
  let transferCodings: string[] = [];
  let contentLength: number | undefined;
  if (transfer !== undefined) {
    // What is no transfer coding says nothing: as in browsers, it is as if it were not there.
    const codings = listTokens(transfer).filter((coding) => TRANSFER_CODINGS.has(coding));
    chunked = codings.includes('chunked');
    // Chunking must be named once and last; any other order leaves open where the body ends.
    if (chunked && codings.indexOf('chunked') !== codings.length - 1) {
      return { kind: 'invalid', why: `Transfer-Encoding: ${transfer}` };
    }
    transferCodings = chunked ? codings.slice(0, -1) : codings;
    // Both framings at once is how responses are smuggled: believe the coding, and use the connection no more.
    if (lengths.length > 0) keepAlive = false;
  }
  if (!chunked && transferCodings.length === 0 && lengths.length === 1 && /^\d{1,15}$/.test(lengths[0])) {
    contentLength = Number(lengths[0]);
  } else if (!chunked && transferCodings.length === 0 && lengths.length > 0) {
    const distinct = new Set(lengths.flatMap(listTokens).map((length) => (/^\d+$/.test(length) ? Number(length) : -1)));
    if (distinct.size > 1) return { kind: 'invalid', why: 'contradicting Content-Length headers' };
    const [length] = distinct;
    if (length >= 0 && Number.isSafeInteger(length)) contentLength = length;
  }
  const hint = /timeout\s*=\s*"?(\d{1,6})/i.exec(head.header('keep-alive') ?? '');
  const keepAliveSeconds = hint === null ? undefined : Number(hint[1]);
  return { kind: 'head', head, framing: { chunked, transferCodings, contentLength, keepAlive, keepAliveSeconds } };
}

function listTokens(value: string): string[] {
  return value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
}

function hasToken(value: string | undefined, token: string): boolean {
  if (value === undefined) return false;
  return value === token || listTokens(value).includes(token);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** End of the text without the blanks and CRs before it; `trim` would also eat bytes of UTF-8 sequences. */
function trimmedEnd(text: string, start: number, end: number): number {
  while (end > start && (isBlank(text.charCodeAt(end - 1)) || text.charCodeAt(end - 1) === 0x0d)) end--;
  return end;
}

function withoutCr(text: string, start: number, end: number): string {
  return text.slice(start, trimmedEnd(text, start, end));
}

/** Text of one character per byte, read as UTF-8 where it is that. */
function headerAsUtf8(value: string): string {
  for (let i = 0; i < value.length; i++) {
    if (value.charCodeAt(i) < 0x80) continue;
    const decoded = Buffer.from(value, 'latin1').toString('utf8');
    return decoded.includes('\ufffd') ? value : decoded;
  }
  return value;
}
