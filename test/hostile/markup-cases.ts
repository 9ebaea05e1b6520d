import { pour } from './byte-pour.ts';
import { type HostileCase, REQUEST_SECONDS } from './hostile-case.ts';
import { head } from './hostile-message.ts';

const MEBIBYTE = 1024 * 1024;
const START = '<!doctype html><html><head><title>monster</title></head><body>';

/**
 * A page made of a start, one piece many times, and an end; pieces may depend on their number. Its own links are refused by
 * robots.txt: each is filed, none is asked for.
 */
function markup(
  name: string,
  start: string,
  piece: string | ((i: number) => string),
  times: number,
  bound = 'max-body',
  end = '',
): HostileCase {
  return {
    ...{ name: `html-${name}`, group: 'markup', bound, expect: ['stored', 'refused robots'] },
    ...{ maxBytes: 64 * MEBIBYTE, maxSeconds: REQUEST_SECONDS.body, maxRequests: 8 },
    robots: (socket) =>
      void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 36\r\n\r\nUser-agent: *\nDisallow: /in-scope/\n\n'),
    answer: (socket) => {
      socket.write(head(['Content-Type: text/html; charset=utf-8', 'Connection: close']));
      pour(socket, batches(start, piece, times, end), () => socket.end());
    },
  };
}

function* batches(
  start: string,
  piece: string | ((i: number) => string),
  times: number,
  end: string,
): Generator<Buffer> {
  yield Buffer.from(start);
  const size = 1000;
  const same = typeof piece === 'string' ? Buffer.from(piece.repeat(size)) : undefined;
  for (let at = 0; at < times; at += size) {
    const count = Math.min(size, times - at);
    if (typeof piece === 'string') yield count === size ? (same as Buffer) : Buffer.from(piece.repeat(count));
    else yield Buffer.from(Array.from({ length: count }, (_, i) => piece(at + i)).join(''));
  }
  yield Buffer.from(end);
}

/** Pages that are dear to parse. */
export const MARKUP_CASES: readonly HostileCase[] = [
  markup(
    'million-links',
    START,
    (i) => `<a href="http://elsewhere.test/${i}">x</a>`,
    1_000_000,
    'max-body; links of a page are bounded',
  ),
  markup(
    'links-in-scope',
    START,
    (i) => `<a href="/in-scope/${i}">word ${i}</a>`,
    50_000,
    'robots.txt forbids all of them: no request is made',
  ),
  markup(
    'long-links',
    START,
    (i) => `<a href="/in-scope/${i}${'/segment'.repeat(2000)}">x</a>`,
    1000,
    'max-url-length',
  ),
  markup('deep-div', START, '<div>', 100_000),
  markup('deeper-div', START, '<div>', 3_000_000),
  markup('deep-mixed', START, '<div><b><i><ul><li><table><tr><td>', 100_000),
  markup('deep-formatting', START, (i) => `<b class=c${i}><p>`, 300_000),
  markup('misnested', START, '<b><i></b></i><a><div></a>word', 500_000),
  markup('attribute', `${START}<p title="`, 'x', 10 * MEBIBYTE, 'max-body', '">word</p>'),
  markup('attribute-entities', `${START}<p title="`, '&amp;', 3_000_000, 'max-body', '">word</p>'),
  markup('attributes', `${START}<p `, (i) => `a${i}=1 `, 1_500_000, 'max-body', '>word</p>'),
  markup('text', START, 'word and another word ', 2_400_000),
  markup('one-word', START, 'x', 50 * MEBIBYTE),
  markup('distinct-words', START, (i) => `w${i} `, 2_000_000),
  markup('table', `${START}<table>`, '<tr><td>1</td><td>2</td><td>three</td></tr>', 400_000),
  markup('nested-tables', START, '<table><tr><td>x', 500_000),
  markup('comment-open', `${START}<!--`, '<p>-- >', 2_000_000),
  markup('comments', START, '<!-- -->', 2_000_000),
  markup('script-open', `${START}<script>`, '</scrip', 2_000_000),
  markup('cdata', START, '<![CDATA[ ]]>', 1_200_000),
  markup('lt', START, '<', 16 * MEBIBYTE),
  markup('lt-bang', START, '<!', 8 * MEBIBYTE),
  markup('amp', START, '&', 16 * MEBIBYTE),
  markup('quotes', `${START}<a href="`, '"\'<a href=', 1_500_000),
  markup('titles', '<html><head>', (i) => `<title>t${i}</title><meta name=description content="d${i}">`, 300_000),
  markup(
    'metas',
    '<html><head>',
    (i) => `<meta name="robots" content="x${i}"><meta property="og:title" content="${i}">`,
    200_000,
  ),
  markup('json-ld', '<html><head>', () => `<script type="application/ld+json">${'['.repeat(2000)}</script>`, 4000),
  markup('json-ld-deep', '<html><head><script type="application/ld+json">', '[', 5_000_000, 'max-body', '</script>'),
  markup(
    'srcset',
    START,
    (i) => `<img srcset="${Array.from({ length: 50 }, (_, j) => `/${i}/${j}.png ${j}w`).join(',')}">`,
    10_000,
  ),
  markup('bases', '<html><head>', (i) => `<base href="http://b${i}.test/"><a href="x">x</a>`, 200_000),
  markup(
    'base-javascript',
    '<html><head><base href="javascript:alert(1)"></head><body>',
    (i) => `<a href="in-scope/${i}">x</a>`,
    1000,
    'a base that is no address is ignored',
  ),
  markup('hidden-text', START, '<span style="display:none;color:#fff;font-size:0">word</span>', 250_000),
  markup('paragraphs', START, (i) => `<p>Some words of a sentence, number ${i}, with a comma.</p>`, 280_000),
  markup('headings', START, (i) => `<h${(i % 6) + 1}>heading ${i}</h${(i % 6) + 1}>`, 400_000),
  markup(
    'links-and-text',
    START,
    (i) => `<li><a href="http://elsewhere.test/${i}">some words of a link</a> more words</li>`,
    150_000,
  ),
  // Its links lead to the same page under other addresses, which robots.txt does not name.
  { ...markup('nul-bytes', START, '\0<a href="\0/in-scope/\0">\0</a>', 500_000), expect: ['stored', 'duplicate'] },
  markup('control-links', START, (i) => `<a href="\t/in\n-scope/${i}\r">x</a><a href="java\nscript:x">y</a>`, 20_000),
  markup('svg-deep', START, '<svg><foreignObject>', 500_000),
  markup('template-deep', START, '<template><div>', 700_000),
  markup('select-options', `${START}<select>`, '<option value=1>one', 800_000),
];
