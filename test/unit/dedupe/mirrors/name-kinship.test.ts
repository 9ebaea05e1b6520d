import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostnameIn, isVariantName, kinshipOf } from '../../../../src/dedupe/mirrors/name-kinship.ts';

test('kinshipOf: by name alone, in either order', () => {
  const cases: readonly (readonly [string, string, ReturnType<typeof kinshipOf>])[] = [
    ['http://a.example', 'https://a.example', 'twins'],
    ['http://a.example', 'http://www.a.example:8080', 'twins'],
    ['http://www2.a.example', 'http://www.a.example', 'twins'],
    ['http://192.0.2.1', 'http://192.0.2.1:8080', 'twins'],
    ['http://[::1]:8080', 'http://[::1]', 'twins'],
    ['http://staging.a.co.uk', 'http://www.a.co.uk', 'variants'],
    ['http://dev-2.a.example', 'http://m.a.example', 'variants'],
    ['http://www.old.a.example', 'http://a.example', 'variants'],
    ['http://192.0.2.1', 'http://a.example', 'address'],
    ['http://[2001:db8::1]', 'http://192.0.2.1', 'address'],
    ['http://b.a.example', 'http://a.example', 'relatives'],
    ['http://b.github.io', 'http://a.github.io', 'strangers'],
    ['http://a.example', 'http://b.example', 'strangers'],
    ['http://www.example', 'http://m.example', 'strangers'],
  ];
  for (const [a, b, kinship] of cases) {
    assert.equal(kinshipOf(a, b), kinship, `${a} ${b}`);
    assert.equal(kinshipOf(b, a), kinship, `${b} ${a}`);
  }
});

test('names', () => {
  assert.equal(hostnameIn('https://a.example:8443'), 'a.example');
  assert.equal(hostnameIn('https://[::1]:8443'), '[::1]');
  assert.equal(isVariantName('staging.a.example'), true);
  assert.equal(isVariantName('www.a.example'), false);
  assert.equal(isVariantName('test.example'), false);
});
