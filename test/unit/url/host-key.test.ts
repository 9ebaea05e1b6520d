import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostKeyOf, hostnameOf, originOf, pathOf } from '../../../src/url/host-key.ts';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { defaultUrlOptions } from '../../../src/url/url-options.ts';

const cases = [
  ['http://example.com', 'example.com', 'http://example.com', 'example.com', '/'],
  ['https://example.com:443/a?b=/c', 'example.com', 'https://example.com', 'example.com', '/a?b=/c'],
  ['https://example.com:80/a:b', 'example.com:80', 'https://example.com:80', 'example.com', '/a:b'],
  ['http://[::1]:8080/a', '[::1]:8080', 'http://[::1]:8080', '[::1]', '/a'],
  ['http://[2001:db8::1]/a:b', '[2001:db8::1]', 'http://[2001:db8::1]', '[2001:db8::1]', '/a:b'],
] as const;

test('the parts of a canonical URL', () => {
  for (const [input, host, origin, hostname, path] of cases) {
    const url = normalizeUrl(input, defaultUrlOptions)!;
    assert.deepEqual([hostKeyOf(url), originOf(url), hostnameOf(url), pathOf(url)], [host, origin, hostname, path]);
  }
});

test('http and https on their default ports are one host', () => {
  const plain = normalizeUrl('http://example.com:80/', defaultUrlOptions)!;
  const secure = normalizeUrl('https://example.com:443/', defaultUrlOptions)!;
  assert.equal(hostKeyOf(plain), hostKeyOf(secure));
});
