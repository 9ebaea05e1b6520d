import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { list, map, mapOfLists } from '../../../../src/base/settings/collection-kinds.ts';
import type { Kind } from '../../../../src/base/settings/kind.ts';
import {
  bytes,
  decimal,
  duration,
  integer,
  oneOf,
  share,
  text,
  truth,
} from '../../../../src/base/settings/scalar-kinds.ts';
import {
  contactPoint,
  credential,
  dnsServer,
  fileExtension,
  headerLine,
  hostName,
  hostOrNetwork,
  hostPattern,
  ipAddress,
  mediaRange,
  mediaTypeGroup,
  origin,
  pattern,
  productToken,
} from '../../../../src/base/settings/text-kinds.ts';

function valueFrom<T>(kind: Kind<T>, raw: unknown): T | undefined {
  const reading = kind.read(raw, 'documented');
  return 'value' in reading ? reading.value : undefined;
}

describe('numbers with units', () => {
  test('shares', () => {
    for (const [raw, value] of [
      ['0.95', 0.95],
      ['95%', 0.95],
      ['57 %', 0.57],
      [0.5, 0.5],
      ['100%', 1],
    ] as const)
      assert.equal(valueFrom(share(), raw), value, String(raw));
    for (const raw of ['101%', '1.5', '-1%', '%', '5 % %', '95 percent', 95])
      assert.equal(valueFrom(share(), raw), undefined, String(raw));
  });

  test('durations', () => {
    const kind = duration();
    for (const [raw, ms] of [
      ['500ms', 500],
      ['2s', 2000],
      ['1.5s', 1500],
      ['5m', 300_000],
      ['1h', 3_600_000],
      ['1d', 86_400_000],
      [' 3 H ', 10_800_000],
      ['7', 7000],
      [7, 7000],
      [0.25, 250],
      ['0', 0],
    ] as const) {
      assert.equal(valueFrom(kind, raw), ms, String(raw));
    }
    for (const raw of [
      '',
      'abc',
      '5 weeks',
      '-1s',
      -1,
      '1h30m',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      'unlimited',
      null,
      true,
      [],
      {},
    ]) {
      assert.equal(valueFrom(kind, raw), undefined, String(raw));
    }
  });

  test('a number that is handed over by a program is in milliseconds already', () => {
    assert.deepEqual(duration().read(7, 'internal'), { value: 7 });
  });

  test('sizes', () => {
    const kind = bytes();
    for (const [raw, size] of [
      ['10MB', 10_000_000],
      ['1GiB', 2 ** 30],
      ['4kib', 4096],
      ['1.5KB', 1500],
      ['12', 12],
      ['12B', 12],
      [4096, 4096],
    ] as const) {
      assert.equal(valueFrom(kind, raw), size, String(raw));
    }
    for (const raw of ['10 potatoes', '10M', 'MB', -1]) assert.equal(valueFrom(kind, raw), undefined, String(raw));
  });

  test('ranges and unlimited', () => {
    const kind = integer({ min: 1, max: 10, unlimited: true });
    assert.equal(valueFrom(kind, '10'), 10);
    assert.equal(valueFrom(kind, 'Unlimited'), Number.POSITIVE_INFINITY);
    assert.equal(valueFrom(kind, Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY);
    for (const raw of ['0', '11', '1.5', 1.5, 'ten', '0x5']) assert.equal(valueFrom(kind, raw), undefined, String(raw));
    assert.deepEqual(kind.read('0', 'documented'), { wrong: 'takes a whole number from 1 to 10, or unlimited' });
  });

  test('what is written can be read back', () => {
    const kinds: [Kind<number>, fc.Arbitrary<number>][] = [
      [integer({ unlimited: true }), fc.oneof(fc.maxSafeNat(), fc.constant(Number.POSITIVE_INFINITY))],
      [duration({ unlimited: true }), fc.oneof(fc.maxSafeNat(), fc.constant(Number.POSITIVE_INFINITY))],
      [bytes({ unlimited: true }), fc.oneof(fc.maxSafeNat(), fc.constant(Number.POSITIVE_INFINITY))],
      [decimal(), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs)],
    ];
    for (const [kind, values] of kinds) {
      fc.assert(
        fc.property(values, (value) => assert.deepEqual(kind.read(kind.write(value), 'documented'), { value })),
      );
    }
  });
});

