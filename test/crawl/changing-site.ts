import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../src/base/clock.ts';
import { resolveSettings } from '../../src/base/settings/resolve-settings.ts';
import type { Settings } from '../../src/base/settings/schema.ts';
import type { CrawlEvents } from '../../src/contracts/events.ts';
import { openCrawl } from '../../src/crawl/assemble.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { textOf } from './any-host-web.ts';
import { StepClock } from './step-clock.ts';

export const DAY = 86_400_000;
/** Looks every 20 ms, two minutes' worth at most. Looks are counted: time also passes while the machine is busy elsewhere. */
const MOST_LOOKS = 6000;
/** Thousands of steps: a busy machine is no broken site. */
const LONG = 20 * DAY;
const PATIENT = {
  connectTimeout: LONG,
  headersTimeout: LONG,
  bodyTimeout: LONG,
  totalTimeout: LONG,
  lease: 3 * LONG,
  minRate: 0,
};

export interface Asked {
  readonly method: string;
  readonly path: string;
}

export interface SiteWays {
  /** What HEAD is answered with; undefined: as it should be. */
  readonly head?: (path: string, length: number) => { status: number; length?: number };
  readonly headers?: (body: string) => Record<string, string>;
}

/** A site without validators, whose pages are what the test says they are at the moment. */
export async function serveSite(pages: Map<string, string>, { head, headers = () => ({}) }: SiteWays = {}) {
  const asked: Asked[] = [];
  let sent = 0;
  const server = createServer((request, response) => {
    const { url: path = '/', method = '' } = request;
    asked.push({ method, path });
    const body = pages.get(path);
    if (body === undefined) return void response.writeHead(404).end();
    const bytes = Buffer.from(body);
    const told = method === 'HEAD' ? head?.(path, bytes.length) : undefined;
    const length = told === undefined ? bytes.length : told.length;
    response.writeHead(told?.status ?? 200, {
      'content-type': 'text/html',
      ...(length === undefined ? {} : { 'content-length': length }),
      ...headers(body),
    });
    if (method === 'HEAD') return void response.end();
    sent += bytes.length;
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    /** Bytes of bodies. */
    sent: () => sent,
    times: (method: string, path?: string) =>
      asked.filter((one) => one.method === method && (path === undefined || one.path === path)).length,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A page of so many bytes at the least, most of them outside of its text. */
export function largePage(name: string, text: string, links: readonly string[] = [], bytes = 20_000): string {
  const around = `<script>/*${'x'.repeat(bytes)}*/</script>`;
  return `<!doctype html><title>${name}</title><body>${around}<article><h1>${name}</h1><p>${text}</p></article>
   ${links.map((link) => `<p><a href="${link}">${link}</a></p>`).join('')}</body>`;
}

/** `/` and as many pages as are asked for, all linked from it. */
export function largeSite(count: number, bytes?: number): Map<string, string> {
  const names = Array.from({ length: count }, (_, i) => `/p${i}`);
  const pages = names.map((name): [string, string] => [name, largePage(name, textOf(name, 60), [], bytes)]);
  return new Map([['/', largePage('home', textOf('home', 60), names, bytes)], ...pages]);
}

/** Runs a continuous crawl until something has come true, or long enough to say that it never will. */
export async function crawlUntil(
  folder: string,
  seeds: string | readonly string[],
  isTrue: () => boolean,
  extra: Partial<Settings> = {},
  clock: Clock = new StepClock(),
) {
  const plain = { delay: 0, delayFactor: 0, sitemaps: 'off', workers: 0, allowPrivate: true, robots: false } as const;
  const continuous = { continuous: true, revisitMin: DAY / 2, revisitMax: 30 * DAY, softNotFound: false } as const;
  const settings = { ...resolveSettings({ overrides: { ...plain, ...continuous, ...extra } }).settings, ...PATIENT };
  await using crawl = await openCrawl({ folder, settings, version: '0', clock });
  const warnings: CrawlEvents['warning'][] = [];
  using _heard = crawl.on('warning', (warning) => void warnings.push(warning));
  await crawl.addSeeds(typeof seeds === 'string' ? [seeds] : seeds);
  let looks = 0;
  const watch = setInterval(() => {
    if (isTrue() || ++looks > MOST_LOOKS) crawl.stop();
  }, 20);
  try {
    const summary = await crawl.run();
    const { compared } = await crawl.progress();
    return { ...summary, compared, warnings };
  } finally {
    clearInterval(watch);
  }
}

export function changesIn(folder: string): string[] {
  using reader = new CrawlReader(folder);
  return [...reader.changes({})].map(({ url, change }) => `${change.kind} ${new URL(url).pathname}`);
}
