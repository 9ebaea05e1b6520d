import fc from 'fast-check';
import { defaultUrlOptions, type UrlOptions } from '../../../src/url/url-options.ts';

/** Pieces that meet every rule of the canonical form, so that random rows of them often hit its corners. */
const pieces = [
  ...['http://', 'https://', 'HTTP://', 'http:', 'https:/', 'ftp://', 'mailto:', 'javascript:', 'file:///', '//', '\\'],
  ...['a', 'B', 'example.com', 'www.', 'www.example.co.uk', 'xn--', 'xn--bcher-kva', 'bücher', 'co.uk', '-', '_', '~'],
  ...['127.0.0.1', '0x7f', '1.2.3.', '256', '[::1]', '[::ffff:1.2.3.4]', '[', ']', '::', '1', '09', 'user:pw@', '@'],
  ...[':', ':80', ':443', ':8080', ':65535', ':65536', ':00', ':0', '.', '..', '...', './', '../', '/', '/', '/', '//'],
  ...['%2e', '%2E', '%2F', '%2f', '%41', '%7e', '%C3%A9', '%c3', '%', '%2', '%zz', '%25', '%00', '%27', '%3B'],
  ...['?', '?', '#', '&', '&&', '=', ';', '+', ' ', '\t', '\n', '\0', "'", '"', '<', '{', '|', '^', '`', '!', '*', ','],
  ...['utm_source=x', 'UTM_x', 'gclid', 'fbclid=1', 'page=2', 'search=q', 'sid=0123456789abcdef', 'sid=7', '_ga', 's'],
  ...[';jsessionid=1F', 'PHPSESSID=abc', 'ASPSESSIONIDQQ=1', 'cfid=1', '(S(abcdefghijklmnopqrstuvwx))', '(', ')'],
  ...['é', '💩', '\ud800', '\u00ad', '\u200d', '。', 'ß', 'İ', '\ufffd'],
];

const rowOfPieces = fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((row) => row.join(''));

const plausible = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'http://www.', 'https://a.b.', 'http://127.0.0.1', 'http://[::1]'),
    fc.constantFrom('example.com', 'example.com.', 'com', 'x', '', ':8080', '.co.uk', ':80', 'xn--bcher-kva.de', '.9'),
    fc.constantFrom('/', '', '/a/', '?', '//', '/a;b', '/.'),
    rowOfPieces,
  )
  .map((row) => row.join(''));

/** Mostly what the scan takes without a parser, now and then with one flaw. */
const nearlyCanonical = fc
  .tuple(
    fc.constantFrom(
      'http://example.com/',
      'https://a-b.example.org:8443/',
      'http://127.0.0.1:50000/',
      '/',
      '',
      '../',
      '?',
    ),
    fc.array(fc.constantFrom('a', 'b.html', '/', '/c/', '%20', '%C3%A9', '(d)', 'E-_~', '=', '&', '+,:@!$*', '1.'), {
      maxLength: 6,
    }),
    fc.constantFrom('', '', '', ...pieces),
    fc.constantFrom(
      '',
      '?a=b',
      '?page=2&search=q',
      '?%26=&&x',
      '?q=a/b?c',
      '#f',
      '?sid=1',
      '?a&utm_x=1',
      '?a;gclid=1',
      '?z#',
    ),
  )
  .map(([start, row, flaw, end]) => start + row.join('') + flaw + end);

export const arbitraryLink: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: nearlyCanonical, weight: 4 },
  rowOfPieces,
  plausible,
  rowOfPieces.map((row) => `/${row}`),
  rowOfPieces.map((row) => `../${row}`),
  fc.string({ unit: 'binary' }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
);

export const arbitraryBase: fc.Arbitrary<string> = fc.oneof(nearlyCanonical, plausible, fc.webUrl(), rowOfPieces);

const anyOptions: fc.Arbitrary<UrlOptions> = fc.record(
  {
    trailingSlash: fc.constantFrom('keep', 'strip', 'add'),
    duplicateSlashes: fc.constantFrom('keep', 'collapse'),
    sortQuery: fc.boolean(),
    tidyQuery: fc.boolean(),
    stripTracking: fc.boolean(),
    stripSessionIds: fc.boolean(),
    www: fc.constantFrom('keep', 'strip'),
    assumeHttp: fc.boolean(),
    plainHttp: fc.constant('https' as const),
  },
  {
    requiredKeys: [
      'trailingSlash',
      'duplicateSlashes',
      'sortQuery',
      'tidyQuery',
      'stripTracking',
      'stripSessionIds',
      'www',
      'assumeHttp',
    ],
  },
);

/** The defaults often: under them the scan has the most to say. */
export const arbitraryOptions: fc.Arbitrary<UrlOptions> = fc.oneof(fc.constant(defaultUrlOptions), anyOptions);
