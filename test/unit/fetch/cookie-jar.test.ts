import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';
import { CookieJar, type CookieJarOptions } from '../../../src/fetch/cookie-jar.ts';
import { registrableDomain } from '../../../src/url/public-suffix.ts';
import { latin1Text } from './latin1-text.ts';

function jarWith(options: CookieJarOptions = {}): { jar: CookieJar; clock: VirtualClock } {
  const clock = new VirtualClock();
  return { jar: new CookieJar(options, { clock, registrableDomain }), clock };
}

/** Sets one cookie from a URL and tells what is then sent to another. */
function sent(from: string, setCookie: string, to: string): string | undefined {
  const { jar } = jarWith();
  jar.store(from, [setCookie]);
  return jar.headerFor(to);
}

describe('cookie jar', () => {
  test('a cookie without a domain goes back to its host alone', () => {
    assert.equal(sent('https://a.example.com/x', 'k=v', 'https://a.example.com/y'), 'k=v');
    assert.equal(sent('https://a.example.com/x', 'k=v', 'https://b.a.example.com/'), undefined);
    assert.equal(sent('https://a.example.com/x', 'k=v', 'https://example.com/'), undefined);
  });

  test('a cookie with a domain goes to the hosts below it', () => {
    const set = 'k=v; Domain=.Example.com';
    assert.equal(sent('https://a.example.com/', set, 'https://b.example.com/'), 'k=v');
    assert.equal(sent('https://a.example.com/', set, 'https://example.com/'), 'k=v');
    assert.equal(sent('https://a.example.com/', set, 'https://badexample.com/'), undefined);
    assert.equal(sent('https://example.com/', 'k=v; Domain=example.com', 'https://b.example.com/'), 'k=v');
  });

  test('nobody speaks for a public suffix, a stranger, or an address', () => {
    assert.equal(sent('https://a.co.uk/', 'k=v; Domain=co.uk', 'https://b.co.uk/'), undefined);
    assert.equal(sent('https://me.github.io/', 'k=v; Domain=github.io', 'https://you.github.io/'), undefined);
    assert.equal(sent('https://evil.test/', 'k=v; Domain=bank.test', 'https://bank.test/'), undefined);
    assert.equal(sent('https://a.b.example.com/', 'k=v; Domain=c.example.com', 'https://c.example.com/'), undefined);
    assert.equal(sent('http://93.184.216.34/', 'k=v; Domain=184.216.34', 'http://93.184.216.34/'), undefined);
    assert.equal(sent('http://93.184.216.34/', 'k=v', 'http://93.184.216.34/'), 'k=v');
  });

  test('paths', () => {
    assert.equal(sent('https://a.test/x/y/z', 'k=v', 'https://a.test/x/y/other'), 'k=v');
    assert.equal(sent('https://a.test/x/y/z', 'k=v', 'https://a.test/x/'), undefined);
    assert.equal(sent('https://a.test/', 'k=v; Path=/foo', 'https://a.test/foo'), 'k=v');
    assert.equal(sent('https://a.test/', 'k=v; Path=/foo', 'https://a.test/foo/bar'), 'k=v');
    assert.equal(sent('https://a.test/', 'k=v; Path=/foo', 'https://a.test/foobar'), undefined);
    assert.equal(sent('https://a.test/x/y', 'k=v; Path=relative', 'https://a.test/x/z'), 'k=v');
  });

  test('secure cookies stay on TLS, both ways', () => {
    assert.equal(sent('https://a.test/', 'k=v; Secure', 'https://a.test/'), 'k=v');
    assert.equal(sent('https://a.test/', 'k=v; Secure', 'http://a.test/'), undefined);
    assert.equal(sent('http://a.test/', 'k=v; Secure', 'https://a.test/'), undefined);
    const { jar } = jarWith();
    jar.store('https://a.test/', ['k=safe; Secure; Path=/']);
    jar.store('http://a.test/', ['k=forged; Path=/']);
    assert.equal(jar.headerFor('https://a.test/'), 'k=safe');
  });

  test('expiry: Max-Age before Expires, and dates in the past delete', () => {
    const { jar, clock } = jarWith();
    jar.store('https://a.test/', ['a=1; Max-Age=60', 'b=2; Expires=Wed, 01 Jan 2099 00:00:00 GMT; Max-Age=30', 'c=3']);
    clock.advance(30_000);
    assert.equal(jar.headerFor('https://a.test/'), 'a=1; c=3');
    clock.advance(30_000);
    assert.equal(jar.headerFor('https://a.test/'), 'c=3');
    jar.store('https://a.test/', ['c=; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
    assert.equal(jar.headerFor('https://a.test/'), undefined);
    assert.equal(jar.size, 0);
  });

  test('longer paths first, then older ones; a renewed cookie keeps its age', () => {
    const { jar, clock } = jarWith();
    jar.store('https://a.test/', ['old=1; Path=/']);
    clock.advance(1000);
    jar.store('https://a.test/', ['new=1; Path=/', 'deep=1; Path=/x']);
    clock.advance(1000);
    jar.store('https://a.test/', ['old=2; Path=/']);
    assert.equal(jar.headerFor('https://a.test/x'), 'deep=1; old=2; new=1');
  });

  test('name prefixes keep their promise', () => {
    assert.equal(sent('https://a.test/', '__Host-k=v; Secure; Path=/', 'https://a.test/'), '__Host-k=v');
    assert.equal(
      sent('https://a.example.com/', '__Host-k=v; Secure; Path=/; Domain=example.com', 'https://a.example.com/'),
      undefined,
    );
    assert.equal(sent('https://a.test/', '__Secure-k=v', 'https://a.test/'), undefined);
  });

  test('odd cookies', () => {
    assert.equal(sent('https://a.test/', 'justvalue', 'https://a.test/'), 'justvalue');
    assert.equal(sent('https://a.test/', '=v', 'https://a.test/'), 'v');
    assert.equal(sent('https://a.test/', 'k=a=b; HttpOnly; SameSite=Strict', 'https://a.test/'), 'k=a=b');
    assert.equal(sent('https://a.test/', '', 'https://a.test/'), undefined);
    assert.equal(sent('https://a.test/', 'k=v\r\nX-Evil: 1', 'https://a.test/'), undefined);
    assert.equal(sent('https://a.test/', `k=${'x'.repeat(5000)}`, 'https://a.test/'), undefined);
  });

  test('bounded per domain and in all', () => {
    const { jar } = jarWith({ maxPerDomain: 3, maxTotal: 5 });
    for (let i = 0; i < 10; i++) jar.store('https://a.test/', [`k${i}=1`]);
    assert.equal(jar.headerFor('https://a.test/'), 'k7=1; k8=1; k9=1');
    for (let i = 0; i < 10; i++) jar.store(`https://h${i}.test/`, ['k=1']);
    assert.equal(jar.size, 5);
  });

  test('no header makes it throw, and what it sends is one line', () => {
    fc.assert(
      fc.property(fc.array(latin1Text, { maxLength: 5 }), (cookies) => {
        const { jar } = jarWith();
        jar.store('https://a.test/', cookies);
        assert.doesNotMatch(jar.headerFor('https://a.test/') ?? '', /[\r\n\0]/);
      }),
    );
  });
});
