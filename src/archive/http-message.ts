import { STATUS_CODES } from '../base/node-http.ts';
import type { ResponseHead } from '../contracts/fetcher.ts';
import { fieldLine, headEnd, parseFields } from './warc/warc-fields.ts';

export interface HttpHead {
  /** First line: `HTTP/1.1 200 OK` or `GET / HTTP/1.1`. */
  readonly startLine: string;
  /** Of a response; 0 when the first line has none. */
  readonly status: number;
  /** [name, value, name, value, ...], in order, duplicates kept. */
  readonly rawHeaders: readonly string[];
  /** Bytes of the head, empty line included. */
  readonly length: number;
}

/** Marks header lines that were true of the wire but are not true of what is stored. */
const ORIGINAL = 'X-Archive-Orig-';

/**
 * The head of a response as received, except for what would mislead a reader about the body stored after it:
 * the transfer coding is undone, so its header is renamed; a Content-Length that is not the length of the stored
 * body is renamed too, and a right one put in. Without `bodyLength` (revisits: no body follows) Content-Length is
 * left alone. HTTP/2 and later have no start line of their own and are written as HTTP/1.1.
 */
export function encodeResponseHead(head: ResponseHead, bodyLength: number | undefined): Buffer {
  const { rawHeaders } = head;
  let text = `${startLine(head)}\r\n`;
  // Some readers take the body of a response without any header for its headers.
  let lengthDoubtful = rawHeaders.length === 0;
  let lengthTold = false;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    let name = rawHeaders[at];
    const value = rawHeaders[at + 1];
    if (name.startsWith(':')) continue;
    if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      name = ORIGINAL + name;
      lengthDoubtful = true;
    } else if (bodyLength !== undefined && name.length === 14 && name.toLowerCase() === 'content-length') {
      if (value === String(bodyLength)) {
        lengthTold = true;
      } else {
        name = ORIGINAL + name;
        lengthDoubtful = true;
      }
    }
    text += fieldLine(name, value);
  }
  if (bodyLength !== undefined && lengthDoubtful && !lengthTold) text += fieldLine('Content-Length', bodyLength);
  return headerBytes(`${text}\r\n`);
}

/** The request as sent, its empty line ensured. */
export function encodeRequestHead(requestHead: string): Buffer {
  return headerBytes(`${requestHead.replace(/[\r\n]+$/, '')}\r\n\r\n`);
}

export function isBeyondHttp1(head: ResponseHead): boolean {
  return !head.httpVersion.startsWith('1');
}

/** Reads the head at the start of a block; undefined when there is none. */
export function parseHttpHead(block: Buffer): HttpHead | undefined {
  const end = headEnd(block);
  // A head may be all there is, and then a writer may have left out its empty line.
  const length = end === -1 ? block.length : end;
  const text = block.toString('latin1', 0, length);
  const lineEnd = text.indexOf('\n');
  const first = (lineEnd === -1 ? text : text.slice(0, lineEnd)).replace(/\r$/, '');
  if (!/^HTTP\/|^[A-Z]+ .* HTTP\//.test(first)) return undefined;
  const status = /^HTTP\/\S+\s+(\d{3})/.exec(first);
  return {
    startLine: first,
    status: status === null ? 0 : Number(status[1]),
    rawHeaders: lineEnd === -1 ? [] : parseFields(text.slice(lineEnd + 1)).flat(),
    length,
  };
}

/** All values of a header joined with ", "; undefined when it is absent. */
export function headerValue(rawHeaders: readonly string[], name: string): string | undefined {
  let joined: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at].length === name.length && rawHeaders[at].toLowerCase() === name) {
      joined = joined === undefined ? rawHeaders[at + 1] : `${joined}, ${rawHeaders[at + 1]}`;
    }
  }
  return joined;
}

function startLine(head: ResponseHead): string {
  if (isBeyondHttp1(head)) return `HTTP/1.1 ${head.status} ${STATUS_CODES[head.status] ?? ''}`;
  return `HTTP/${head.httpVersion} ${head.status} ${head.statusText.replace(/[\r\n]+/g, ' ')}`;
}

/** Header text holds one character per byte received; text that cannot be that is written as UTF-8. */
function headerBytes(text: string): Buffer {
  return Buffer.from(text, /[^\0-\xff]/.test(text) ? 'utf8' : 'latin1');
}
