import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Certificate } from '../../src/simulate/server/self-signed-certificate.ts';
import { pour, repeated } from './byte-pour.ts';
import { BODY_BYTES, type HostileCase, REQUEST_SECONDS } from './hostile-case.ts';
import { page } from './hostile-message.ts';
import { secure } from './tls-cases.ts';

const DATA = 0;
const HEADERS = 1;
const RESET = 3;
const SETTINGS = 4;
const PUSH = 5;
const PING = 6;
const GOAWAY = 7;
const CONTINUATION = 9;
const END_STREAM = 1;
const END_HEADERS = 4;
const PREFACE_BYTES = 24;
/** In HPACK: `:status: 200`, and a content type of text/html. */
const OK = Buffer.concat([Buffer.from([0x88, 0x5f, 9]), Buffer.from('text/html')]);
const NOT_FOUND = Buffer.from([0x8d]);

/** A frame of HTTP/2. `length` where it is a lie. */
function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
  length = payload.length,
): Buffer {
  const start = Buffer.alloc(9);
  start.writeUIntBE(length, 0, 3);
  start[3] = type;
  start[4] = flags;
  start.writeUInt32BE(stream, 5);
  return Buffer.concat([start, payload]);
}

const BODY = Buffer.from(page('two'));
const ANSWER = (stream: number): Buffer =>
  Buffer.concat([frame(HEADERS, END_HEADERS, stream, OK), frame(DATA, END_STREAM, stream, BODY)]);
const FAILED = ['none', 'failed protocol', 'failed reset', 'failed headers-too-large', 'failed headers-timeout'];