describe('words', () => {
  test('truth', () => {
    for (const raw of [true, 'true', 'YES', 'on', '1']) assert.equal(valueFrom(truth, raw), true);
    for (const raw of [false, 'false', 'No', 'off', '0']) assert.equal(valueFrom(truth, raw), false);
    for (const raw of ['', 'maybe', 2, null]) assert.equal(valueFrom(truth, raw), undefined);
  });

  test('choices', () => {
    const kind = oneOf('any', 'host');
    assert.equal(valueFrom(kind, ' Host '), 'host');
    assert.deepEqual(kind.read('hosts', 'documented'), { wrong: 'takes one of any, host' });
  });

  test('text is one line', () => {
    assert.equal(valueFrom(text(), ' a b '), 'a b');
    assert.equal(valueFrom(text(), 'a\nb'), undefined);
    assert.equal(valueFrom(text(), 5), undefined);
  });

  test('texts with a form are refined to one spelling', () => {
    for (const [kind, raw, kept] of [
      [fileExtension, '.JPG', 'jpg'],
      [mediaRange, 'Text/*', 'text/*'],
      [hostName, 'WWW.Example.ORG', 'www.example.org'],
      [ipAddress, '[2001:DB8::1]', '2001:db8::1'],
      [hostOrNetwork, '10.0.0.0/08', '10.0.0.0/8'],
      [hostPattern, '*.Corp.example:8080', '*.corp.example:8080'],
      [hostPattern, '127.0.0.1', '127.0.0.1'],
      [hostOrNetwork, 'Intranet', 'intranet'],
      [hostOrNetwork, '*.Corp.example:8080', '*.corp.example:8080'],
      [hostOrNetwork, '127.0.0.1:80', '127.0.0.1:80'],
      [hostOrNetwork, '[::1]:8080', '[::1]:8080'],
      [hostOrNetwork, 'fd00::/8', 'fd00::/8'],
      [mediaTypeGroup, 'Image/*', 'image/*'],
      [mediaTypeGroup, '*/*', '*/*'],
      [dnsServer, '[2001:db8::1]:5353', '[2001:db8::1]:5353'],
      [dnsServer, '192.0.2.1:5353', '192.0.2.1:5353'],
      [origin, 'HTTPS://Example.org:443/', 'https://example.org'],
      [origin, 'http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
      [headerLine, 'X-Key:abc', 'X-Key: abc'],
      [credential, 'Basic me:pass word', 'basic me:pass word'],
      [credential, 'bearer abc', 'bearer abc'],
      [contactPoint, 'crawler@example.org', 'crawler@example.org'],
      [contactPoint, 'https://example.org/bot', 'https://example.org/bot'],
      [productToken, 'My_Bot-x', 'My_Bot-x'],
      [pattern, '*/calendar/*', '*/calendar/*'],
    ] as const) {
      assert.equal(valueFrom(kind, raw), kept, raw);
    }
  });

  test('texts that do not have their form', () => {
    for (const [kind, raw] of [
      [fileExtension, 'a.b'],
      [mediaRange, 'html'],
      [hostName, 'a/b'],
      [hostName, '-a.example'],
      [ipAddress, '300.1.1.1'],
      [hostOrNetwork, '10.0.0.0/33'],
      [hostPattern, '10.0.0.0/8'],
      [hostPattern, 'a b'],
      [hostOrNetwork, 'example.org/8'],
      [hostOrNetwork, 'localhost:80800'],
      [hostOrNetwork, 'a.*.b'],
      [mediaTypeGroup, 'text/x-*'],
      [mediaTypeGroup, '*/html'],
      [dnsServer, 'ns.example.org'],
      [dnsServer, '192.0.2.1:70000'],
      [origin, 'https://example.org/path'],
      [origin, 'https://user@example.org'],
      [origin, 'example.org'],
      [headerLine, 'Host: other.example'],
      [headerLine, 'no colon'],
      [credential, 'basic nopassword'],
      [credential, 'digest a:b'],
      [contactPoint, 'somebody'],
      [productToken, 'Bot/1.0'],
      [pattern, 're:'],
    ] as const) {
      assert.equal(valueFrom(kind, raw), undefined, raw);
    }
  });
});

describe('collections', () => {
  test('keys that may hold an equals sign end at the last one', () => {
    const kind = map(pattern, decimal({ min: -100, max: 100 }), 'space', 'last');
    const record = { '/list?page=2': 5, 're:a=b$': -1 };
    assert.deepEqual({ ...valueFrom(kind, '/list?page=2=5 re:a=b$=-1') }, record);
    assert.deepEqual({ ...valueFrom(kind, kind.write(record)) }, record);
    for (const raw of ['/list', '=5', '/list?page=x']) assert.equal(valueFrom(kind, raw), undefined, raw);
  });

  test('lists take one text, repeated flags and YAML lists', () => {
    const kind = list(fileExtension, 'comma');
    assert.deepEqual(valueFrom(kind, 'jpg, .PNG gif'), ['jpg', 'png', 'gif']);
    assert.deepEqual(valueFrom(kind, ['jpg,png', 'gif', 'jpg']), ['jpg', 'png', 'gif']);
    assert.deepEqual(valueFrom(kind, ''), []);
    assert.deepEqual(valueFrom(kind, []), []);
    assert.equal(valueFrom(kind, [5]), undefined);
    assert.deepEqual(kind.read('a.b', 'documented'), {
      wrong: 'has the entry "a.b", but takes a file name extension such as jpg',
    });
  });

  test('a comma is part of a pattern', () => {
    assert.deepEqual(valueFrom(list(pattern, 'space'), 're:a{1,2} /x,y'), ['re:a{1,2}', '/x,y']);
  });

  test('maps', () => {
    const kind = map(hostName, ipAddress, 'comma');
    assert.deepEqual({ ...valueFrom(kind, 'a.test=127.0.0.1,b.test=::1') }, { 'a.test': '127.0.0.1', 'b.test': '::1' });
    assert.deepEqual({ ...valueFrom(kind, { 'A.test': '127.0.0.1' }) }, { 'a.test': '127.0.0.1' });
    assert.equal(Object.getPrototypeOf(valueFrom(kind, '')), null);
    assert.deepEqual(kind.read('a.test=1.1.1.1,a.test=2.2.2.2', 'documented'), { wrong: 'has the key "a.test" twice' });
    for (const raw of ['a.test', '=1.1.1.1', 'a.test=x', 'a b=1.1.1.1', 5, null, { 'a.test': 5 }]) {
      assert.equal(valueFrom(kind, raw), undefined, String(raw));
    }
  });

  test('maps of lists gather', () => {
    const kind = mapOfLists(origin, headerLine, 'line');
    const expected = { 'https://a.test': ['X-A: 1', 'X-B: 2, 3'] };
    assert.deepEqual({ ...valueFrom(kind, 'https://a.test=X-A: 1\nhttps://a.test=X-B: 2, 3') }, expected);
    assert.deepEqual({ ...valueFrom(kind, ['https://a.test=X-A: 1', 'https://a.test=X-B: 2, 3']) }, expected);
    assert.deepEqual({ ...valueFrom(kind, expected) }, expected);
  });
});
