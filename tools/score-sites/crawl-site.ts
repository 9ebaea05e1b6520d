import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { CrawlReader, createCrawl } from '../../src/index.ts';
import type { ReadPage } from './site-pages.ts';

/** Serves the folder on loopback, crawls it with default settings and no delay, and reads the crawl folder. */
export async function crawlSite(folder: string, paths: readonly string[]): Promise<readonly ReadPage[]> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = join(folder, normalize(path));
    if (!/\.html?$/.test(file) || !existsSync(file)) return void response.writeHead(404).end();
    response.setHeader('Content-Type', 'text/html');
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const work = mkdtempSync(join(tmpdir(), 'score-sites-'));
  const urlOf = (path: string): string => new URL(path.split('/').map(encodeURIComponent).join('/'), origin).href;
  try {
    const options = { allowPrivate: true, delay: 0, delayFactor: 0, maxDepth: 0, scope: 'host' } as const;
    const crawled = join(work, 'crawl');
    {
      await using crawl = await createCrawl({ folder: crawled, seeds: paths.map(urlOf), ...options });
      await crawl.run();
    }
    using reader = new CrawlReader(crawled);
    const pages: ReadPage[] = [];
    for (const path of paths) {
      const { page } = await reader.explain(urlOf(path));
      const facts = page?.facts;
      if (page?.outcome?.kind !== 'stored' || facts === undefined) continue;
      const { about, spam, nearDuplicateOf } = facts;
      const text = (await reader.textOf(await reader.get(urlOf(path)))) ?? '';
      pages.push({
        ...{ path, text, title: about?.title ?? '', authors: about?.authors ?? [], spam: spam?.score ?? 0 },
        ...(about?.published === undefined ? {} : { published: about.published }),
        ...(nearDuplicateOf === undefined
          ? {}
          : { nearTo: decodeURIComponent(nearDuplicateOf.url.slice(origin.length)) }),
      });
    }
    return pages;
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
    rmSync(work, { recursive: true, force: true });
  }
}
