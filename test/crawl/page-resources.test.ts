import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crawlAnyHosts, type HostAnswer, pageOf, textOf } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

const SITE = 'http://site.test';

const FILES: Readonly<Record<string, HostAnswer>> = {
  '/main.css': {
    headers: { 'content-type': 'text/css' },
    body: '@import "more.css"; @font-face{src:url(font.woff2)} a{b:url(#in-page)}',
  },
  '/more.css': { headers: { 'content-type': 'text/css' }, body: 'p{background:url(/pictures/a.png)}' },
  '/inline.png': { headers: { 'content-type': 'image/png' }, body: 'x' },
  '/font.woff2': { headers: { 'content-type': 'font/woff2' }, body: 'wOF2' },
  '/pictures/a.png': { headers: { 'content-type': 'image/png' }, body: 'y' },
};

function answer({ pathname }: URL): HostAnswer | undefined {
  const head = '<link rel=stylesheet href=/main.css><style>b{background:url(inline.png)}</style>';
  return pathname === '/' ? pageOf('Home', textOf('home'), [], head) : FILES[pathname];
}

test('with resources, style sheets lead on to the sheets, pictures and fonts that they name', async () => {
  const askedWith = async (resources: boolean): Promise<string[]> => {
    using folder = temporaryFolder();
    const { asked } = await crawlAnyHosts(answer, folder.path, [`${SITE}/`], { resources });
    return asked.filter((url) => !url.endsWith('/robots.txt')).map((url) => new URL(url).pathname);
  };
  assert.deepEqual((await askedWith(true)).sort(), ['/', ...Object.keys(FILES)].sort());
  assert.deepEqual(await askedWith(false), ['/']);
});
