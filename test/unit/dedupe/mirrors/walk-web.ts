import { createHash } from 'node:crypto';
import type { ContentSketch } from '../../../../src/contracts/content/content-sketch.ts';
import { Sketcher } from '../../../../src/dedupe/near/sketcher.ts';
import { extractPage } from '../../../../src/extract/extract-page.ts';
import type { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import type { Reply } from '../../../../src/simulate/model/web-model.ts';
import { canonical, decodePage } from '../../simulate/brute-force-crawl.ts';

/** An answer as a learner is told of it. */
export interface WalkedPage {
  readonly url: string;
  readonly host: number;
  readonly origin: string;
  readonly target: string;
  readonly status: number;
  readonly at: number;
  readonly digest?: string;
  readonly contentSketch?: ContentSketch;
  readonly title?: string;
  readonly words: number;
  readonly text: string;
  readonly location?: string;
  /** The first page with the same bytes. */
  readonly sameAs?: string;
}

export interface WalkRules {
  readonly seeds: readonly string[];
  readonly maxPerHost?: number;
  readonly maxFetches?: number;
  /** What is asked for in place of this URL: itself, another one, or nothing. */
  readonly instead?: (url: string) => string | undefined;
  readonly visited: (page: WalkedPage) => void;
}

/** Asks each host in turn for its next page, breadth first, without HTTP and without robots.txt. Answers the fetches. */
export function walkWeb(
  web: SyntheticWeb,
  { seeds, maxPerHost = 1000, maxFetches = 1e6, instead, visited }: WalkRules,
): number {
  const queues = new Map<string, string[]>();
  const known = new Set<string>();
  const counts = new Map<string, number>();
  const digests = new Map<string, string>();
  const maker = new Sketcher();
  const add = (wanted: string | undefined): void => {
    const url = wanted === undefined ? undefined : instead === undefined ? wanted : instead(wanted);
    if (url === undefined || known.has(url)) return;
    known.add(url);
    const { origin, host } = new URL(url);
    if (web.hosts.find(host) < 0) return;
    const queue = queues.get(origin);
    if (queue === undefined) queues.set(origin, [url]);
    else queue.push(url);
  };
  for (const seed of seeds) add(seed);
  let fetches = 0;
  for (let busy = true; busy && fetches < maxFetches; ) {
    busy = false;
    for (const [origin, queue] of [...queues]) {
      const next = queue.shift();
      if (next === undefined) continue;
      busy = true;
      const url = instead === undefined ? next : instead(next);
      if (url !== next) {
        add(url);
        continue;
      }
      const count = (counts.get(origin) ?? 0) + 1;
      if (count > maxPerHost) continue;
      counts.set(origin, count);
      fetches++;
      const page = fetchPage(web, url, fetches, digests, maker);
      visited(page.walked);
      for (const link of page.links) add(canonical(link, url));
    }
  }
  return fetches;
}

/** One page, as it is sent. */
export function fetchPage(
  web: SyntheticWeb,
  url: string,
  second: number,
  digests: Map<string, string>,
  maker: Sketcher,
): { readonly walked: WalkedPage; readonly links: readonly string[] } {
  const { origin, host: authority } = new URL(url);
  const target = url.slice(origin.length);
  const host = web.hosts.find(authority);
  const reply = web.reply(host, web.locate(host, target), { before: 1, now: web.spec.changesSince + second * 1000 });
  const base = { url, host, origin, target, status: reply.status, at: second * 1000, words: 0, text: '' };
  const location = header(reply, 'location');
  if (location !== undefined) return { walked: { ...base, location: new URL(location, url).href }, links: [location] };
  const type = header(reply, 'content-type') ?? '';
  const digest = createHash('sha1').update(reply.body, 'latin1').digest('base64');
  const first = digests.get(digest);
  if (reply.status === 200 && first === undefined) digests.set(digest, url);
  const same = first === undefined || first === url ? {} : { sameAs: first };
  if (!type.startsWith('text/html')) return { walked: { ...base, digest, ...same }, links: [] };
  const page = extractPage(decodePage(reply.body, type), { url, text: true });
  const contentSketch = maker.of(page.text);
  const words = page.text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const walked = { ...base, digest, ...same, title: page.title, words, text: page.text };
  const links = page.links.filter(({ kind }) => kind !== 'form').map((link) => link.url);
  return { walked: contentSketch === undefined ? walked : { ...walked, contentSketch }, links };
}

function header(reply: Reply, name: string): string | undefined {
  const at = reply.headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name);
  return at < 0 ? undefined : reply.headers[at + 1];
}
