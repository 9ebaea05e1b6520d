import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainUrl, type UrlRefusal } from '../../../src/url/explain-url.ts';
import { defaultUrlOptions, typedUrlOptions } from '../../../src/url/url-options.ts';

test('tells every step', () => {
  const input = ' HTTP://User:pw@EXAMPLE.com.:80/a/../%7eb;jsessionid=1?utm_source=x&b=é#f';
  assert.deepEqual(explainUrl(input, defaultUrlOptions), {
    ok: true,
    url: 'http://example.com/~b?b=%C3%A9',
    steps: [
      'white space removed',
      'lower-case scheme',
      'credentials removed',
      'lower-case host',
      'default port removed',
      'dot segments resolved',
      'characters of query escaped',
      'fragment removed',
      'trailing dot of host removed',
      'escapes of path made canonical',
      'session id in path removed',
      'tracking parameter utm_source removed',
    ],
  });
});

test('tells the steps of the options', () => {
  const options = { ...typedUrlOptions, trailingSlash: 'strip', www: 'strip' } as const;
  assert.deepEqual(explainUrl('www.example.com//x/?b=&a=1&', options), {
    ok: true,
    url: 'http://example.com/x?a=1&b',
    steps: [
      'http assumed',
      'www. removed',
      'duplicate slashes collapsed',
      'trailing slash removed',
      '"=" of empty parameter b removed',
      'parameter without a name removed',
      'query sorted',
    ],
  });
});

test('single steps', () => {
  const cases: Readonly<Record<string, string>> = {
    'http://bücher.de/': 'host in ASCII (IDNA)',
    'http://0x7f.1/': 'address in its usual notation',
    'http:\\\\a.com\\b': 'backslashes turned into slashes',
    'http:/a.com/': 'slashes before the host mended',
    'http://a.com:/': 'empty port removed',
    'http://a.com:0081/': 'leading zeros of port removed',
    'http://a.com': 'empty path became "/"',
    'http://a.com/é': 'characters of path escaped',
    'http://a.com/?': 'empty query removed',
  };
  for (const [input, step] of Object.entries(cases)) {
    const explained = explainUrl(input, defaultUrlOptions);
    assert.deepEqual(explained.ok && explained.steps, [step], input);
  }
});

test('names the base', () => {
  assert.deepEqual(explainUrl('x', defaultUrlOptions, 'http://a.com/b'), {
    ok: true,
    url: 'http://a.com/x',
    steps: ['resolved against the base'],
  });
});

test('a canonical URL takes no steps', () => {
  const input = 'http://a.com/b?c=d';
  assert.deepEqual(explainUrl(input, defaultUrlOptions), { ok: true, url: input, steps: [] });
});

test('tells why an address is refused', () => {
  const cases: readonly (readonly [string, string | undefined, UrlRefusal])[] = [
    ['', undefined, 'relative'],
    ['/a', undefined, 'relative'],
    ['/a', 'nonsense', 'relative'],
    ['mailto:a@b.c', undefined, 'scheme'],
    ['mailto:a@b.c', 'http://a.com/', 'scheme'],
    ['/a', 'file:///b', 'scheme'],
    ['/a', 'mailto:a@b.c', 'scheme'],
    ['http://', undefined, 'host'],
    ['http://a b/', undefined, 'host'],
    ['http://256.1.1.1/', undefined, 'host'],
    ['http://[::1/', undefined, 'host'],
    ['//[/', 'http://a.com/', 'host'],
    ['http://a.com:65536/', undefined, 'port'],
    ['http://[::1]:x/', undefined, 'port'],
    ['//a.com:x/', 'http://a.com/', 'port'],
  ];
  for (const [input, base, reason] of cases) {
    assert.deepEqual(explainUrl(input, defaultUrlOptions, base), { ok: false, reason }, input);
  }
});
