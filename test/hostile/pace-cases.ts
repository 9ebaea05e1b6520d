import { drip, pour, repeated } from './byte-pour.ts';
import { BODY_BYTES, type HostileCase, REQUEST_SECONDS } from './hostile-case.ts';
import { head, message, page } from './hostile-message.ts';

const LINE = Buffer.from(`<p>${'drop by drop '.repeat(80)}</p>\n`);
const PIECE = Buffer.from('<p>a body that goes on and on and on and on and on</p>\n'.repeat(1000));

/** Answers that take for ever, or never end. */
export const PACE_CASES: readonly HostileCase[] = [
  {
    ...{ name: 'head-byte-by-byte', group: 'pace', bound: 'headers-timeout; host parked after 3' },
    expect: ['none', 'failed headers-timeout'],
    maxSeconds: REQUEST_SECONDS.headers,
    answer: (socket) => drip(socket, Buffer.from(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(5000)}`), 1000),
  },
  {
    ...{ name: 'body-byte-by-byte', group: 'pace', bound: 'min-rate' },
    expect: ['failed too-slow'],
    maxSeconds: REQUEST_SECONDS.body,
    answer: (socket) => {
      socket.write(head(['Content-Type: text/html']));
      drip(socket, LINE, 500, 1, true);
    },
  },
  {
    ...{ name: 'just-below-the-rate', group: 'pace', bound: 'min-rate' },
    expect: ['failed too-slow'],
    maxSeconds: REQUEST_SECONDS.body,
    answer: (socket) => {
      socket.write(head(['Content-Type: text/html']));
      drip(socket, LINE, 1000, 430, true);
    },
  },
  {
    ...{ name: 'just-above-the-rate', group: 'pace', bound: 'total-timeout; kept as truncated' },
    expect: ['stored'],
    maxSeconds: REQUEST_SECONDS.total,
    answer: (socket) => {
      socket.write(head(['Content-Type: text/html']));
      drip(socket, LINE, 250, 1000, true);
    },
  },
  {
    ...{ name: 'silent-in-the-body', group: 'pace', bound: 'min-rate or body-timeout' },
    expect: ['failed body-timeout', 'failed too-slow'],
    maxSeconds: REQUEST_SECONDS.body,
    answer: (socket) => void socket.write(message(page('half')).subarray(0, 300)),
  },
  {
    ...{ name: 'endless-headers', group: 'pace', bound: 'head of 64 KiB' },
    expect: ['failed headers-too-large'],
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      pour(socket, repeated(Buffer.from('X-More: and more and more\r\n'.repeat(500))));
    },
  },
  {
    ...{ name: 'endless-header-line', group: 'pace', bound: 'head of 64 KiB' },
    expect: ['failed headers-too-large'],
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ');
      pour(socket, repeated(Buffer.alloc(16_384, 'x')));
    },
  },
  {
    ...{ name: 'endless-1xx', group: 'pace', bound: 'head of 64 KiB, interim ones included' },
    expect: ['failed headers-too-large'],
    answer: (socket) =>
      pour(socket, repeated(Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(100)))),
  },
  {
    ...{ name: 'slow-1xx', group: 'pace', bound: 'headers-timeout; host parked after 3' },
    expect: ['none', 'failed headers-timeout'],
    maxSeconds: REQUEST_SECONDS.headers,
    answer: (socket) => drip(socket, Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), 1000, 25, true),
  },
  {
    ...{ name: 'endless-blank-lines', group: 'pace', bound: 'head of 64 KiB' },
    expect: ['failed headers-too-large', 'failed protocol'],
    answer: (socket) => pour(socket, repeated(Buffer.from('\r\n'.repeat(8000)))),
  },
  {
    ...{ name: 'endless-body', group: 'pace', bound: 'max-body; kept as truncated' },
    ...{ expect: ['stored', 'duplicate'], maxBytes: BODY_BYTES },
    answer: (socket) => {
      socket.write(head(['Content-Type: text/html']));
      pour(socket, repeated(PIECE));
    },
  },
  {
    ...{ name: 'endless-chunks', group: 'pace', bound: 'max-body; kept as truncated' },
    ...{ expect: ['stored', 'duplicate'], maxBytes: BODY_BYTES },
    answer: (socket) => {
      socket.write(head(['Content-Type: text/html', 'Transfer-Encoding: chunked']));
      pour(
        socket,
        repeated(Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')])),
      );
    },
  },
  {
    ...{ name: 'one-byte-chunks', group: 'pace', bound: 'max-body; kept as truncated' },
    ...{
      expect: ['stored', 'duplicate', 'failed too-slow'],
      maxBytes: 7 * BODY_BYTES,
      maxSeconds: REQUEST_SECONDS.total,
    },
    answer: (socket) => {
      socket.write(head(['Content-Type: text/html', 'Transfer-Encoding: chunked']));
      pour(socket, repeated(Buffer.from('1\r\nx\r\n'.repeat(4000))));
    },
  },
  {
    ...{ name: 'endless-chunk-extension', group: 'pace', bound: 'min-rate: no byte of a body comes' },
    expect: ['failed too-slow', 'failed body-timeout', 'failed protocol'],
    ...{ maxBytes: 64 * 1024 * 1024 * 1024, maxSeconds: REQUEST_SECONDS.body },
    answer: (socket) => {
      socket.write(head(['Content-Type: text/html', 'Transfer-Encoding: chunked']));
      socket.write('5;');
      pour(socket, repeated(Buffer.alloc(16_384, 'e')));
    },
  },
  {
    ...{ name: 'endless-trailer', group: 'pace', bound: 'head of 64 KiB' },
    expect: ['stored', 'failed too-slow', 'failed body-timeout', 'failed protocol', 'failed headers-too-large'],
    ...{ maxBytes: 64 * 1024 * 1024 * 1024, maxSeconds: REQUEST_SECONDS.body },
    answer: (socket) => {
      socket.write(head(['Content-Type: text/html', 'Transfer-Encoding: chunked']));
      socket.write('5\r\nhello\r\n0\r\n');
      pour(socket, repeated(Buffer.from('X-Trailer: more\r\n'.repeat(1000))));
    },
  },
  {
    ...{ name: 'endless-loose-chunk-line', group: 'pace', bound: 'lines of 1 KiB; what has come is kept' },
    expect: ['stored', 'failed too-slow', 'failed body-timeout', 'failed protocol'],
    ...{ maxBytes: 64 * 1024 * 1024 * 1024, maxSeconds: REQUEST_SECONDS.body },
    answer: (socket) => {
      socket.write(head(['Content-Type: text/html', 'Transfer-Encoding: chunked']));
      socket.write('5\nhello\n5;');
      pour(socket, repeated(Buffer.alloc(16_384, 'e')));
    },
  },
];
