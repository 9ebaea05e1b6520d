import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../src/base/clock.ts';
import { SteadyClock } from '../../src/base/steady-clock.ts';
import type { CrawlSummary, CreateCrawlSettings } from '../../src/index.ts';
import { createClockedCrawl } from './crawl-web.ts';

export interface HostAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A web of whatever hosts a test makes up, behind a proxy on loopback. What it does not answer is a 404. */
export async function crawlAnyHosts(
  answer: (url: URL, headers: IncomingHttpHeaders) => HostAnswer | undefined,
  folder: string,
  seeds: readonly string[],
  settings: Partial<CreateCrawlSettings> = {},
  clock: Clock = new SteadyClock(),
): Promise<{ readonly summary: CrawlSummary; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    asked.push(url.href);
    const {
      status = 200,
      headers = {},
      body = '',
    } = answer(url, request.headers) ?? { status: 404, body: '<title>404</title>' };
    const type = url.pathname === '/robots.txt' ? 'text/plain' : 'text/html; charset=utf-8';
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using crawl = await createClockedCrawl(clock, {
      ...{ folder, seeds, scope: 'any', proxy: [proxy], delay: 0, delayFactor: 0, workers: 0, sitemaps: 'off' },
      ...settings,
    });
    return { summary: await crawl.run(), asked };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const WORDS = 'river stone lamp cloud forest garden window market bridge engine letter silver candle harbor'.split(' ');

/** A text that follows from its name, unlike those of other names. */
export function textOf(name: string, words = 150): string {
  let state = 7;
  for (const letter of name) state = (Math.imul(state, 31) + letter.charCodeAt(0)) >>> 0;
  return Array.from({ length: words }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return WORDS[(state >>> 8) % WORDS.length] + (state % 97);
  }).join(' ');
}

export function pageOf(title: string, text: string, links: readonly string[], head = ''): HostAnswer {
  const list = links.map((link) => `<p><a href="${link}">${link}</a></p>`).join('');
  return {
    body: `<!doctype html><html><head><title>${title}</title>${head}</head><body><article><h1>${title}</h1><p>${text}</p></article>${list}</body></html>`,
  };
}
