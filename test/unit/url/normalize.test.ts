import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { defaultUrlOptions, typedUrlOptions, type UrlOptions } from '../../../src/url/url-options.ts';

function expectAll(options: UrlOptions, cases: Readonly<Record<string, string | undefined>>): void {
  for (const [input, canonical] of Object.entries(cases)) assert.equal(normalizeUrl(input, options), canonical, input);
}

describe('canonical form', () => {
  test('scheme and host are lower case, the path keeps its case', () => {
    expectAll(defaultUrlOptions, { 'HTTPS://EXAMPLE.Com/A/b': 'https://example.com/A/b' });
  });

  test('host names are ASCII', () => {
    expectAll(defaultUrlOptions, {
      'http://bücher.de/': 'http://xn--bcher-kva.de/',
      'http://B%C3%BCcher.DE/': 'http://xn--bcher-kva.de/',
      'http://faß.de/': 'http://xn--fa-hia.de/',
      'http://xn--bcher-kva.de/': 'http://xn--bcher-kva.de/',
      'http://xn--a.ß/': undefined,
    });
  });

  test('addresses have one notation', () => {
    expectAll(defaultUrlOptions, {
      'http://3232235777/': 'http://192.168.1.1/',
      'http://0300.0250.1.1/': 'http://192.168.1.1/',
      'http://0xc0.0xa8.0x1.0x1/': 'http://192.168.1.1/',
      'http://192.168.257/': 'http://192.168.1.1/',
      'http://192.168.1.1/': 'http://192.168.1.1/',
      'http://192.168.1.256/': undefined,
      'http://[2001:DB8:0:0::1]/': 'http://[2001:db8::1]/',
      'http://[::ffff:7f00:1]/': 'http://[::ffff:127.0.0.1]/',
    });
  });

  test('the trailing dot of a host goes', () => {
    expectAll(defaultUrlOptions, {
      'http://example.com./a': 'http://example.com/a',
      'http://example.com.../a': 'http://example.com/a',
      'http://127.1../': 'http://127.0.0.1/',
    });
  });

  test('default ports go, others stay', () => {
    expectAll(defaultUrlOptions, {
      'http://example.com:80/': 'http://example.com/',
      'https://example.com:443/': 'https://example.com/',
      'http://example.com:443/': 'http://example.com:443/',
      'http://example.com:08080/': 'http://example.com:8080/',
      'http://example.com:/': 'http://example.com/',
      'http://example.com:65535/': 'http://example.com:65535/',
      'http://example.com:65536/': undefined,
    });
  });

  test('credentials never enter the crawl', () => {
    expectAll(defaultUrlOptions, {
      'http://user:secret@example.com/a': 'http://example.com/a',
      'http://user@example.com/a': 'http://example.com/a',
    });
  });

  test('escapes have one spelling', () => {
    expectAll(defaultUrlOptions, {
      'http://a.com/%7Euser/%41?%61=%2d': 'http://a.com/~user/A?a=-',
      'http://a.com/%c3%a9?%2f': 'http://a.com/%C3%A9?%2F',
      'http://a.com/é?é': 'http://a.com/%C3%A9?%C3%A9',
      'http://a.com/100%?50%': 'http://a.com/100%25?50%25',
      'http://a.com/[x]{y}|^`"<>?[x]{y}|^`"<>':
        'http://a.com/%5Bx%5D%7By%7D%7C%5E%60%22%3C%3E?%5Bx%5D%7By%7D%7C%5E%60%22%3C%3E',
      "http://a.com/it's?it's": "http://a.com/it's?it%27s",
      'http://a.com/a+b?a+b%20c': 'http://a.com/a+b?a+b%20c',
      'http://a.com/%2525': 'http://a.com/%2525',
      'http://a.com/%252541%25': 'http://a.com/%252541%25',
    });
  });

  test('dot segments go, also escaped ones', () => {
    expectAll(defaultUrlOptions, {
      'http://a.com/a/./b/../c': 'http://a.com/a/c',
      'http://a.com/a/%2e/b/.%2E/c': 'http://a.com/a/c',
      'http://a.com/../..': 'http://a.com/',
      'http://a.com/.a/..b/c.': 'http://a.com/.a/..b/c.',
    });
  });

  test('fragment and empty query go, the empty path is "/"', () => {
    expectAll(defaultUrlOptions, {
      'http://a.com': 'http://a.com/',
      'http://a.com?': 'http://a.com/',
      'http://a.com?q': 'http://a.com/?q',
      'http://a.com/b#c': 'http://a.com/b',
      'http://a.com/b?#c': 'http://a.com/b',
      'http://a.com/b?c#d?e': 'http://a.com/b?c',
    });
  });

  test('white space is treated as browsers do', () => {
    expectAll(defaultUrlOptions, {
      ' \n http://a.com/b \t': 'http://a.com/b',
      'ht\ntp://a.\tcom/b\r/c': 'http://a.com/b/c',
      'http://a.com/b c': 'http://a.com/b%20c',
      'http:\\\\a.com\\b': 'http://a.com/b',
    });
  });

  test('whatever is not an http(s) URL is refused', () => {
    const refused = [
      '',
      ' ',
      'a.com',
      '/a',
      'ftp://a.com/',
      'mailto:a@b.c',
      'javascript:void(0)',
      'data:,x',
      'http://',
    ];
    for (const input of [...refused, 'http://a b/', 'http://[::1', 'http://a.com:x/', 'http://%zz/', 'about:blank']) {
      assert.equal(normalizeUrl(input, defaultUrlOptions), undefined, input);
    }
  });
});

