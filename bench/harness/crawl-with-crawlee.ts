/**
 * Crawlee's browser crawler over a web, in a process of its own: `node crawl-with-crawlee.ts DIR ORDER`. DIR is a folder in which
 * `npm install crawlee puppeteer` (or `@crawlee/puppeteer puppeteer`) was run; ORDER is a `CrawleeOrder` as JSON. Prints a `CrawleeResult`.
 */
import dns from 'node:dns';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface CrawleeOrder {
  readonly seeds: readonly string[];
  readonly browser: string;
  readonly concurrency: number;
  /** Addresses of hosts that have none in the name system. */
  readonly hosts: Readonly<Record<string, string>>;
}

export interface CrawleeResult {
  readonly version: string;
  /** Addresses of the pages that its handler saw, after redirects. */
  readonly urls: readonly string[];
  readonly failed: number;
}

interface Handled {
  readonly request: { readonly url: string; readonly loadedUrl?: string };
  readonly page: { title(): Promise<string>; content(): Promise<string> };
  enqueueLinks(options: object): Promise<unknown>;
  pushData(data: object): Promise<void>;
}

interface Crawlee {
  readonly PuppeteerCrawler: new (
    options: object,
    configuration: object,
  ) => { run(seeds: readonly string[]): Promise<{ readonly requestsFailed: number }> };
  readonly Configuration: new (options: object) => object;
  readonly log: { setLevel(level: number): void };
}

const [folder, order] = process.argv.slice(2);
const { seeds, browser, concurrency, hosts } = JSON.parse(order) as CrawleeOrder;
const rules = Object.entries(hosts).map(([host, address]) => `MAP ${host} ${address}`);
const flags = ['--no-sandbox', `--host-resolver-rules=${rules.join(', ')}`];
// It reads robots.txt by itself, outside the browser.
const { lookup } = dns;
const known = (host: string, ...rest: unknown[]): unknown =>
  (lookup as (...args: unknown[]) => unknown)(hosts[host] ?? host, ...rest);
Object.assign(dns, { lookup: known });
const name = ['crawlee', '@crawlee/puppeteer'].find((it) => existsSync(join(folder, 'node_modules', it)));
if (name === undefined) throw new Error(`No Crawlee in ${folder}: run npm install crawlee puppeteer there.`);
const modules = createRequire(join(folder, 'package.json'));
const { PuppeteerCrawler, Configuration, log } = (await import(pathToFileURL(modules.resolve(name)).href)) as Crawlee;
const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
log.setLevel(1);
const urls: string[] = [];
const crawler = new PuppeteerCrawler(
  {
    ...{ minConcurrency: concurrency, maxConcurrency: concurrency, respectRobotsTxtFile: true, headless: true },
    launchContext: { launchOptions: { executablePath: browser, args: flags } },
    async requestHandler({ request, page, enqueueLinks, pushData }: Handled) {
      urls.push(request.loadedUrl ?? request.url);
      await pushData({ url: request.url, title: await page.title(), html: await page.content() });
      await enqueueLinks({ strategy: 'same-hostname' });
    },
  },
  new Configuration({ purgeOnStart: true, storageClientOptions: { localDataDirectory: join(folder, 'storage') } }),
);
const { requestsFailed } = await crawler.run(seeds);
console.log(JSON.stringify({ version, urls, failed: requestsFailed } satisfies CrawleeResult));
