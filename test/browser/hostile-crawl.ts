import { openSearchPage } from '../../src/cli/commands/search-page.ts';
import { updateIndex } from '../../src/index.ts';
import { crawlAnyHosts, type HostAnswer, textOf } from '../crawl/any-host-web.ts';
import { temporaryFolder } from '../crawl/crawl-web.ts';
import { docx, p, relationships } from '../unit/convert/documents/office-files.ts';
import { line, makePdf } from '../unit/convert/documents/pdf-maker.ts';

/** Runs where it becomes markup, and shows in the page where it does. */
export const MARKUP = `"'><img src=x onerror=window.owned=1><script>window.owned=2</script>`;
const ESCAPED = MARKUP.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
export const SITE = 'http://site.test/';
export const ODD = `${SITE}docs/${encodeURIComponent(MARKUP)}?q=${encodeURIComponent('<svg onload=window.owned=3>')}`;

/** What spreadsheets take for formulas. */
export const FORMULAS = ['=HYPERLINK("http://evil.example","x")', '+1+cmd|calc', '-2+3', '@SUM(1+1)', '\uff1d1+1'];

const LINKS = [
  ...['docs/', 'docs/one', 'docs/two', 'blog/', 'blog/a', 'blog/b', 'copy', 'gone', 'broken', 'secret/x', 'away'],
  ...['file.pdf', 'file.docx', 'saved', 'feed', ...FORMULAS.map((_, at) => `formula/${at}`)],
];

/** Documents whose titles and names are markup, too. */
const FILES: Readonly<Record<string, HostAnswer>> = {
  '/file.pdf': {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${encodeURIComponent('<script>window.owned=9</script>')}.pdf"`,
    },
    body: makePdf({
      pages: [line('A stored paper on window.owned', 72, 700)],
      info: `/Title (PDF ${MARKUP}) /Author (${MARKUP})`,
    }),
  },
  '/file.docx': {
    headers: {
      'content-type': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'content-disposition': "attachment; filename*=UTF-8''%3Cimg%20src%3Dx%20onerror%3Dwindow.owned%3D10%3E.docx",
    },
    body: docx(p(`${ESCAPED} A letter on window.owned`), {
      '_rels/.rels': relationships(
        ['rId1', 'officeDocument', 'word/document.xml'],
        ['rId2', 'metadata/core-properties', 'docProps/core.xml'],
      ),
      'docProps/core.xml': `<cp:coreProperties><dc:title>Office ${ESCAPED}</dc:title><dc:creator>${ESCAPED}</dc:creator></cp:coreProperties>`,
    }),
  },
  '/saved': {
    headers: {
      'content-type': 'text/html; charset="><script>window.owned=11</script>',
      'content-disposition': 'attachment; filename="<svg onload=window.owned=12>.html"',
    },
    body: `<title>Saved</title><p>${textOf('saved')}`,
  },
  '/feed': {
    headers: { 'content-type': 'application/rss+xml' },
    body: `<rss version="2.0"><channel><title>Feed ${ESCAPED}</title><link>${SITE}</link><description>${ESCAPED} ${textOf('feed')}</description></channel></rss>`,
  },
  '/away': { status: 302, headers: { location: `javascript:window.owned=13//${encodeURIComponent(MARKUP)}` } },
};

/** A site that puts markup wherever a crawler looks. */
export function hostileSite({ href, pathname, host }: URL): HostAnswer | undefined {
  if (host !== 'site.test') return undefined;
  if (pathname === '/robots.txt')
    return {
      body: `User-agent: *\nDisallow: /secret/${MARKUP}\nDisallow: /secret/\n# ${MARKUP}\nSitemap: ${SITE}map.xml?${MARKUP}\n`,
      headers: { 'x-odd': '<script>window.owned=4</script>' },
    };
  if (pathname === '/gone') return { status: 404, body: `<title>${ESCAPED}</title>${ESCAPED}` };
  const file = FILES[pathname];
  if (file !== undefined) return file;
  const formula = FORMULAS[Number(/^\/formula\/(\d)$/.exec(pathname)?.[1])];
  if (formula !== undefined)
    return { body: `<title>${formula.replaceAll('"', '&quot;')}</title><p>${textOf(pathname)}</p>` };
  if (pathname === '/broken') return { status: 500, body: MARKUP };
  const text = textOf(pathname === '/copy' ? `${SITE}docs/one` : href);
  const links = [...LINKS.map((path) => SITE + path), ODD]
    .map((url) => `<p><a href="${url.replaceAll('&', '&amp;')}">${ESCAPED} ${url.length}</a></p>`)
    .join('');
  return {
    headers: { 'x-odd': '<script>window.owned=5</script>', etag: `"${href.length}<b>"` },
    body: `<!doctype html><html lang="en"><head><title>${ESCAPED} ${pathname.length}</title><meta name="description" content="${ESCAPED}"><meta name="author" content="${ESCAPED}"></head><body><article><h1>${ESCAPED}</h1><p>${ESCAPED} ${text}</p></article>${links}</body></html>`,
  };
}

/** A crawl of that site, with its index. */
export async function crawlHostileSite(folder: string): Promise<void> {
  const settings = { delay: 20, softNotFound: false, retries: 0, backoffStart: 50, maxWait: 1000 } as const;
  await crawlAnyHosts(hostileSite, folder, [SITE], settings);
  await updateIndex(folder);
}

export interface ServedCrawl extends AsyncDisposable {
  readonly url: string;
  readonly folder: string;
}

/** The same, served as `orbweaver serve` does it. */
export async function serveHostileCrawl(): Promise<ServedCrawl> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder()).path;
  await crawlHostileSite(folder);
  const { url } = opened.use(await openSearchPage({ dir: folder, port: '0', host: '127.0.0.1', title: 'A crawl' }));
  const parts = opened.move();
  return { url, folder, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
