import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { registrableDomain, topLevelDomain } from '../../../src/url/public-suffix.ts';
import { corpus, skipWithout } from '../../corpora.ts';

test('registrable domains', () => {
  assert.equal(registrableDomain('www.example.co.uk'), 'example.co.uk');
  assert.equal(registrableDomain('WWW.Example.COM'), 'example.com');
  assert.equal(registrableDomain('www.xn--bcher-kva.de'), 'xn--bcher-kva.de');
  assert.equal(registrableDomain('co.uk'), undefined);
  assert.equal(registrableDomain('localhost'), undefined);
});

test('people below a private suffix are told apart', () => {
  assert.equal(registrableDomain('alice.github.io'), 'alice.github.io');
  assert.equal(registrableDomain('github.io'), undefined);
});

test('addresses have neither domain nor top level', () => {
  for (const address of ['127.0.0.1', '[::1]', '[2001:db8::1]', '::1']) {
    assert.equal(registrableDomain(address), undefined);
    assert.equal(topLevelDomain(address), undefined);
  }
});

test('top-level domains', () => {
  assert.equal(topLevelDomain('www.example.co.UK'), 'uk');
  assert.equal(topLevelDomain('example.xn--p1ai'), 'xn--p1ai');
  assert.equal(topLevelDomain('localhost'), undefined);
});

test('all cases of the Public Suffix List', { skip: skipWithout('url') }, () => {
  const cases: { host: string | null; registrable: string | null }[] = JSON.parse(
    readFileSync(join(corpus('url')!, 'public-suffix-cases.json'), 'utf8'),
  );
  assert.equal(cases.length, 78);
  for (const { host, registrable } of cases) {
    if (host !== null) assert.equal(registrableDomain(host) ?? null, registrable, host);
  }
});
