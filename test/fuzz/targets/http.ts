import { pageDirectives } from '../../../src/base/robots-directives.ts';
import { parseContentType } from '../../../src/convert/media-type.ts';
import { discoverHub } from '../../../src/crawl/notify/hub-discovery.ts';
import { pagePreferences } from '../../../src/extract/usage-preferences/page-preferences.ts';
import { readTdmRules } from '../../../src/extract/usage-preferences/tdm-reservation.ts';
import { decodeContent } from '../../../src/fetch/body/content-decoding.ts';
import { LooseChunks } from '../../../src/fetch/body/loose-chunks.ts';
import { CookieJar } from '../../../src/fetch/cookie-jar.ts';
import { parseRetryAfter } from '../../../src/fetch/failure-table.ts';
import { parseResponseHead } from '../../../src/fetch/response-head.ts';
import { parseSetCookie } from '../../../src/fetch/set-cookie.ts';
import { registrableDomain } from '../../../src/url/public-suffix.ts';
import { type FuzzTarget, promise, same, textOf } from '../target.ts';

const NOW = Date.UTC(2026, 4, 4);
const HEAD_PIECES =
  'HTTP/1.1 HTTP/1.0 HTTP/2 ICY 200 OK 301 404 503 99 1000 Content-Length: Transfer-Encoding: chunked gzip, Connection: close keep-alive Keep-Alive: timeout=5 ' +
  'Set-Cookie: a=b; Domain=.example.com Path=/ Max-Age=10 Expires=Mon, Secure Retry-After: Location: Content-Type: text/html; charset="utf-8" 5 -5 +5 5,5 0x5 : ä';

/** Header fields as the crawler hands them on: each value to every reader that may see it. */
function readValue(value: string): void {
  const cookie = parseSetCookie(value, NOW);
  promise(
    cookie === undefined || cookie.expiresAt === undefined || Number.isFinite(cookie.expiresAt),
    'a cookie ends at a time',
    () => cookie,
  );
  const wait = parseRetryAfter(value, NOW);
  promise(wait === undefined || (wait >= 0 && wait <= 30 * 86_400_000), 'Retry-After is bounded', () => [value, wait]);
  const type = parseContentType(value);
  promise(type === undefined || /^[^/\s]+\/[^/\s]+$/.test(type.type), 'a media type has two parts', () => [
    value,
    type?.type,
  ]);
  pageDirectives({ agent: 'orbweaver', metaRobots: [['robots', value]], xRobotsTag: [value] });
  discoverHub([value], undefined, 'https://example.com/');
  const names = ['content-signal', 'content-usage', 'x-robots-tag', 'tdm-reservation', 'tdm-policy'];
  pagePreferences({
    url: 'https://example.com/a',
    agent: 'orbweaver',
    rawHeaders: names.flatMap((name) => [name, value]),
  });
}

export const headTarget: FuzzTarget = {
  name: 'http-head',
  samples: [
    'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nSet-Cookie: a=b; Path=/; Max-Age=60\r\nContent-Length: 5\r\n',
    'HTTP/1.0 503 Busy\nRetry-After: 120\n folded\nTransfer-Encoding: gzip, chunked\n',
  ],
  pieces: [...HEAD_PIECES.split(' '), ' ', '\r\n', '\n', '\t', '\r\n '],
  corpora: ['http-responses/curl.jsonl', 'http-responses/llhttp-responses.jsonl'],
  maxLength: 4_096,
  run(input) {
    const text = Buffer.from(input).toString('latin1');
    const parsed = parseResponseHead(text);
    same(parseResponseHead(text), parsed, 'a head is read the same twice');
    if (parsed.kind === 'invalid') return;
    const { head, framing } = parsed;
    promise(head.status >= 100 && head.status <= 999, 'a status has three digits', () => head.status);
    promise(framing.contentLength === undefined || framing.contentLength >= 0, 'no negative length', () => framing);
    promise(head.rawHeaders.length % 2 === 0, 'headers are pairs');
    for (const name of ['set-cookie', 'content-type', 'location', 'link']) {
      head.header(name);
      for (const value of head.headerValues(name)) readValue(value);
    }
  },
};

export const headerTarget: FuzzTarget = {
  name: 'http-header-values',
  samples: [
    'a=b; Domain=.example.com; Path=/; Expires=Mon, 04 May 2026 10:00:00 GMT; Secure',
    '<https://hub.example/>; rel="hub", <https://example.com/feed>; rel=self',
    'text/html; charset="utf-8"; a=b',
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'orbweaver: noindex, unavailable_after: 25 Jun 2026 15:00:00 PST',
    'search=y, train-ai=n;exp=1',
    '[{"location":"/","tdm-reservation":1}]',
  ],
  pieces: [
    ...HEAD_PIECES.split(' '),
    ...'< > ; , = " \\ rel=hub rel="self hub" noindex none max-snippet:-1 unavailable_after: googlebot: search=yes ai-train=no ?0 ?1 ( ) :aGk=: 1.5 tdm-reservation 1 ;;;; ,,,,'.split(
      ' ',
    ),
    ' ',
  ],
  maxLength: 1_024,
  run(input) {
    const text = textOf(input);
    readValue(text);
    readTdmRules(text);
    const jar = new CookieJar({ maxPerDomain: 5, maxTotal: 10 }, { clock: { now: () => NOW }, registrableDomain });
    jar.store('https://www.example.com/a/b', text.split('\n'));
    promise(jar.size <= 10, 'a jar is bounded', () => jar.size);
    for (const url of ['https://example.org/a/b', 'https://com/a/b', 'https://notexample.com/a/b'])
      promise(jar.headerFor(url) === undefined, 'cookies stay with their site', () => jar.headerFor(url));
  },
};

export const bodyTarget: FuzzTarget = {
  name: 'http-body',
  samples: [
    '5\r\nhello\r\n0\r\n\r\n',
    '5\nhello\n0\n\n',
    Buffer.from('1f8b0800000000000003cb48cdc9c907008c865d3605000000', 'hex'),
    Buffer.from('0b028068656c6c6f03', 'hex'),
    Buffer.from('28b52ffd0405290000 68656c6c6f'.replaceAll(' ', ''), 'hex'),
  ],
  pieces: ['5\r\n', '5;ext\n', '0\r\n\r\n', '0\n\n', 'ffffffff\n', '-1\n', '\n', 'hello', '\x1f', '\x78'],
  corpora: ['http-responses/curl.jsonl'],
  async run(input) {
    const chunks = new LooseChunks();
    const whole = chunks.rewrite(Buffer.from(input));
    const other = new LooseChunks();
    const middle = input.length >> 1;
    const parts = [input.subarray(0, middle), input.subarray(middle)].map((part) => other.rewrite(Buffer.from(part)));
    promise(Buffer.concat(parts).equals(whole), 'chunks in pieces are the same chunks');
    promise(whole.length <= input.length * 4 + 8, 'rewritten chunks do not grow', () => whole.length);
    for (const coding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, br', 'nonsense']) {
      const decoding = decodeContent(input, coding, { maxBytes: 100_000, maxRatio: 100 });
      const decoded = decoding instanceof Promise ? await decoding : decoding;
      promise(decoded.kind === 'failed' || decoded.body.length <= 100_000, 'decoded bodies are bounded');
    }
  },
};
