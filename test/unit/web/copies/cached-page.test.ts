import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5';
import { cachedPageReply } from '../../../../src/web/copies/cached-page.ts';
import { propertyRuns } from '../../../property-runs.ts';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

const OURS = 'https://site.example/folder/';

function reply(markup: string): string {
  const about = { url: 'https://site.example/page', date: 1, versions: 2, base: OURS };
  return String(cachedPageReply({ ...about, origin: 'http://127.0.0.1:8080', live: false, missing: 1, markup }).body);
}

function* elements(node: Node): Generator<Element> {
  if (defaultTreeAdapter.isElementNode(node)) yield node;
  if ('content' in node) yield* elements(node.content);
  if ('childNodes' in node) for (const child of node.childNodes) yield* elements(child);
}

/** What a browser makes of the reply: the banner is the first child of the body, whole, and the first base is ours. */
function assertBanner(markup: string): void {
  const document = parse(reply(markup));
  const root = document.childNodes.find((node) => defaultTreeAdapter.isElementNode(node));
  assert.ok(root !== undefined && root.nodeName === 'html', markup);
  const body = (root as Element).childNodes.find((node) => node.nodeName === 'body') as Element | undefined;
  const banner = body?.childNodes[0] as Element | undefined;
  assert.equal(banner?.nodeName, 'orbweaver-banner', `${markup}: the banner is not the first of the body`);
  const links = [...elements(banner)].filter(({ nodeName }) => nodeName === 'a');
  assert.equal(links.length, 5, `${markup}: the banner is not whole`);
  const base = [...elements(document)].find(({ nodeName }) => nodeName === 'base');
  assert.equal(base?.attrs.find(({ name }) => name === 'href')?.value, OURS, markup);
  for (const element of [root as Element, body as Element]) {
    const style = element.attrs.find(({ name }) => name === 'style')?.value ?? '';
    assert.match(style, /opacity:1!important.*clip-path:none!important/, `${markup}: the page has another style there`);
  }
}

/** Ways to keep a parser from what follows, or to undo what came before. */
const TRICKS = [
  '<!-- --!><textarea> --><!doctype html>',
  ...['<!-- --!><textarea>', '<!--><title>', '<!---><style>', '<!-- --><script>', '<!-- <!-- --!> --><plaintext>'],
  ...[
    '<!--',
    '<!-',
    '<!',
    '<',
    '<!doctype',
    '<!doctype html',
    '<!doctype html "',
    '<!-- open',
    '<?',
    '</',
    '<![CDATA[',
  ],
  ...['<textarea>', '<title>', '<style>', '<script>"', '<script><!--<script>', '<noscript>', '<template>', '<select>'],
  ...['<svg><title>', '<math><mi>', '<svg><style>', '<svg><foreignObject>', '<table><tr>', '<xmp>', '<iframe>'],
  ...['<noembed>', '<noframes>', '<plaintext>', '<a title="', "<a title='", '<a href=', '<frameset><frame src="/">'],
  ...['<base href="https://evil.example/">', '<base target=_self>', '</html></body>', '</template></orbweaver-banner>'],
  ...['<html style="opacity:0">', '<body style="display:none">', '<head>', '<body>', '<html hidden>', '\ufeff', '\0'],
  ...['<!doctype html>', '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">'],
  ...['<?xml version="1.0"?>', '<!doctype html><!--', '-->', '--!>', '>', '"', ' ', '\n', 'text', '&lt;', '', '<p>x'],
];

test('no way of opening or closing anything swallows the banner or comes before our base', () => {
  for (const trick of TRICKS) assertBanner(trick);
  for (const first of TRICKS) for (const second of TRICKS) assertBanner(first + second);
});

test('nor does any mix of them, or of characters that mean something', () => {
  const piece = fc.oneof(
    fc.constantFrom(...TRICKS),
    fc.string({ unit: fc.constantFrom(...'<>!-/?"\'=ax \n'), maxLength: 8 }),
  );
  const prefix = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(fc.property(prefix, assertBanner), { numRuns: propertyRuns(1000) });
});

test('a page is laid out by the rules it was written for', () => {
  const beginnings = [
    '',
    '<!-- a -->',
    '<!-->',
    '<!--->',
    '<!-- --!>',
    '<?xml version="1.0"?>',
    '\ufeff \n',
    '<!-- --',
    'x',
  ];
  const doctypes = [
    ...['', '<!doctype html>', '<!DOCTYPE HTML >', '<!doctypehtml>', '<!DOCTYPE html SYSTEM "about:legacy-compat">'],
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">',
  ];
  for (const beginning of beginnings) {
    for (const doctype of doctypes) {
      const markup = `${beginning}${doctype}<p>x`;
      // A byte order mark is gone before a browser parses.
      assert.equal(parse(reply(markup)).mode, parse(markup.replace(/^\ufeff/, '')).mode, markup);
    }
  }
});

test('attributes of the page’s own HTML and BODY tags are kept, but for styles', () => {
  const found = [...elements(parse(reply('<!doctype html><html lang="de" style="opacity:0"><body class="a">x')))];
  const attrs = (name: string): string =>
    (found.find(({ nodeName }) => nodeName === name)?.attrs ?? [])
      .map((attr) => `${attr.name}=${attr.value}`)
      .join(' ');
  assert.match(attrs('html'), /lang=de/);
  assert.match(attrs('body'), /class=a/);
});

test('many comments before a doctype, or one without an end, take no time to speak of', () => {
  for (const markup of ['<!-- a -->'.repeat(100_000), `<!--${'-'.repeat(1_000_000)}`, '<!-- -'.repeat(200_000)])
    assert.ok(reply(`${markup}<p>x`).startsWith('<html style='));
});
