import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type ParsedHead, parseResponseHead } from '../../../src/fetch/response-head.ts';
import { latin1Text } from './latin1-text.ts';

function head(text: string): Extract<ParsedHead, { kind: 'head' }> {
  const parsed = parseResponseHead(text);
  if (parsed.kind === 'invalid') throw new Error(parsed.why);
  return parsed;
}

describe('response head', () => {
  test('names as received, in order, duplicates kept', () => {
    const { head: received } = head(
      'HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a:  2 \r\nSet-Cookie: a=b\r\nSET-COOKIE: c=d\r\n\r\n',
    );
    assert.deepEqual(received.rawHeaders, ['X-A', '1', 'x-a', '2', 'Set-Cookie', 'a=b', 'SET-COOKIE', 'c=d']);
    assert.equal(received.header('x-a'), '1, 2');
    assert.equal(received.header('x-b'), undefined);
    assert.deepEqual(received.headerValues('set-cookie'), ['a=b', 'c=d']);
    assert.deepEqual([received.status, received.statusText, received.httpVersion], [200, 'OK', '1.1']);
  });

  test('line ends of either kind, folded lines, stray white space, lines that are no headers', () => {
    const { head: received } = head('HTTP/1.0 404  Not here \nA : 1\n folded\r\n  \nno colon\n: no name\nB:2\r\r\n');
    assert.deepEqual(received.rawHeaders, ['A', '1 folded', 'B', '2']);
    assert.equal(received.statusText, 'Not here');
    assert.equal(received.httpVersion, '1.0');
    assert.deepEqual(head('HTTP/1.1 200 OK\r\n Date: now\r\nB: 2\r\n').head.rawHeaders, ['Date', 'now', 'B', '2']);
  });

  test('status lines without a reason', () => {
    for (const line of ['HTTP/1.1 204', 'HTTP/1.1 204 ', 'http/1.1\t204', 'HTTP/1 204', 'HTTP/2 204']) {
      assert.equal(head(`${line}\r\n`).head.status, 204, line);
    }
  });

  test('bytes of UTF-8 survive, also at the edges', () => {
    const value = Buffer.from('/seiten/voilà', 'utf8').toString('latin1');
    const { head: received } = head(`HTTP/1.1 302 Found\r\nLocation: ${value}\r\nX: /voil\xe0\r\n`);
    assert.deepEqual(received.rawHeaders, ['Location', value, 'X', '/voil\xe0']);
    assert.equal(received.header('location'), '/seiten/voilà');
    assert.equal(received.header('x'), '/voil\xe0');
  });

  test('what cannot be trusted is refused', () => {
    for (const text of [
      '',
      'no headers',
      'HTTPr',
      'HTTP/1.1',
      'HTTP/1.1 20 OK',
      'HTTP/1.1 2000 OK',
      'HTTP/1.1 099 OK',
      'HTTP/3 200 OK',
      'ICY 200 OK',
      'HTTP/1.1 200 OK\r\nA: \0\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n',
    ]) {
      assert.equal(parseResponseHead(text).kind, 'invalid', JSON.stringify(text));
    }
  });

  test('framing', () => {
    const framing = (headers: string, version = '1.1') => head(`HTTP/${version} 200 OK\r\n${headers}\r\n`).framing;
    assert.equal(framing('Content-Length: 5').contentLength, 5);
    assert.equal(framing('Content-Length: 5\r\nContent-Length: 5').contentLength, 5);
    assert.equal(framing('Content-Length: 5, 5').contentLength, 5);
    assert.equal(framing('Content-Length: -1').contentLength, undefined);
    assert.equal(framing('Content-Length: 99999999999999999999').contentLength, undefined);
    const both = framing('Content-Length: 5\r\nTransfer-Encoding: Chunked');
    assert.deepEqual([both.chunked, both.contentLength, both.keepAlive], [true, undefined, false]);
    assert.deepEqual(framing('Transfer-Encoding: gzip, chunked').transferCodings, ['gzip']);
    assert.equal(framing('Transfer-Encoding: identity\r\nContent-Length: 5').contentLength, 5);
    assert.equal(framing('A: b').keepAlive, true);
    assert.equal(framing('Connection: x, Close').keepAlive, false);
    assert.equal(framing('Connection: close-not').keepAlive, true);
    assert.equal(framing('A: b', '1.0').keepAlive, false);
    assert.equal(framing('Connection: Keep-Alive', '1.0').keepAlive, true);
    assert.equal(framing('Keep-Alive: timeout=7, max=3').keepAliveSeconds, 7);
  });

  test('never throws', () => {
    const line = fc.oneof(
      latin1Text,
      fc.constantFrom('Content-Length: 1', 'Transfer-Encoding: ,', ' x', ':', '', 'Connection: ,,close'),
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
        parseResponseHead(['HTTP/1.1 200 OK', ...lines].join(end));
        parseResponseHead(lines.join(end));
      }),
    );
  });
});
