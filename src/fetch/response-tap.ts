import type { Socket } from 'node:net';
import type { FailureCode } from '../contracts/fetcher.ts';
import { LooseChunks } from './body/loose-chunks.ts';
import { type Framing, parseResponseHead, type ReceivedHead } from './response-head.ts';

/** Told what passes over an HTTP/1 connection while its request is under way. */
export interface TapListener {
  /** The request as written to the socket. */
  onRequestWritten(head: string): void;
  onHead(head: ReceivedHead, framing: Framing): void;
  onHeadFailure(code: FailureCode, detail: string): void;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Stands between an HTTP/1 socket and the HTTP client and reads each response head itself.
 *
 * Why: the client's parser refuses heads that every browser takes (bare line feeds, stray white space, odd lengths), and
 * hides the status line and the request as sent, which an archive must keep. The tap keeps the head as received and
 * hands on a plain one that says only how the body is framed. Body bytes pass uncopied, and untouched but for chunked
 * bodies with loose line ends.
 *
 * Invariants: between `expect` and the end of the head nothing reaches the client. What arrives after a complete response
 * and before the next `expect` closes the connection: it would be taken for the answer to the next request.
 */
export class ResponseTap {
  readonly #socket: Socket;
  readonly #readSocket: () => Buffer | null;
  readonly #maxHeadBytes: number;
  #listener: TapListener | undefined;
  #written: TapListener | undefined;
  /** Bytes of the head so far, and how many of them are known not to hold its end. */
  #pending: Buffer | undefined;
  #scanned = 0;
  /** Bytes of interim (1xx) heads, which count as well: there may be no end to them. */
  #interim = 0;
  /** What followed the head, or the body, in the same piece. */
  #rest: Buffer | undefined;
  /** Bytes of the body still to come, where its length is known. */
  #bodyLeft = Number.POSITIVE_INFINITY;
  /** Between a complete response and the next request. */
  #idle = false;
  /** Set while a chunked body passes: 'unknown' until its first line shows how its lines end. */
  #chunks: LooseChunks | 'unknown' | undefined;

  constructor(socket: Socket, maxHeadBytes: number) {
    this.#socket = socket;
    this.#maxHeadBytes = maxHeadBytes;
    this.#readSocket = socket.read.bind(socket);
    socket.read = () => this.#read();
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
    socket.write = ((chunk: unknown, ...more: unknown[]) => {
      if (this.#written !== undefined && typeof chunk === 'string') {
        this.#written.onRequestWritten(chunk);
        this.#written = undefined;
      }
      return write(chunk, ...more);
    }) as Socket['write'];
  }

  /** Bytes of an answer have come, but not yet its whole head. */
  get headBegun(): boolean {
    return this.#pending !== undefined;
  }

  /** The next request is about to be written; the next head is its answer. */
  expect(listener: TapListener): void {
    this.#idle = false;
    this.#bodyLeft = Number.POSITIVE_INFINITY;
    this.#chunks = undefined;
    this.#listener = listener;
    this.#written = listener;
    this.#pending = undefined;
    this.#scanned = 0;
    this.#interim = 0;
  }

  /** The client has the whole response; nothing may arrive before the next request. */
  finish(): void {
    this.#idle = true;
  }

  #read(): Buffer | null {
    let chunk = this.#rest ?? this.#readSocket();
    this.#rest = undefined;
    if (chunk !== null && (this.#idle || this.#bodyLeft === 0)) {
      this.#socket.destroy();
      return null;
    }
    while (chunk !== null && this.#listener !== undefined) {
      this.#pending = this.#pending === undefined ? chunk : Buffer.concat([this.#pending, chunk]);
      const plain = this.#takeHead(this.#listener);
      if (plain !== undefined) return plain;
      chunk = this.#readSocket();
    }
    return chunk === null ? null : this.#bodyPiece(chunk);
  }

