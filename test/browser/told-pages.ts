import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PageFacts } from '../../src/contracts/content/page-facts.ts';
import { documentText } from '../../src/crawl/content/document-text.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { createCrawl } from '../../src/index.ts';
import { temporaryFolder } from '../crawl/crawl-web.ts';

export interface ToldPage {
  readonly facts: PageFacts;
  /** The main text of the page as it was shown. */
  readonly text: string;
  /** What speaks for spam. */
  readonly spam: string;
}

/** Crawls documents of these names, and tells what became known of each. Those that end in `.css` are sheets. */
export async function toldPages(
  documents: Readonly<Record<string, string>>,
  render: 'always' | 'never',
): Promise<Record<string, ToldPage>> {
  const names = Object.keys(documents).filter((name) => !name.endsWith('.css'));
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1);
    if (name === 'robots.txt') return void response.writeHead(404).end();
    const type = name.endsWith('.css') ? 'text/css' : 'text/html';
    const links = names.map((page) => `<a href="/${page}">${page}</a>`).join(' ');
    response.setHeader('content-type', type).end(documents[name] ?? `<!doctype html><title>All</title>${links}`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    return await told(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, names, render);
  } finally {
    server.close();
  }
}

async function told(
  origin: string,
  names: readonly string[],
  render: 'always' | 'never',
): Promise<Record<string, ToldPage>> {
  using folder = temporaryFolder();
  const where = { folder: folder.path, seeds: [`${origin}/`], allowPrivate: true, render };
  await using run = await createCrawl({
    ...{ ...where, delay: 0, delayFactor: 0, workers: 0, sitemaps: 'off', trapLearning: false, index: false },
    ...{ softNotFound: false, renderTimeout: 90_000, nearDuplicates: false },
  });
  await run.run();
  using reader = new CrawlReader(folder.path);
  const found: Record<string, ToldPage> = {};
  for (const name of names) {
    const { page } = await reader.explain(`${origin}/${name}`);
    assert.ok(page?.facts !== undefined, name);
    const { body, url } = await reader.shown(await reader.get(`${origin}/${name}`));
    const spam = (page.facts.spam?.signs ?? []).map((sign) => `${sign.technique}: ${sign.evidence}`).join('; ');
    found[name] = { facts: page.facts, text: await documentText(body, url, 'text/html', 'text'), spam };
  }
  return found;
}
