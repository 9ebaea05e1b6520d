import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { HostKey } from '../../../../src/contracts/url.ts';
import { domainPrefix, hostPrefix, keyOfUrl, urlLength, urlOfKey } from '../../../../src/engines/urls/url-key.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { storedText } from './stored-text.ts';

test('a key gives back its URL, whatever the text', () => {
  for (const url of [
    'https://www.example.com/a/b?c=d',
    'http://example.com:8080/',
    'http://127.0.0.1:81/x',
    'https://[2001:db8::1]:444/',
    'file:///home/a%20b.txt',
    'http://:80/',
    'http://a..b./',
    'ftp://example.com/',
    'https://bücher.example/ä?ö=\u{1f600}',
    'https://no-path.example',
    '',
    'http://a\u0001b/\u0000',
  ]) {
    const key = keyOfUrl(url);
    assert.equal(urlOfKey(key), url);
    assert.equal(urlLength(key), Buffer.byteLength(url));
  }
  fc.assert(
    fc.property(storedText, (text) => {
      const key = keyOfUrl(text);
      assert.ok(!/[^\u0000-\u00ff]/.test(key));
      assert.equal(urlOfKey(key), text);
      assert.equal(urlLength(key), Buffer.byteLength(text));
    }),
    { numRuns: propertyRuns(3000) },
  );
});

test('a host is one range of keys, and so is a domain with its hosts and ports', () => {
  const ofDomain = [
    'http://b.test/',
    'https://b.test/z',
    'https://b.test:8443/',
    'https://a.b.test/',
    'http://x.y.b.test:81/',
  ];
  const others = [
    'http://b.tes/',
    'http://bb.test/',
    'http://b-c.test/',
    'http://b.test.de/',
    'http://ab.test/',
    'http://test/',
  ];
  for (const url of ofDomain) assert.ok(keyOfUrl(url).startsWith(domainPrefix('b.test')), url);
  for (const url of others) assert.ok(!keyOfUrl(url).startsWith(domainPrefix('b.test')), url);
  const ofHost = [...ofDomain, ...others].filter((url) => keyOfUrl(url).startsWith(hostPrefix('b.test' as HostKey)));
  assert.deepEqual(ofHost, ['http://b.test/', 'https://b.test/z']);
  assert.ok(keyOfUrl('http://b.test:81/').startsWith(hostPrefix('b.test:81' as HostKey)));
  assert.ok(keyOfUrl('file:///a').startsWith(hostPrefix('file:' as HostKey)));
});
