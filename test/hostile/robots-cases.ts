import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { drip, pour, repeated } from './byte-pour.ts';
import { type HostileCase, type HostileRequest, REQUEST_SECONDS } from './hostile-case.ts';
import { head, message, page } from './hostile-message.ts';

const TEXT = 'Content-Type: text/plain';
const UNREACHABLE = ['none', 'refused robots'];

/** A host whose pages are sound and whose robots.txt is not. */
function robots(
  name: string,
  reply: (socket: Socket, request: HostileRequest) => void,
  expect: readonly string[],
  bound: string,
  maxSeconds?: number,
): HostileCase {
  return {
    ...{ name: `robots-${name}`, group: 'robots', bound, expect, robots: reply },
    ...(maxSeconds === undefined ? {} : { maxSeconds }),
    // As many sitemaps as are asked for, and then some.
    maxRequests: 1100,
    answer: (socket) => void socket.write(message(page(name))),
  };
}

/** Every kind of hostile answer, for robots.txt. */
export const ROBOTS_CASES: readonly HostileCase[] = [
  robots(
    'wildcards',
    (socket) => void socket.write(message(wildcards(), [TEXT])),
    ['stored', 'refused robots'],
    '500 KiB; linear matching',
  ),
  robots(
    'binary',
    (socket) => void socket.write(message(noise(400_000), [TEXT])),
    ['stored'],
    'lines that say nothing are passed over',
  ),
  robots(
    'html',
    (socket) => void socket.write(message(page('not robots'), ['Content-Type: text/html'])),
    ['stored'],
    'lines that say nothing are passed over',
  ),
  robots(
    'one-line',
    (socket) => void socket.write(message(`User-agent: *\nDisallow: /${'a*'.repeat(250_000)}`, [TEXT])),
    ['stored'],
    '500 KiB; linear matching',
  ),
  robots(
    'many-groups',
    (socket) => void socket.write(message('User-agent: x\nDisallow: /x\n\n'.repeat(18_000), [TEXT])),
    ['stored'],
    '500 KiB',
  ),
  robots(
    'many-sitemaps',
    (socket) =>
      void socket.write(message(Array.from({ length: 8000 }, (_, i) => `Sitemap: /s/${i}.xml`).join('\n'), [TEXT])),
    ['any'],
    '1,000 sitemaps of a host',
  ),
  robots('endless', endless, ['stored'], '512 KiB are read'),
  robots(
    'bomb',
    (socket) => void socket.write(message(gzipSync(Buffer.alloc(8 * 2 ** 20, '\n')), [TEXT, 'Content-Encoding: gzip'])),
    ['stored', ...UNREACHABLE],
    '512 KiB are decoded',
  ),
  robots(
    'loop',
    (socket) => void socket.write(message('', ['Location: /robots.txt'], '302 Found')),
    [...UNREACHABLE, 'stored'],
    'five redirects',
  ),
  robots(
    'redirects',
    (socket, { nth }) => void socket.write(message('', [`Location: /robots.txt?${nth}`], '301 Moved')),
    [...UNREACHABLE, 'stored'],
    'five redirects',
  ),
  robots(
    'silence',
    (socket) => void socket.resume(),
    UNREACHABLE,
    'headers-timeout; host parked after 3',
    REQUEST_SECONDS.headers,
  ),
  robots(
    'drip',
    (socket) => drip(socket, head([TEXT, `X: ${'y'.repeat(4000)}`]), 1000),
    UNREACHABLE,
    'headers-timeout; host parked after 3',
    REQUEST_SECONDS.headers,
  ),
  robots('reset', (socket) => void socket.resetAndDestroy(), UNREACHABLE, 'host parked after 3 failures'),
  robots(
    'cut',
    (socket) => void socket.write(head([TEXT, 'Content-Length: 900']), () => socket.end('User-agent: *\nDisal')),
    [...UNREACHABLE, 'stored'],
    'what has come counts, or nothing',
  ),
  robots(
    'endless-headers',
    (socket) => pour(socket, repeated(Buffer.from('HTTP/1.1 200 OK\r\nX: y\r\n'.repeat(400)))),
    UNREACHABLE,
    'head of 64 KiB',
  ),
  robots(
    'unauthorised',
    (socket) => void socket.write(message('', [], '401 Unauthorized')),
    ['stored'],
    'RFC 9309: a 4xx allows all',
  ),
  robots(
    'error',
    (socket) => void socket.write(message('', [], '500 Oops')),
    UNREACHABLE,
    'host parked after 3 failures',
  ),
  robots(
    'retry-after',
    (socket) => void socket.write(message('', ['Retry-After: 315360000'], '503 Later')),
    UNREACHABLE,
    'longest-wait: the run does not wait for it',
  ),
  robots(
    'crawl-delay',
    (socket) => void socket.write(message('User-agent: *\nCrawl-delay: 315360000\n', [TEXT])),
    ['none', 'stored'],
    'longest-wait: the run does not wait for it',
  ),
  robots(
    'no-newline-utf16',
    (socket) => void socket.write(message(Buffer.from('\ufeffUser-agent: *\nDisallow: /', 'utf16le'), [TEXT])),
    ['stored', 'refused robots'],
    'read as bytes',
  ),
];

function wildcards(): string {
  const lines = ['User-agent: *'];
  for (let i = 0; i < 5000; i++) lines.push(`Disallow: /*a*b*c*${i}*d*e*f*g*h*i*j*k*l*m*n*o*p*q*r*s*t*u*v*w*x*y*z*$`);
  return lines.join('\n');
}

function noise(bytes: number): Buffer {
  return Buffer.from(Array.from({ length: bytes }, (_, i) => (i * 7919 + (i >> 5)) & 255));
}

function endless(socket: Socket): void {
  socket.write(head([TEXT]));
  pour(socket, repeated(Buffer.from('User-agent: other\nDisallow: /\n'.repeat(500))));
}