/** What a server of HTTP/2 may do to its clients. robots.txt is answered in order, pages are not. */
export function http2Cases(trusted: Certificate): readonly HostileCase[] {
  const abuse = (
    name: string,
    act: (socket: TLSSocket, stream: number) => void,
    expect: readonly string[],
    bound: string,
    more: Partial<HostileCase> = {},
  ): HostileCase => {
    let requests = 0;
    return {
      ...{ name: `h2-${name}`, group: 'http2', scheme: 'https', bound, expect, maxSeconds: REQUEST_SECONDS.body },
      connect: (socket) => {
        speak(socket, trusted, (secured, stream) => {
          if (++requests === 1) secured.write(frame(HEADERS, END_HEADERS | END_STREAM, stream, NOT_FOUND));
          else act(secured, stream);
        });
      },
      ...more,
    };
  };
  const flood = (
    name: string,
    piece: (stream: number) => Buffer,
    expect: readonly string[],
    bound: string,
  ): HostileCase =>
    abuse(
      name,
      (socket, stream) => pour(socket, repeated(Buffer.concat(Array<Buffer>(200).fill(piece(stream))))),
      expect,
      bound,
      {
        maxBytes: Number.POSITIVE_INFINITY,
      },
    );
  return [
    abuse(
      'rapid-reset',
      (socket, stream) => void socket.write(frame(RESET, 0, stream, Buffer.from([0, 0, 0, 7]))),
      FAILED,
      'retries',
    ),
    flood('settings-flood', () => frame(SETTINGS, 0, 0, Buffer.from('000300000064', 'hex')), FAILED, 'headers-timeout'),
    flood('ping-flood', () => frame(PING, 0, 0, Buffer.alloc(8)), FAILED, 'headers-timeout'),
    flood(
      'empty-data-flood',
      (stream) => Buffer.concat([frame(DATA, 0, stream)]),
      FAILED,
      'data before headers is an error',
    ),
    abuse(
      'continuation-flood',
      (socket, stream) => {
        socket.write(frame(HEADERS, 0, stream, OK));
        pour(socket, repeated(frame(CONTINUATION, 0, stream, literal('x-more', 'y'.repeat(200)))));
      },
      FAILED,
      'header block of 64 KiB',
      { maxBytes: BODY_BYTES },
    ),
    abuse(
      'header-list',
      (socket, stream) => {
        socket.write(frame(HEADERS, 0, stream, OK));
        for (let i = 0; i < 2000; i++)
          socket.write(frame(CONTINUATION, i === 1999 ? END_HEADERS : 0, stream, literal(`x-${i}`, 'y'.repeat(500))));
        socket.write(frame(DATA, END_STREAM, stream, BODY));
      },
      FAILED,
      'header block of 64 KiB',
    ),
    abuse(
      'hpack-bomb',
      (socket, stream) => {
        const entry = Buffer.concat([
          Buffer.from([0x40, 1]),
          Buffer.from('x'),
          Buffer.from([0x7f, 0xa1, 0x1e]),
          Buffer.alloc(4000, 'v'),
        ]);
        const block = Buffer.concat([Buffer.from([0x88]), entry, Buffer.alloc(11_000, 0xbe)]);
        socket.write(frame(HEADERS, END_HEADERS, stream, block));
        socket.write(frame(DATA, END_STREAM, stream, BODY));
      },
      FAILED,
      'header block of 64 KiB',
    ),
    abuse(
      'header-table',
      (socket, stream) => {
        socket.write(frame(SETTINGS, 0, 0, Buffer.from('0001ffffffff', 'hex')));
        socket.write(ANSWER(stream));
      },
      ['stored', 'duplicate', ...FAILED],
      'the table is ours to size',
    ),
    abuse(
      'push-promise',
      (socket, stream) => {
        socket.write(
          frame(PUSH, END_HEADERS, stream, Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.from([0x82, 0x87, 0x84])])),
        );
        socket.write(ANSWER(stream));
      },
      ['stored', 'duplicate', ...FAILED],
      'pushes are refused',
    ),
    abuse('goaway-at-once', (socket) => void socket.write(frame(GOAWAY, 0, 0, Buffer.alloc(8))), FAILED, 'retries'),
    abuse('never-answers', () => {}, ['none', 'failed headers-timeout'], 'headers-timeout; host parked after 3'),
    abuse(
      'silent-in-the-body',
      (socket, stream) =>
        void socket.write(Buffer.concat([frame(HEADERS, END_HEADERS, stream, OK), frame(DATA, 0, stream, BODY)])),
      ['failed too-slow', 'failed body-timeout'],
      'min-rate or body-timeout',
    ),
    abuse(
      'empty-data-in-body',
      (socket, stream) => {
        socket.write(frame(HEADERS, END_HEADERS, stream, OK));
        pour(socket, repeated(Buffer.concat(Array<Buffer>(200).fill(frame(DATA, 0, stream)))));
      },
      ['failed too-slow', 'failed body-timeout', 'failed protocol', 'failed reset'],
      'min-rate',
      { maxBytes: Number.POSITIVE_INFINITY },
    ),
    abuse(
      'endless-body',
      (socket, stream) => {
        socket.write(frame(HEADERS, END_HEADERS, stream, OK));
        pour(socket, repeated(frame(DATA, 0, stream, Buffer.alloc(16_384, 'x'))));
      },
      ['stored', 'duplicate', ...FAILED],
      'flow control, max-body',
      { maxBytes: BODY_BYTES, maxSeconds: REQUEST_SECONDS.total },
    ),
    abuse(
      'frame-too-large',
      (socket, stream) => {
        socket.write(frame(HEADERS, END_HEADERS, stream, OK, 0xffffff));
        pour(socket, repeated(Buffer.alloc(16_384, 'x')));
      },
      FAILED,
      'frames of 16 KiB',
    ),
    abuse(
      'no-http2-after-all',
      (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'),
      FAILED,
      'the session ends',
    ),
    abuse('closes', (socket) => void socket.destroy(), FAILED, 'retries'),
  ];
}

/** A literal header field without indexing. */
function literal(name: string, value: string): Buffer {
  const length = (text: string): Buffer =>
    text.length < 127 ? Buffer.from([text.length]) : Buffer.from([127, ...varint(text.length - 127)]);
  return Buffer.concat([Buffer.from([0]), length(name), Buffer.from(name), length(value), Buffer.from(value)]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
}

/** Enough of a server to see that a request has come, and on which stream. */
function speak(
  socket: Socket,
  certificate: Certificate,
  onRequest: (secured: TLSSocket, stream: number) => void,
): void {
  const secured = secure(socket, certificate, { ALPNProtocols: ['h2'] });
  let received = Buffer.alloc(0);
  let begun = false;
  secured.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    if (!begun && received.length >= PREFACE_BYTES) {
      begun = true;
      received = received.subarray(PREFACE_BYTES);
      secured.write(frame(SETTINGS, 0, 0));
    }
    while (begun && received.length >= 9) {
      const length = received.readUIntBE(0, 3);
      if (received.length < 9 + length) return;
      const [type, flags] = [received[3], received[4]];
      const stream = received.readUInt32BE(5) & 0x7fffffff;
      received = received.subarray(9 + length);
      if (type === SETTINGS && (flags & 1) === 0) secured.write(frame(SETTINGS, 1, 0));
      if (type === HEADERS) onRequest(secured, stream);
    }
  });
}
