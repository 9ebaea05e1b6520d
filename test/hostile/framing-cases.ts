import type { HostileCase } from './hostile-case.ts';
import { head, message, page } from './hostile-message.ts';

const BODY = page('framed');
const TYPE = 'Content-Type: text/html';

/** A reply sent in one go; the connection is then closed where `closes`. */
function reply(
  name: string,
  bytes: Buffer | string,
  expect: readonly string[],
  bound = 'files the response by its framing',
  closes = true,
): HostileCase {
  return {
    ...{ name, group: 'framing', bound, expect },
    answer: (socket) => {
      if (closes) socket.end(bytes);
      else socket.write(bytes);
    },
  };
}

/** Responses whose parts contradict each other. */
export const FRAMING_CASES: readonly HostileCase[] = [
  reply('length-too-long', Buffer.concat([head([TYPE, 'Content-Length: 999999']), Buffer.from(BODY)]), [
    'stored',
    'duplicate',
  ]),
  reply('length-too-short', Buffer.concat([head([TYPE, 'Content-Length: 40']), Buffer.from(BODY)]), [
    'stored',
    'duplicate',
  ]),
  reply('length-negative', Buffer.concat([head([TYPE, 'Content-Length: -5']), Buffer.from(BODY)]), ['any']),
  reply('length-overflow', Buffer.concat([head([TYPE, `Content-Length: ${'9'.repeat(40)}`]), Buffer.from(BODY)]), [
    'any',
  ]),
  reply(
    'lengths-that-differ',
    Buffer.concat([head([TYPE, 'Content-Length: 5', 'Content-Length: 50']), Buffer.from(BODY)]),
    ['failed protocol'],
  ),
  reply(
    'length-and-chunks',
    `HTTP/1.1 200 OK\r\n${TYPE}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    ['stored', 'duplicate'],
  ),
  reply(
    'chunks-not-last',
    `HTTP/1.1 200 OK\r\n${TYPE}\r\nTransfer-Encoding: chunked, gzip\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    ['failed protocol'],
  ),
  reply(
    'chunk-size-overflow',
    `HTTP/1.1 200 OK\r\n${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nhello\r\n`,
    ['failed protocol'],
  ),
  reply('chunk-size-no-number', `HTTP/1.1 200 OK\r\n${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n`, [
    'failed protocol',
  ]),
  reply(
    'chunk-shorter-than-said',
    `HTTP/1.1 200 OK\r\n${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhello\r\n0\r\n\r\n`,
    ['stored', 'duplicate', 'failed protocol', 'failed reset'],
  ),
  reply('no-status-line', '<html><body>HTTP/0.9</body></html>', ['failed protocol']),
  reply('binary-noise', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919 + (i >> 3)) & 255)), [
    'failed protocol',
    'failed headers-too-large',
  ]),
  reply('status-999', message(BODY, [], '999 Request denied'), ['failed http-999']),
  reply('status-000', message(BODY, [], '000 Nothing'), ['failed protocol']),
  reply('http-9', Buffer.from(`HTTP/9.9 200 OK\r\n${TYPE}\r\n\r\n${BODY}`), ['failed protocol']),
  reply(
    'unasked-101',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x05hello',
    ['failed protocol'],
    'a change of protocol nobody asked for',
    false,
  ),
  reply('nul-in-header', `HTTP/1.1 200 OK\r\n${TYPE}\r\nX-Nul: a\0b\r\nContent-Length: 5\r\n\r\nhello`, [
    'failed protocol',
  ]),
  reply(
    'unasked-304',
    'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n',
    ['failed http-304'],
    'there is no earlier copy',
    false,
  ),
  reply('unasked-206', message(page('partial'), ['Content-Range: bytes 0-9/1000000'], '206 Partial Content'), ['any']),
];

const HUGE = 'm'.repeat(40_000);
const MANY = Array.from({ length: 2500 }, (_, i) => `X-Header-${i}: ${i}`);

/** Heads that are legal, or nearly so, and monstrous. */
export const HEADER_CASES: readonly HostileCase[] = [
  header('header-count', MANY, ['stored'], 'head of 64 KiB'),
  header('header-bomb', [...MANY, ...MANY, ...MANY], ['failed headers-too-large'], 'head of 64 KiB'),
  header(
    'header-injection',
    ['X-A: 1\r\r\nSet-Cookie: injected=1', 'Content-Type\r: text/html'],
    ['any'],
    'lines are read as browsers read them',
  ),
  header(
    'set-cookie-bomb',
    Array.from({ length: 1500 }, (_, i) => `Set-Cookie: c${i}=${'v'.repeat(20)}`),
    ['stored'],
    'head of 64 KiB; cookies are off by default',
  ),
  header('etag-monster', [`ETag: "${HUGE}"`], ['stored'], 'head of 64 KiB'),
  header('link-monster', [`Link: ${'<https://x.test/>; rel=hub, '.repeat(1300)}`], ['stored'], 'head of 64 KiB'),
  header('robots-tag-monster', [`X-Robots-Tag: ${'otherbot: noindex, '.repeat(2000)}`], ['any'], 'head of 64 KiB'),
  header(
    'date-nonsense',
    ['Date: Thu, 99 Foo 99999 99:99:99 XYZ', 'Last-Modified: 12345678901234567890', 'Expires: -1'],
    ['stored'],
    'dates that are none are ignored',
  ),
  header(
    'date-in-year-one',
    ['Date: Mon, 01 Jan 0001 00:00:00 GMT', 'Last-Modified: Fri, 31 Dec 9999 23:59:59 GMT'],
    ['stored'],
    'dates are not believed',
  ),
  header('type-nonsense', [`Content-Type: ${'/;=,"'.repeat(2000)}`], ['any'], 'the media type is read from the bytes'),
  header('type-lies-image', ['Content-Type: image/png'], ['refused media-type', 'stored'], 'media-types'),
  header('type-lies-pdf', ['Content-Type: application/pdf'], ['stored'], 'bytes that are no PDF have no text'),
  header(
    'charset-nonsense',
    ['Content-Type: text/html; charset=klingon'],
    ['stored'],
    'the charset is found from the bytes',
  ),
  header('charset-lies-utf16', ['Content-Type: text/html; charset=utf-16le'], ['stored'], 'decoded as declared'),
  header('charset-lies-jp', ['Content-Type: text/html; charset=iso-2022-jp'], ['stored'], 'decoded as declared'),
  header(
    'retry-after-ten-years',
    ['Retry-After: 315360000'],
    ['none', 'failed http-503'],
    'longest-wait: the run does not wait for it',
    '503 Service Unavailable',
  ),
  header(
    'retry-after-nonsense',
    ['Retry-After: soon'],
    ['failed http-500'],
    'read as if it were not there',
    '500 Oops',
  ),
  header(
    'keep-alive-nonsense',
    ['Keep-Alive: timeout=999999999, max=-1', 'Connection: keep-alive, close, upgrade'],
    ['stored'],
    'an idle connection is closed after 15 s',
  ),
];

function header(
  name: string,
  lines: readonly string[],
  expect: readonly string[],
  bound: string,
  status = '200 OK',
): HostileCase {
  return {
    ...{ name, group: 'headers', bound, expect },
    answer: (socket) => void socket.write(message(page(name), lines, status)),
  };
}
