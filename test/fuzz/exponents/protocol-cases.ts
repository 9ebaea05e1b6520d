import { parseCdxj } from '../../../src/archive/cdxj/cdxj-line.ts';
import { parseHttpHead } from '../../../src/archive/http-message.ts';
import { parseRecordHead } from '../../../src/archive/warc/warc-record.ts';
import { readTime } from '../../../src/base/dates/read-time.ts';
import { pageDirectives } from '../../../src/base/robots-directives.ts';
import { resolveSettings } from '../../../src/base/settings/resolve-settings.ts';
import { parseContentType } from '../../../src/convert/media-type.ts';
import { discoverHub } from '../../../src/crawl/notify/hub-discovery.ts';
import { parseFeedDate } from '../../../src/extract/feed/parse-feed-date.ts';
import { LanguageIdentifier } from '../../../src/extract/language/language-identifier.ts';
import { findDate } from '../../../src/extract/metadata/written-date.ts';
import { readContentUsage } from '../../../src/extract/usage-preferences/content-usage.ts';
import { readRobotsPreferences } from '../../../src/extract/usage-preferences/robots-preferences.ts';
import { LooseChunks } from '../../../src/fetch/body/loose-chunks.ts';
import { parseRetryAfter } from '../../../src/fetch/failure-table.ts';
import { parseHttpDate } from '../../../src/fetch/http-date.ts';
import { parseResponseHead } from '../../../src/fetch/response-head.ts';
import { parseRobots } from '../../../src/fetch/robots/robots-parser.ts';
import { parseSetCookie } from '../../../src/fetch/set-cookie.ts';
import { createAnalyzer } from '../../../src/index/analysis/analyzer.ts';
import { Glob } from '../../../src/scope/glob.ts';
import { LinearRegex } from '../../../src/scope/linear-regex.ts';
import { parseQuery } from '../../../src/search/query/query-parser.ts';
import { indexNowLimits } from '../../../src/seeds/push/indexnow-inbox.ts';
import { readSubmission } from '../../../src/seeds/push/indexnow-submission.ts';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { defaultUrlOptions } from '../../../src/url/url-options.ts';
import { textDiff } from '../../../src/web/copies/text-diff.ts';
import { type GrowthCase, repeated } from './growth-case.ts';

const analyzer = createAnalyzer();
const identifier = new LanguageIdentifier();
const normalize = (text: string): unknown => normalizeUrl(text, defaultUrlOptions);

/** An expression or pattern of growing size over a text of the same size would be quadratic by right: one of them stays. */
const patternCases: readonly GrowthCase[] = [
  ...repeated('regex', (text) => new LinearRegex('(a+)+b').test(text), { 'text, nested repeats': ['a'] }),
  ...repeated('regex', (text) => new LinearRegex('(a|aa)*$').test(text), { 'text, alternatives': ['a', '', 'b'] }),
  ...repeated(
    'regex',
    (text) => new LinearRegex('^(.*a){8}$').test(text),
    { 'text, wildcards': ['a', '', 'b'] },
    2_048,
  ),
  ...repeated(
    'regex',
    (text) => new LinearRegex(text).test('aaaaaaaaaaaaaaaa'),
    { 'expression, letters': ['a'], 'expression, alternatives': ['a|'], 'expression, optional': ['a?'] },
    128,
  ),
  ...repeated('glob', (text) => new Glob('*a*a*a*b').matches(text), { text: ['a'] }),
  ...repeated(
    'glob',
    (text) => new Glob(text).matches('a'.repeat(4_096)),
    { 'pattern, stars': ['*a'], 'pattern, question marks': ['?*'] },
    512,
  ),
];

const warcHead = 'WARC/1.1\r\nWARC-Type: response\r\n';

