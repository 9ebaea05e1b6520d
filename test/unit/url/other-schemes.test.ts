import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { hostKeyOf, hostnameOf, originOf, pathOf } from '../../../src/url/host-key.ts';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { createResolver } from '../../../src/url/resolver.ts';
import { defaultUrlOptions } from '../../../src/url/url-options.ts';

const OPTIONS = { ...defaultUrlOptions, schemes: 'gemini: ftp:' };

test('URLs of the schemes of plug-ins get the form that web URLs have', () => {
  for (const [written, canonical] of [
    ['gemini://Host.Example', 'gemini://host.example/'],
    ['GEMINI://bücher.example:1966/a/../b?x#y', 'gemini://xn--bcher-kva.example:1966/b?x'],
    ['gemini://h.example/%7ea//b', 'gemini://h.example/~a/b'],
    ['ftp://h.example:21/f', 'ftp://h.example/f'],
    ['gemini://user:secret@h.example/', 'gemini://h.example/'],
    ['gemini:page', undefined],
    ['gemini:///page', undefined],
    ['gopher://h.example/', undefined],
    ['javascript://h.example/%0aalert(1)', undefined],
  ] as const)
    assert.equal(normalizeUrl(written, OPTIONS), canonical, written);
  assert.equal(normalizeUrl('gemini://h.example/', defaultUrlOptions), undefined);
});

test('links lead from one scheme to another', () => {
  const capsule = createResolver('gemini://h.example/a/b', OPTIONS);
  assert.equal(capsule.resolve('c?d'), 'gemini://h.example/a/c?d');
  assert.equal(capsule.resolve('/'), 'gemini://h.example/');
  assert.equal(capsule.resolve('#here'), 'gemini://h.example/a/b');
  assert.equal(capsule.resolve('https://w.example/x'), 'https://w.example/x');
  assert.equal(capsule.resolve('mailto:a@h.example'), undefined);
  const web = createResolver('https://w.example/', OPTIONS);
  assert.equal(web.resolve('gemini://h.example'), 'gemini://h.example/');
  assert.equal(createResolver('https://w.example/', defaultUrlOptions).resolve('gemini://h.example'), undefined);
});

test('their parts are found as those of web URLs are', () => {
  for (const [url, host, name, path] of [
    ['gemini://h.example:1966/a?b', 'h.example:1966', 'h.example', '/a?b'],
    ['ftp://h.example/', 'h.example', 'h.example', '/'],
    ['rsync://h.example/', 'h.example', 'h.example', '/'],
    ['http://[::1]:80/x', '[::1]:80', '[::1]', '/x'],
  ] as const) {
    const canonical = url as CanonicalUrl;
    assert.deepEqual([hostKeyOf(canonical), hostnameOf(canonical), pathOf(canonical)], [host, name, path]);
    assert.equal(originOf(canonical) + path, url);
  }
});
