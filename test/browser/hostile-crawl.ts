import { systemClock } from '../../src/base/clock.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { updateIndex } from '../../src/index.ts';
import { openSearchThreads } from '../../src/search/threads/search-threads.ts';
import { CrawlFolderReader } from '../../src/web/crawl-folder-reader.ts';
import { FolderWatch } from '../../src/web/dashboard/folder-watch.ts';
import { FolderFacts } from '../../src/web/folder-facts.ts';
import { FolderGraph } from '../../src/web/graph/folder-graph.ts';
import { type Listening, startWebApp } from '../../src/web/http/listen.ts';
import { WebApp } from '../../src/web/web-app.ts';
import { crawlAnyHosts, type HostAnswer, textOf } from '../crawl/any-host-web.ts';
import { temporaryFolder } from '../crawl/crawl-web.ts';

/** Runs where it becomes markup, and shows in the page where it does. */
export const MARKUP = `"'><img src=x onerror=window.owned=1><script>window.owned=2</script>`;
const ESCAPED = MARKUP.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
export const SITE = 'http://site.test/';
export const ODD = `${SITE}docs/${encodeURIComponent(MARKUP)}?q=${encodeURIComponent('<svg onload=window.owned=3>')}`;

const LINKS = ['docs/', 'docs/one', 'docs/two', 'blog/', 'blog/a', 'blog/b', 'copy', 'gone', 'broken', 'secret/x'];

/** A site that puts markup wherever a crawler looks. */
export function hostileSite({ href, pathname, host }: URL): HostAnswer | undefined {
  if (host !== 'site.test') return undefined;
  if (pathname === '/robots.txt')
    return {
      body: `User-agent: *\nDisallow: /secret/${MARKUP}\nDisallow: /secret/\n# ${MARKUP}\nSitemap: ${SITE}map.xml?${MARKUP}\n`,
      headers: { 'x-odd': '<script>window.owned=4</script>' },
    };
  if (pathname === '/gone') return { status: 404, body: `<title>${ESCAPED}</title>${ESCAPED}` };
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

export interface ServedCrawl extends AsyncDisposable {
  readonly listening: Listening;
  readonly folder: string;
}

/** A crawl of that site, with its index, behind the app as `serve` starts it. */
export async function serveHostileCrawl(): Promise<ServedCrawl> {
  const folder = temporaryFolder();
  const settings = { delay: 20, softNotFound: false, retries: 0, backoffStart: 50, maxWait: 1000 } as const;
  await crawlAnyHosts(hostileSite, folder.path, [SITE], settings);
  await updateIndex(folder.path);
  return serveFolder(folder.path, () => folder[Symbol.dispose]());
}

export async function serveFolder(folder: string, end: () => void = () => {}): Promise<ServedCrawl> {
  const opened = new AsyncDisposableStack();
  opened.defer(end);
  const search = opened.use(await openSearchThreads(folder));
  const crawl = opened.use(new CrawlReader(folder));
  const app = new WebApp({
    ...{ search, title: 'A crawl', reader: new CrawlFolderReader(crawl), changes: crawl },
    watch: opened.use(new FolderWatch(folder, systemClock)),
    facts: opened.use(new FolderFacts(folder, crawl)),
    graph: opened.use(new FolderGraph(folder)),
  });
  const listening = opened.use(await startWebApp(app));
  return { listening, folder, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
