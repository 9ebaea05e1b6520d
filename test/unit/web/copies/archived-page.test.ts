import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5';
import { serve } from '../serving.ts';
import { type SmallCopy, SmallReader } from '../small-reader.ts';

type Node = DefaultTreeAdapterMap['node'];

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const WOFF2 = Buffer.from('wOF2 a font');
const SITE = 'https://site.example';

function copy(path: string, body: string | Uint8Array, contentType: string, closed?: true): SmallCopy {
  return { url: SITE + path, date: 1, body, contentType, ...(closed === undefined ? {} : { closed }) };
}

/** What the page at / looks like in the archive: the attributes of every element by its id, and the policy. */
async function show(markup: string, others: readonly SmallCopy[], query = '') {
  const reader = new SmallReader([copy('/', markup, 'text/html; charset=utf-8'), ...others]);
  await using served = await serve({ reader });
  const { text, headers } = await served.get(`/cached?url=${encodeURIComponent(`${SITE}/`)}${query}`);
  const byId = new Map<string, Record<string, string>>();
  const visit = (node: Node): void => {
    if (defaultTreeAdapter.isElementNode(node)) {
      const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
      if (attributes.id !== undefined) byId.set(attributes.id, attributes);
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(text));
  const origin = served.listening.url.replace(/\/$/, '');
  return { of: (id: string) => byId.get(id) ?? {}, text, origin, policy: String(headers['content-security-policy']) };
}

function decoded(dataUrl = ''): string {
  const [, head = '', body = ''] = /^data:([^,]*),(.*)$/s.exec(dataUrl) ?? [];
  return head.endsWith(';base64') ? Buffer.from(body, 'base64').toString() : decodeURIComponent(body);
}

test('style sheets, pictures and fonts come from the archive, as a part of the page', async () => {
  const page = `<link id=sheet rel=stylesheet href=css/main.css integrity="sha256-x" crossorigin>
<img id=held src="/a.png" alt=a><img id=set srcset="/none.png 2x, /a.png 1x"><p id=inline style="background:url(/a.png)">
<style>p{background:url('a.png')}</style><img id=none src=/none.png>`;
  const css = `@import "more.css"; @font-face{src:url(f.eot);src:url(f.woff2) format("woff2"),url(f.ttf)} p{background:url(../a.png#x)} /* ünï */`;
  const { of, text, policy } = await show(page, [
    copy('/css/main.css', css, 'text/css'),
    copy('/css/more.css', '@import url(main.css); b{color:red}', 'text/css'),
    copy('/css/f.woff2', WOFF2, 'font/woff2'),
    copy('/css/f.ttf', Buffer.from('true type'), 'font/ttf'),
    copy('/a.png', PNG, 'image/png'),
  ]);
  const picture = `data:image/png;base64,${PNG.toString('base64')}`;
  const sheet = decoded(of('sheet').href);
  assert.equal(of('sheet').integrity, '');
  assert.ok(sheet.includes(`p{background:url("${picture}")}`), sheet);
  assert.ok(sheet.includes(`url("data:font/woff2;base64,${WOFF2.toString('base64')}") format("woff2"),url(f.ttf)`));
  assert.match(sheet, /\/\* ünï \*\/$/);
  const imported = decoded(/@import url\("([^"]*)"\)/.exec(sheet)?.[1]);
  assert.equal(imported, '@import url(main.css); b{color:red}', 'a circle of imports ends');
  assert.equal(of('held').src, picture);
  assert.equal(of('set').srcset, `${picture} 1x`, 'no candidate that is not held');
  assert.equal(of('inline').style, `background:url("${picture}")`);
  assert.ok(text.includes(`<style>p{background:url("${picture}")}</style>`));
  assert.equal(of('none').src, '/none.png');
  assert.match(
    policy,
    /img-src data:; style-src 'unsafe-inline' data:; font-src data:; media-src data:; script-src 'none'/,
  );
  assert.match(text, /live=1"[^>]*>Load</);
});

test('only what is what it says, and may be shown, becomes a part of the page', async () => {
  const page = '<img id=fake src=/fake.png><img id=shy src=/shy.png><link id=sheet rel=stylesheet href=/page>';
  const { of } = await show(page, [
    copy('/fake.png', '<script>x</script>', 'image/png'),
    copy('/shy.png', PNG, 'image/png', true),
    copy('/page', '<p>a page', 'text/html'),
  ]);
  assert.deepEqual([of('fake').src, of('shy').src, of('sheet').href], ['/fake.png', '/shy.png', '/page']);
});

test('links stay in the archive where it holds their target; others lead to the live page and are marked', async () => {
  const page = `<a id=held href="/held?a=1&amp;b=2#part">x</a><a id=live href=other>x</a><a id=place href="#top">x</a><a id=shy href=/shy>x</a>
<a id=code href="javascript:alert(1)">x</a><a id=mail href="mailto:a@b.c">x</a><textarea><a id=text href="/held"></textarea><script>"<a href='/held'>"</script>`;
  const { of, text, origin } = await show(page, [
    copy('/held?a=1&b=2', 'x', 'text/html'),
    copy('/held', 'x', 'text/html'),
    copy('/shy', 'x', 'text/html', true),
  ]);
  const at = 'at=1970-01-01T00%3A00%3A00.001Z';
  assert.equal(of('held').href, `${origin}/cached?url=https%3A%2F%2Fsite.example%2Fheld%3Fa%3D1%26b%3D2&${at}#part`);
  assert.equal(of('held')['data-orbweaver-live'], undefined);
  assert.deepEqual(of('live'), { id: 'live', href: `${SITE}/other`, 'data-orbweaver-live': '' });
  assert.equal(
    of('place').href,
    `${origin}/cached?url=https%3A%2F%2Fsite.example%2F#top`,
    'the place that is looked at',
  );
  assert.deepEqual(of('shy'), { id: 'shy', href: `${SITE}/shy`, 'data-orbweaver-live': '' });
  assert.equal(of('code').href, 'javascript:alert(1)', 'the sandbox runs none');
  assert.equal(of('mail').href, 'mailto:a@b.c');
  assert.ok(text.includes('<textarea><a id=text href="/held"></textarea><script>"<a href=\'/held\'>"</script>'));
});

test('no element of a page makes a browser connect to a host before anybody follows a link', async () => {
  const evil = 'href="https://evil.example/"';
  const { text, of } = await show(
    `<link rel=preconnect ${evil}><LINK\trel="dns-prefetch" ${evil}><link/rel="stylesheet pre&#99;onnect" ${evil}>
<link rel=icon ${evil}><noscript><link rel=preconnect ${evil}></noscript><svg><style><p><link rel=preconnect ${evil}></style></svg>
<svg><title><link rel=preconnect ${evil}></title></svg><iframe id=frame src=//evil.example srcdoc="<link rel=preconnect href=//evil.example>"></iframe><link id=sheet rel="preload stylesheet" href=/a.css>`,
    [copy('/a.css', 'p{}', 'text/css')],
  );
  assert.deepEqual(of('frame'), { id: 'frame', srcdoc: '', src: '' });
  assert.deepEqual(text.replace(/<iframe[^>]*>/, '').match(/<link[^>]*>/gi), [
    '<link id=sheet rel="preload stylesheet" href="data:text/css;charset=utf-8,p%7B%7D">',
  ]);
});

test('what is not replaced stays as it was, to the last character', async () => {
  const page = `<!doctype html>\n<p title='ü "x" &amp;' data-x=a"b>größer 😀 &lt;<a name=x>y</a><a href>z</a><img alt="<" src='data:,'>\u00a0\0<b`;
  assert.ok((await show(page, [])).text.endsWith(page));
});

test('a page that names large pictures a hundred times stays within bounds', async () => {
  const large = Buffer.concat([PNG, Buffer.alloc(1_000_000)]);
  const { text } = await show('<img src=/a.png>'.repeat(100), [copy('/a.png', large, 'image/png')]);
  assert.ok(text.length > 10_000_000 && text.length < 20_000_000, `${text.length}`);
});

test('a page with very many links and parts asks for a bounded number of them', async () => {
  let asked = 0;
  class CountingReader extends SmallReader {
    override shownCopyOf(url: string): string | undefined {
      asked++;
      return super.shownCopyOf(url);
    }
  }
  const parts = Array.from({ length: 20_000 }, (_, at) => `<a href=/${at}>x</a><img src=/${at}.png>`).join('');
  await using served = await serve({ reader: new CountingReader([copy('/', parts, 'text/html')]) });
  const { status } = await served.get(`/cached?url=${encodeURIComponent(`${SITE}/`)}`);
  assert.equal(status, 200);
  assert.ok(asked <= 5_600, `${asked}`);
});