  #bodyPiece(piece: Buffer): Buffer {
    if (piece.length > this.#bodyLeft) {
      this.#rest = piece.subarray(this.#bodyLeft);
      piece = piece.subarray(0, this.#bodyLeft);
    }
    this.#bodyLeft -= piece.length;
    if (this.#chunks === undefined) return piece;
    if (this.#chunks === 'unknown') this.#chunks = LooseChunks.looksLoose(piece) ? new LooseChunks() : undefined;
    return this.#chunks === undefined ? piece : this.#chunks.rewrite(piece);
  }

  /** The plain head once the final head is whole; undefined while more is needed. */
  #takeHead(listener: TapListener): Buffer | undefined {
    for (;;) {
      const pending = this.#pending as Buffer;
      const end = headEnd(pending, this.#scanned);
      if (end === -1) {
        this.#scanned = Math.max(0, pending.length - 2);
        if (pending.length + this.#interim > this.#maxHeadBytes) {
          return this.#fail(listener, 'headers-too-large', `more than ${this.#maxHeadBytes} bytes`);
        }
        return undefined;
      }
      if (end + this.#interim > this.#maxHeadBytes) {
        return this.#fail(listener, 'headers-too-large', `more than ${this.#maxHeadBytes} bytes`);
      }
      const start = headStart(pending);
      const parsed = parseResponseHead(pending.toString('latin1', start, end));
      if (parsed.kind === 'invalid') return this.#fail(listener, 'protocol', parsed.why);
      const { head, framing } = parsed;
      if (head.status === 101) return this.#fail(listener, 'protocol', 'protocol switched unasked');
      const rest = end < pending.length ? pending.subarray(end) : undefined;
      this.#pending = rest;
      this.#scanned = 0;
      if (head.status < 200) {
        this.#interim += end;
        if (rest === undefined) return undefined;
        continue;
      }
      this.#rest = rest;
      this.#pending = undefined;
      this.#listener = undefined;
      this.#chunks = framing.chunked ? 'unknown' : undefined;
      this.#bodyLeft = bodyLength(head.status, framing);
      listener.onHead(head, framing);
      return plainHead(head.status, framing);
    }
  }

  #fail(listener: TapListener, code: FailureCode, detail: string): undefined {
    this.#listener = undefined;
    this.#pending = undefined;
    listener.onHeadFailure(code, detail);
    return undefined;
  }
}

/** Blank lines before the status line are passed over. */
function headStart(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === CR || bytes[start] === LF) start++;
  return start;
}

/** Where the body begins: after the first empty line, whichever way its line ends are written; -1 when not yet here. */
function headEnd(bytes: Buffer, from: number): number {
  let lf = bytes.indexOf(LF, Math.max(from, headStart(bytes)));
  while (lf !== -1) {
    const next = bytes[lf + 1];
    if (next === LF) return lf + 2;
    if (next === CR && bytes[lf + 2] === LF) return lf + 3;
    lf = bytes.indexOf(LF, lf + 1);
  }
  return -1;
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

/** Infinite where only the body itself shows its end. */
function bodyLength(status: number, { chunked, contentLength }: Framing): number {
  if (isBodiless(status)) return 0;
  return chunked ? Number.POSITIVE_INFINITY : (contentLength ?? Number.POSITIVE_INFINITY);
}

function plainHead(status: number, framing: Framing): Buffer {
  let text = `HTTP/1.1 ${status} \r\n`;
  const bodiless = isBodiless(status);
  if (!bodiless) {
    if (framing.chunked) text += 'transfer-encoding: chunked\r\n';
    else if (framing.contentLength !== undefined) text += `content-length: ${framing.contentLength}\r\n`;
  }
  // A body sent with a status that has none would be taken for the next response.
  const framed = framing.chunked || (framing.contentLength ?? 0) > 0;
  if (!framing.keepAlive || (bodiless && framed)) text += 'connection: close\r\n';
  else if (framing.keepAliveSeconds !== undefined) text += `keep-alive: timeout=${framing.keepAliveSeconds}\r\n`;
  return Buffer.from(`${text}\r\n`, 'latin1');
}
