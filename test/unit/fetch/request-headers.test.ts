import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RequestHeaders } from '../../../src/fetch/request-headers.ts';

function headerIn(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name);
  return at === -1 ? undefined : headers[at + 1];
}

describe('request headers', () => {
  test('who we are and what we take', () => {
    const headers = new RequestHeaders({
      userAgent: 'Bot/1 (+https://x.test)',
      from: 'me@x.test',
      acceptLanguage: 'de',
    });
    const sent = headers.for('https://a.test');
    assert.equal(headerIn(sent, 'user-agent'), 'Bot/1 (+https://x.test)');
    assert.equal(headerIn(sent, 'from'), 'me@x.test');
    assert.equal(headerIn(sent, 'accept-language'), 'de');
    assert.equal(headerIn(sent, 'accept-encoding'), 'gzip, deflate, br, zstd');
    assert.equal(headerIn(new RequestHeaders({ userAgent: 'Bot/1' }).for('https://a.test'), 'from'), undefined);
  });

  test('a cookie that cannot be sent takes no other with it', () => {
    const headers = new RequestHeaders({ userAgent: 'Bot/1' });
    const sent = headers.for('https://a.test', undefined, 'a=1; odd=\u20ac; b=2');
    assert.equal(headerIn(sent, 'cookie'), 'a=1; b=2');
  });

  test('headers and credentials go to their origin alone: scheme, host and port', () => {
    const headers = new RequestHeaders({
      userAgent: 'Bot/1',
      headers: { 'https://A.test:443/': ['X-Key: abc', 'accept-language: fr'] },
      credentials: { 'https://a.test': 'basic user:pä:ss', 'http://b.test:8080': 'bearer tok' },
    });
    const sent = headers.for('https://a.test');
    assert.equal(headerIn(sent, 'x-key'), 'abc');
    assert.equal(headerIn(sent, 'accept-language'), 'fr');
    assert.equal(headerIn(sent, 'authorization'), `Basic ${Buffer.from('user:pä:ss').toString('base64')}`);
    assert.equal(headerIn(headers.for('http://b.test:8080'), 'authorization'), 'Bearer tok');
    for (const origin of [
      'http://a.test',
      'https://a.test:8443',
      'https://www.a.test',
      'http://b.test',
      'https://b.test:8080',
    ]) {
      assert.equal(headerIn(headers.for(origin), 'authorization'), undefined, origin);
      assert.equal(headerIn(headers.for(origin), 'x-key'), undefined, origin);
    }
  });

  test("cookies of one's own and those of the jar are one field; what the server has set since counts", () => {
    const own = { 'https://a.test': ['cookie: theme=dark; session=old;'] };
    const headers = new RequestHeaders({ userAgent: 'Bot/1', headers: own });
    const sent = headers.for('https://a.test', undefined, 'session=new; id=7');
    assert.equal(headerIn(sent, 'cookie'), 'theme=dark; session=new; id=7');
    assert.equal(sent.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'cookie').length, 1);
    assert.equal(headerIn(headers.for('https://a.test'), 'cookie'), 'theme=dark; session=old;');
  });

  test('validators make the request conditional; those that would break the line are left out', () => {
    const headers = new RequestHeaders({ userAgent: 'Bot/1' });
    const sent = headers.for('https://a.test', { etag: 'W/"x"', lastModified: 'Tue, 13 Jun 2000 12:10:00 GMT' });
    assert.equal(headerIn(sent, 'if-none-match'), 'W/"x"');
    assert.equal(headerIn(sent, 'if-modified-since'), 'Tue, 13 Jun 2000 12:10:00 GMT');
    assert.equal(headerIn(headers.for('https://a.test', { etag: '"ü"' }), 'if-none-match'), '"\xc3\xbc"');
    const bad = headers.for('https://a.test', { etag: '"x"\r\nEvil: 1', lastModified: '' }, 'a=b\nc');
    assert.deepEqual(bad, headers.for('https://a.test'));
  });

  test('settings that cannot be sent are refused at the start, without repeating secrets', () => {
    assert.throws(() => new RequestHeaders({ userAgent: 'a\nb' }), { code: 'SETTING_INVALID' });
    assert.throws(() => new RequestHeaders({ userAgent: 'a', credentials: { 'https://a.test': 'digest x' } }), {
      code: 'SETTING_INVALID',
    });
    assert.throws(() => new RequestHeaders({ userAgent: 'a', headers: { 'a.test': ['A: b'] } }), {
      code: 'SETTING_INVALID',
    });
    assert.throws(
      () => new RequestHeaders({ userAgent: 'a', headers: { 'https://a.test': ['X-Key: s\u0000cret'] } }),
      (error: Error) => !error.message.includes('cret'),
    );
  });
});
