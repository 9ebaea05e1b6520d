import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translate } from '../../../../src/dedupe/mirrors/mirror-url.ts';

test('translate: the same page on the original', () => {
  const to = (url: string): string => translate(url, 'http://m.example', 'https://example.org:8443');
  assert.equal(to('http://m.example/'), 'https://example.org:8443/');
  assert.equal(to('http://m.example/a/b?c=d&e=%20#f'), 'https://example.org:8443/a/b?c=d&e=%20#f');
  assert.equal(to('http://m.example'), 'https://example.org:8443');
  assert.equal(to('http://m.example?x'), 'https://example.org:8443?x');
});

test('translate: what is not of the mirror stays as it is', () => {
  for (const url of ['http://m.example.org/', 'http://m.example:80/', 'https://m.example/', 'http://other/', '']) {
    assert.equal(translate(url, 'http://m.example', 'https://example.org'), url);
  }
});
