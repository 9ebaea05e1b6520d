import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createResolver } from '../../../src/url/resolver.ts';
import { defaultUrlOptions, type UrlOptions } from '../../../src/url/url-options.ts';

function expectAll(base: string, options: UrlOptions, cases: Readonly<Record<string, string | undefined>>): void {
  const resolver = createResolver(base, options);
  for (const [link, canonical] of Object.entries(cases)) assert.equal(resolver.resolve(link), canonical, link);
}

describe('createResolver', () => {
  test('resolves every kind of link', () => {
    expectAll('https://example.com:8080/a/b/c.html?d=e', defaultUrlOptions, {
      '': 'https://example.com:8080/a/b/c.html?d=e',
      '#top': 'https://example.com:8080/a/b/c.html?d=e',
      '?page=2': 'https://example.com:8080/a/b/c.html?page=2',
      '?page=2#top': 'https://example.com:8080/a/b/c.html?page=2',
      '?': 'https://example.com:8080/a/b/c.html',
      x: 'https://example.com:8080/a/b/x',
      'x#y': 'https://example.com:8080/a/b/x',
      './x/': 'https://example.com:8080/a/b/x/',
      './': 'https://example.com:8080/a/b/',
      '.': 'https://example.com:8080/a/b/',
      '../x': 'https://example.com:8080/a/x',
      '../../../x': 'https://example.com:8080/x',
      '..': 'https://example.com:8080/a/',
      '.././x/../y': 'https://example.com:8080/a/y',
      './/x': 'https://example.com:8080/a/b/x',
      '/x?y': 'https://example.com:8080/x?y',
      '/': 'https://example.com:8080/',
      '/../x': 'https://example.com:8080/x',
      '/\\other.org/x': 'https://other.org/x',
      '//other.org/x': 'https://other.org/x',
      '//other.org:443/x': 'https://other.org/x',
      'http://other.org/x': 'http://other.org/x',
      'https:x': 'https://example.com:8080/a/b/x',
      'a:b': undefined,
      './a:b': 'https://example.com:8080/a/b/a:b',
      '1:b': 'https://example.com:8080/a/b/1:b',
      'mailto:a@b.c': undefined,
      'JavaScript:void(0)': undefined,
      'java\nscript:void(0)': undefined,
      ' /x ': 'https://example.com:8080/x',
      'é?é': 'https://example.com:8080/a/b/%C3%A9?%C3%A9',
      '/x?utm_source=y': 'https://example.com:8080/x',
    });
  });

  test('relative links hang on the base as written, not on its canonical form', () => {
    expectAll(
      'http://a.com/b//c/',
      { ...defaultUrlOptions, trailingSlash: 'strip', duplicateSlashes: 'collapse' },
      {
        x: 'http://a.com/b/c/x',
        '../../x': 'http://a.com/b/x',
        '': 'http://a.com/b/c',
        '?q': 'http://a.com/b/c?q',
      },
    );
    expectAll('http://a.com/b;jsessionid=1?utm_source=x&c=d', defaultUrlOptions, {
      '?q': 'http://a.com/b?q',
      '#': 'http://a.com/b?c=d',
      x: 'http://a.com/x',
    });
  });

  test('the host of the base is canonical in every link', () => {
    expectAll(
      'http://user:pw@WWW.Bücher.de.:80/a/',
      { ...defaultUrlOptions, www: 'strip' },
      {
        x: 'http://xn--bcher-kva.de/a/x',
        '/x': 'http://xn--bcher-kva.de/x',
        '//www.b.de/x': 'http://b.de/x',
      },
    );
  });

  test('links of a page that is taken for https are https', () => {
    expectAll(
      'http://a.com/b/c',
      { ...defaultUrlOptions, plainHttp: 'https' },
      {
        x: 'https://a.com/b/x',
        '/x': 'https://a.com/x',
        '//b.de/x': 'https://b.de/x',
        'http://b.de/x': 'https://b.de/x',
        '?q': 'https://a.com/b/c?q',
        '#f': 'https://a.com/b/c',
      },
    );
  });

  test('a base that is no web page still lets absolute links through', () => {
    for (const base of ['', 'nonsense', 'http://[', 'mailto:a@b.c', 'file:///a/b', 'data:text/html,x']) {
      expectAll(base, defaultUrlOptions, {
        'http://a.com/b': 'http://a.com/b',
        x: undefined,
        '/x': undefined,
        '#x': undefined,
      });
    }
  });
});

describe('the folder of a base', () => {
  const bases = ['a/b.html', 'a/c.html?d', 'a/', 'a//b', 'a;jsessionid=1/b', 'b', '?q=/a/'].flatMap((path) =>
    ['http://a.com/', 'https://a.com/', 'http://a.com:8080/', 'HTTP://A.com:80/'].map((origin) => origin + path),
  );
  const written = [
    'x',
    'x?y',
    '../x',
    '..',
    './',
    '/x',
    '//o.org/x',
    'http://o.org:80/X',
    'HTTP:x',
    'mailto:a@b.c',
    './/x',
  ];

  test('says from which bases the same link leads to the same place', () => {
    const base = fc.constantFrom(...bases);
    const link = fc
      .oneof(fc.constantFrom(...written), fc.string({ unit: 'binary', maxLength: 8 }))
      .filter((text) => text.charCodeAt(0) > 0x23 && text[0] !== '?');
    for (const options of [
      defaultUrlOptions,
      { ...defaultUrlOptions, plainHttp: 'https', trailingSlash: 'strip' } as const,
    ])
      fc.assert(
        fc.property(base, base, link, (one, other, reference) => {
          const [here, there] = [createResolver(one, options), createResolver(other, options)];
          if (here.folder === undefined || here.folder !== there.folder) return;
          assert.equal(here.resolve(reference), there.resolve(reference), reference);
        }),
        { numRuns: 2000 },
      );
  });

  test('is the same for the pages of a folder', () => {
    const folderOf = (base: string) => createResolver(base, defaultUrlOptions).folder;
    assert.equal(folderOf('http://a.com/a/b.html'), folderOf('http://a.com/a/c?d=/e/'));
    assert.notEqual(folderOf('http://a.com/a/b.html'), folderOf('http://a.com/b.html'));
    assert.equal(folderOf('http://a.com/a//b'), undefined);
  });
});