export const protocolCases: readonly GrowthCase[] = [
  ...repeated('url', normalize, {
    'path segments': ['/a', 'http://h'],
    dots: ['/../a', 'http://h'],
    'dots without end': ['/.', 'http://h'],
    slashes: ['/', 'http://h/a'],
    escapes: ['%41', 'http://h/'],
    'broken escapes': ['%', 'http://h/'],
    parameters: ['a=b&', 'http://h/?'],
    ampersands: ['&', 'http://h/?'],
    'session ids': [';jsessionid=1', 'http://h/a'],
    'host labels': ['a.', 'http://', 'com/'],
    'host dots': ['.', 'http://a', '/'],
    fragment: ['#', 'http://h/'],
    'letters beyond ASCII': ['ä', 'http://h/'],
    'user names': ['a@', 'http://'],
  }),
  ...repeated('robots', (text) => parseRobots(text), {
    rules: ['Disallow: /a\n', 'User-agent: *\n'],
    groups: ['User-agent: a\nDisallow: /\n'],
    agents: ['User-agent: a\n'],
    'one line': ['a', 'Disallow: /'],
    comments: ['#'],
    spaces: [' '],
  }),
  ...repeated('robots', (text) => parseRobots(text).judge('a', '/x'), {
    'rules judged': ['Disallow: /a\n', 'User-agent: *\n'],
  }),
  ...repeated('robots', (text) => parseRobots('User-agent: *\nDisallow: /*a*a*a*b').judge('a', text), {
    'path with wildcards': ['a', '/'],
  }),
  ...repeated('robots', (text) => readRobotsPreferences(text, 'a').of('https://h/a'), {
    'preference lines': ['Content-Signal: search=yes\n', 'User-agent: *\n'],
  }),
  ...repeated('http-head', parseResponseHead, {
    fields: ['a: b\r\n', 'HTTP/1.1 200 OK\r\n'],
    'folded lines': [' b\r\n', 'HTTP/1.1 200 OK\r\na: b\r\n'],
    'one value': ['b', 'HTTP/1.1 200 OK\r\na: '],
    'status spaces': [' ', 'HTTP/1.1 200'],
    colons: [':', 'HTTP/1.1 200 OK\r\na'],
    lengths: ['Content-Length: 5\r\n', 'HTTP/1.1 200 OK\r\n'],
  }),
  ...repeated('http-header-values', (text) => parseSetCookie(text, 0), {
    'cookie attributes': ['a=b;'],
    'cookie spaces': [' ', 'a=b;'],
  }),
  ...repeated('http-header-values', parseContentType, {
    parameters: ['a=b;', 'text/html;'],
    'quotes without end': ['\\', 'text/html;a="'],
    spaces: [' ', 'text/html;'],
    semicolons: [';', 'text/html'],
  }),
  ...repeated('http-header-values', (text) => parseRetryAfter(text, 0), {
    'retry digits': ['5'],
    'retry spaces': [' ', '5', 'x'],
  }),
  ...repeated('http-header-values', parseHttpDate, {
    'date digits': ['1 '],
    'date spaces': [' ', 'Mon'],
    'date words': ['May '],
  }),
  ...repeated(
    'http-header-values',
    (text) => discoverHub([text], undefined, 'https://h/'),
    {
      links: ['<a>;rel=hub,'],
      brackets: ['<', 'hub'],
      parameters: [';a=b', '<a>;rel=hub'],
      quotes: [';a="', '<a>;rel=hub'],
      backslashes: ['\\', '<a>;rel=hub;a="'],
      spaces: [' ', '<a>;rel=hub'],
    },
    2_000,
  ),
  ...repeated('http-header-values', (text) => pageDirectives({ agent: 'a', metaRobots: [], xRobotsTag: [text] }), {
    directives: ['noindex,'],
    agents: ['bot:'],
    'directive spaces': [' ', 'noindex'],
  }),
  ...repeated('http-header-values', (text) => readContentUsage(text, 'x'), {
    'usage members': ['a=y,'],
    'usage spaces': [' ', 'a'],
    'usage quotes': ['\\"', 'a="'],
  }),
  ...repeated('http-body', (text) => new LooseChunks().rewrite(Buffer.from(text)), {
    chunks: ['1\na\n'],
    'empty lines': ['\n'],
    'trailer lines': ['a: b\n', '0\n'],
  }),
  {
    ...{ parser: 'http-body', grows: 'pieces of one byte', from: 8_192 },
    make: (size) => () => {
      const chunks = new LooseChunks();
      const piece = Buffer.from('1');
      for (let at = 0; at < size; at++) chunks.rewrite(piece);
    },
  },
  ...repeated('warc', (text) => parseRecordHead(Buffer.from(text)), {
    fields: ['a: b\r\n', warcHead, '\r\n'],
    'folded lines': [' b\r\n', `${warcHead}a: b\r\n`, '\r\n'],
    'one value': ['b', `${warcHead}a: `, '\r\n\r\n'],
  }),
  ...repeated('warc', (text) => parseHttpHead(Buffer.from(text)), {
    'HTTP fields': ['a: b\r\n', 'HTTP/1.1 200 OK\r\n', '\r\n'],
    'request words': ['A ', 'GET '],
  }),
  ...repeated('cdxj', parseCdxj, {
    fields: ['"a":"b",', 'a 20260504100000 {', '"c":"d"}'],
    key: ['a', '', ' 20260504100000 {}'],
    arrays: ['[', 'a 20260504100000 '],
  }),
  ...repeated('date', (text) => findDate(text), {
    words: ['word '],
    digits: ['1 2 '],
    'long number': ['1'],
    months: ['May '],
    'day and month': ['4 May '],
    dots: ['1.'],
    dashes: ['2026-'],
    slashes: ['/2026/05'],
  }),
  ...repeated('date', (text) => readTime(text), { spaces: [' ', '2026-05-04', 'x'], digits: ['1'] }),
  ...repeated('feed-date', parseFeedDate, {
    words: ['May '],
    digits: ['1 '],
    'long number': ['1'],
    colons: ['1:'],
    spaces: [' ', 'Mon'],
    commas: [','],
  }),
  ...repeated('language', (text) => identifier.identify(text), { words: ['word '], letters: ['a'], marks: ['\u0301'] }),
  ...repeated('analyzer', (text) => analyzer.analyze(text, 'en', () => {}), {
    words: ['running '],
    'one word': ['a'],
    hyphens: ['a-'],
    dots: ['a.'],
    apostrophes: ["a'"],
    ideographs: ['東'],
    marks: ['a\u0301'],
    digits: ['1,'],
    joiners: ['a_'],
    pluses: ['+'],
  }),
  // A query is cut at 8,000 characters, so eight times the smallest is just below.
  ...repeated(
    'query',
    (text) => parseQuery(text, (words, language) => analyzer.analyzeQuery(words, language, ['en', 'de'])),
    {
      words: ['cat '],
      quotes: ['"'],
      phrases: ['"a b" '],
      parentheses: ['('],
      'closing parentheses': [')'],
      groups: ['(a) '],
      alternatives: ['a OR '],
      minuses: ['-'],
      'minus words': ['-a '],
      operators: ['site:a '],
      colons: ['a:'],
      stars: ['a* '],
      hyphens: ['a-'],
      ideographs: ['東'],
      'one word': ['a'],
    },
    980,
  ),
  ...repeated(
    'settings',
    (text) => attempt(() => resolveSettings({ flags: { include: text.split(' ') } })),
    { patterns: ['*/a '] },
    4_096,
  ),
  ...repeated(
    'settings',
    (text) => attempt(() => resolveSettings({ flags: { [text]: '1' } })),
    { 'unknown name': ['a'] },
    128,
  ),
  ...repeated(
    'indexnow',
    (text) =>
      readSubmission(
        { method: 'POST', url: '/', headers: {}, body: Buffer.from(text) },
        indexNowLimits,
        defaultUrlOptions,
      ),
    {
      URLs: ['"https://h/a",', '{"host":"h","key":"01234567","urlList":[', '"https://h/b"]}'],
      arrays: ['[', '{"urlList":'],
    },
  ),
  ...repeated(
    'text-diff',
    (text) => textDiff(text, text.replaceAll('b', 'c')),
    { 'changed lines': ['a\nb\n'], 'same lines': ['a\n'] },
    4_096,
  ),
  ...patternCases,
] satisfies readonly GrowthCase[];

/** A documented error is a fair answer. */
function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
