import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileUrlOf, isFileUrl, pathOfFileUrl } from '../../../src/url/file-url.ts';
import { FILES_HOST, hostKeyOf, hostnameOf, originOf, pathOf } from '../../../src/url/host-key.ts';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { createResolver } from '../../../src/url/resolver.ts';
import { defaultUrlOptions } from '../../../src/url/url-options.ts';

const OPTIONS = { ...defaultUrlOptions, files: true as const };

test('paths become URLs and back, whatever stands in them', { skip: process.platform === 'win32' }, () => {
  for (const path of [
    '/a/b.txt',
    '/a b/ü#?%41;jsessionid=1.txt',
    "/'(x)[y]{z}/&=+,~",
    '/tmp/x/',
    '/a\\b',
    '/日本/語',
  ]) {
    const url = fileUrlOf(path);
    assert.match(url, /^file:\/\/\/[\x21-\x7e]*$/);
    assert.equal(pathOfFileUrl(url), path);
    assert.equal(normalizeUrl(url, OPTIONS), url);
    assert.equal(hostKeyOf(url), FILES_HOST);
    assert.equal(originOf(url) + pathOf(url), url);
    assert.equal(hostnameOf(url), '');
  }
  assert.equal(pathOfFileUrl('file:///a%2Fb'), undefined);
  assert.equal(pathOfFileUrl('file:///a%00b'), undefined);
  assert.equal(pathOfFileUrl('http://a.example/b'), undefined);
});

test('a file has one URL, and none on another machine', () => {
  assert.equal(normalizeUrl('FILE:/a/./b/../c.html?x=1#y', OPTIONS), 'file:///a/c.html');
  assert.equal(normalizeUrl('file://localhost/a', OPTIONS), 'file:///a');
  assert.equal(normalizeUrl('file://server/share/a', OPTIONS), undefined);
  assert.equal(normalizeUrl('file:///a', defaultUrlOptions), undefined);
  assert.equal(isFileUrl('file://server/a'), false);
});

test('pages of the web never name a file; files name files and pages', () => {
  for (const base of ['http://a.example/', 'https://a.example/x', 'data:text/html,x', 'nonsense']) {
    const resolver = createResolver(base, OPTIONS);
    for (const link of ['file:///etc/passwd', 'FILE:/etc/passwd', 'file:passwd', ' file:///etc/passwd'])
      if (base !== 'nonsense') assert.equal(resolver.resolve(link), undefined, `${link} on ${base}`);
  }
  const local = createResolver('file:///home/me/docs/index.html', OPTIONS);
  assert.equal(local.resolve('sub/b.html#c'), 'file:///home/me/docs/sub/b.html');
  assert.equal(local.resolve('../../../etc/passwd'), 'file:///etc/passwd');
  assert.equal(local.resolve('http://a.example'), 'http://a.example/');
  assert.equal(local.resolve('//server/share'), undefined);
});