describe('options', () => {
  const none: UrlOptions = {
    ...defaultUrlOptions,
    duplicateSlashes: 'keep',
    sortQuery: false,
    tidyQuery: false,
    stripTracking: false,
    stripSessionIds: false,
  };

  test('trailingSlash', () => {
    expectAll(none, { 'http://a.com/b/': 'http://a.com/b/', 'http://a.com/b': 'http://a.com/b' });
    expectAll(
      { ...none, trailingSlash: 'strip' },
      {
        'http://a.com/b/': 'http://a.com/b',
        'http://a.com/b//?c/': 'http://a.com/b?c/',
        'http://a.com/': 'http://a.com/',
      },
    );
    expectAll(
      { ...none, trailingSlash: 'add' },
      {
        'http://a.com/b': 'http://a.com/b/',
        'http://a.com/b.c/d?e': 'http://a.com/b.c/d/?e',
        'http://a.com/b.html': 'http://a.com/b.html',
      },
    );
  });

  test('duplicateSlashes', () => {
    expectAll(none, { 'http://a.com//b///c': 'http://a.com//b///c' });
    expectAll({ ...none, duplicateSlashes: 'collapse' }, { 'http://a.com//b///c?d//e': 'http://a.com/b/c?d//e' });
    const kept = 'https://web.archive.org/web/2020/http://a.com/b';
    expectAll(defaultUrlOptions, {
      [kept]: kept,
      'http://a.com/r/https:////b.com//c': 'http://a.com/r/https://b.com/c',
    });
  });

  test('sortQuery keeps the order of equal names', () => {
    expectAll({ ...none, sortQuery: true }, { 'http://a.com/?b=2&c&b=1&a=3': 'http://a.com/?a=3&b=2&b=1&c' });
  });

  test('tidyQuery', () => {
    expectAll(
      { ...none, tidyQuery: true },
      { 'http://a.com/?&b=&&=1&c==&': 'http://a.com/?b&c==', 'http://a.com/?&&': 'http://a.com/' },
    );
  });

  test('stripTracking', () => {
    expectAll(none, { 'http://a.com/?utm_source=x': 'http://a.com/?utm_source=x' });
    expectAll(defaultUrlOptions, {
      'http://a.com/?utm_source=x&UTM_Medium=y': 'http://a.com/',
      'http://a.com/?a=1&gclid=x&b=2&fbclid=y': 'http://a.com/?a=1&b=2',
      'http://a.com/?a=1;utm_source=x;b': 'http://a.com/?a=1;b',
      'http://a.com/?%75tm_source=x': 'http://a.com/',
      'http://a.com/?_ga=1.2': 'http://a.com/',
      'http://a.com/?gclidx&ref=x&source=y&utm=1': 'http://a.com/?gclidx&ref=x&source=y&utm=1',
    });
  });

  test('stripSessionIds', () => {
    const hex = '0123456789abcdef0123456789abcdef';
    expectAll(none, { 'http://a.com/b;jsessionid=1?sid=2': 'http://a.com/b;jsessionid=1?sid=2' });
    expectAll(defaultUrlOptions, {
      'http://a.com/b;jsessionid=1F.node2?c=d': 'http://a.com/b?c=d',
      'http://a.com/b;v=1;JSESSIONID=1F/c': 'http://a.com/b;v=1/c',
      'http://a.com/b/..;jsessionid=1/c': 'http://a.com/b/..;jsessionid=1/c',
      'http://a.com/?PHPSESSID=abc&b=1': 'http://a.com/?b=1',
      'http://a.com/?b=1;jsessionid=1F': 'http://a.com/?b=1',
      'http://a.com/?ASPSESSIONIDQABC=x&cfid=1&CFTOKEN=2': 'http://a.com/',
      [`http://a.com/?sid=${hex}&p=2`]: 'http://a.com/?p=2',
      'http://a.com/?sid=12': 'http://a.com/?sid=12',
      'http://a.com/?session=spring-2024-opening-hours': 'http://a.com/?session=spring-2024-opening-hours',
      'http://a.com/(S(4hqa0555fwsecu455xqckv45))/b.aspx': 'http://a.com/b.aspx',
      'http://a.com/(4hqa0555fwsecu455xqckv45)/b.aspx': 'http://a.com/b.aspx',
      'http://a.com/(S(4hqa0555fwsecu455xqckv45))': 'http://a.com/',
      'http://a.com/Orbweaver_(spider)/(note)': 'http://a.com/Orbweaver_(spider)/(note)',
    });
  });

  test('www', () => {
    expectAll(none, { 'http://www.example.com/': 'http://www.example.com/' });
    expectAll(
      { ...none, www: 'strip' },
      {
        'http://www.example.com/': 'http://example.com/',
        'http://www.www.example.com:81/': 'http://example.com:81/',
        'http://www.co.uk/': 'http://www.co.uk/',
        'http://www.com/': 'http://www.com/',
        'http://www/': 'http://www/',
        'http://www2.example.com/': 'http://www2.example.com/',
      },
    );
  });

  test('plainHttp', () => {
    expectAll(
      { ...none, plainHttp: 'https' },
      {
        'http://example.com/a?b': 'https://example.com/a?b',
        'http://example.com:80/a': 'https://example.com/a',
        'https://example.com/a': 'https://example.com/a',
        // What answers there is one server, which speaks one of them.
        'http://example.com:8080/a': 'http://example.com:8080/a',
        'http://example.com:443/a': 'http://example.com:443/a',
      },
    );
  });

  test('assumeHttp is for addresses typed by people', () => {
    expectAll(typedUrlOptions, {
      'example.com': 'http://example.com/',
      'localhost:8080/a': 'http://localhost:8080/a',
      'bücher.de/x': 'http://xn--bcher-kva.de/x',
      '//example.com/a': 'http://example.com/a',
      '/a/b': undefined,
      'mailto:a@b.c': undefined,
      '': undefined,
    });
    assert.equal(normalizeUrl('a.html', typedUrlOptions, 'http://example.com/b/'), 'http://example.com/b/a.html');
  });
});
