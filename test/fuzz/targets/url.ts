import { explainUrl } from '../../../src/url/explain-url.ts';
import { hostKeyOf, hostnameOf, originOf, pathOf } from '../../../src/url/host-key.ts';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { registrableDomain } from '../../../src/url/public-suffix.ts';
import { createResolver } from '../../../src/url/resolver.ts';
import { surtOf } from '../../../src/url/surt.ts';
import { defaultUrlOptions, typedUrlOptions, type UrlOptions } from '../../../src/url/url-options.ts';
import { type FuzzTarget, promise, textOf } from '../target.ts';

const WIDE: UrlOptions = { ...typedUrlOptions, trailingSlash: 'strip', www: 'strip', plainHttp: 'https' };
const PLAIN: UrlOptions = {
  ...defaultUrlOptions,
  trailingSlash: 'add',
  duplicateSlashes: 'keep',
  sortQuery: false,
  tidyQuery: false,
  stripSessionIds: false,
};

const PIECES =
  'http:// https:// HTTP:// // / . .. ./ ../ /. ? & = # @ : :80 :443 :8080 ; , + %20 %2F %2f %41 %C3%A4 %c3%a4 %E0%A4 %GG %2e%2e ' +
  'example.com www. WWW.Example.COM. xn--nxasmq6b xn-- 127.0.0.1 0x7f.1 2130706433 [::1] [::ffff:1.2.3.4] [ ] user:pw@ localhost ' +
  'a b index.html utm_source=x gclid=1 PHPSESSID=abc ;jsessionid=0123456789ABCDEF sid=0123456789abcdef0123456789abcdef a=1 b=2 a= =b && ' +
  '\\ | ^ ` { } < > " \' ( ) $ ! * ~ _ - \t \n javascript: data: mailto: file:/// bücher.example 日本.jp ⒈ 。 ß.de /web/2020/http:// //';

function checked(input: string, options: UrlOptions): void {
  const url = normalizeUrl(input, options);
  if (url === undefined) return;
  promise(normalizeUrl(url, options) === url, 'normalisation is idempotent', () => [
    input,
    url,
    normalizeUrl(url, options),
  ]);
  const parsed = URL.parse(url);
  promise(parsed !== null && /^https?:$/.test(parsed.protocol), 'the platform reads the canonical form', () => url);
  promise(url.length <= input.length * 9 + 64, 'a canonical URL is at most nine times as long', () => url);
  promise(originOf(url) + pathOf(url) === url, 'origin and path are the URL', () => url);
  hostKeyOf(url);
  registrableDomain(hostnameOf(url));
  surtOf(url);
}

/** Against the platform's parser: the host must be the one that a browser would ask. */
function sameHost(input: string): void {
  const url = normalizeUrl(input, defaultUrlOptions);
  const parsed = URL.parse(input);
  promise(
    (url !== undefined) === (parsed !== null && isWebUrl(parsed)),
    'http(s) URLs and only they count',
    () => input,
  );
  if (url === undefined || parsed === null) return;
  // A dot at the end is left out, which may turn what is left into a number.
  if (parsed.hostname.endsWith('.') || url.includes('[::ffff:')) return;
  promise(hostnameOf(url) === parsed.hostname, 'the host is that of the platform', () => [input, url]);
}

function isWebUrl(url: URL): boolean {
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '';
}

export const urlTarget: FuzzTarget = {
  name: 'url',
  samples: [
    'https://www.Example.com:443/a/./b/../c%7Ed?b=2&a=1&utm_source=x#frag',
    'http://user:pw@[2001:db8::1]:8080/x;jsessionid=0123456789ABCDEF?sid=1',
    'HTTP://bücher.example/ä?q=ß',
    '//host/path',
  ],
  pieces: PIECES.split(' '),
  corpora: ['url/normalize.jsonl', 'url/resolve.jsonl'],
  maxLength: 512,
  run(input) {
    const text = textOf(input);
    checked(text, defaultUrlOptions);
    checked(text, WIDE);
    checked(text, PLAIN);
    sameHost(text);
  },
};

export const resolveTarget: FuzzTarget = {
  name: 'url-resolve',
  samples: ['https://example.com/a/b?c#d\n../e/./f?g=1', 'http://h/a//b/\n//other/x', 'https://h/?a=1\n?b=2'],
  pieces: [...PIECES.split(' '), '\n'],
  corpora: ['url/resolve.jsonl'],
  maxLength: 512,
  run(input) {
    const [base, ...links] = textOf(input).split('\n');
    const resolver = createResolver(base, defaultUrlOptions);
    const known = URL.parse(base);
    for (const link of links) {
      const url = resolver.resolve(link);
      promise(url === normalizeUrl(link, defaultUrlOptions, base), 'resolver and normalisation agree', () => [
        base,
        link,
      ]);
      explainUrl(link, defaultUrlOptions, base);
      if (url === undefined || known === null) continue;
      // Two ways to the same address: resolve first and normalise then.
      const absolute = URL.parse(link, base);
      if (absolute === null) continue;
      const other = normalizeUrl(absolute.href, defaultUrlOptions);
      promise(url === other, 'resolving and normalising can be done apart', () => [base, link, url, other]);
    }
  },
};
