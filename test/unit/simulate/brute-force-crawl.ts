import { gunzipSync } from 'node:zlib';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { Reply, WebModel } from '../../../src/simulate/model/web-model.ts';

/** What a crawl of the bytes alone finds, by URL. */
export interface BruteForceResult {
  /** Sitemaps that robots.txt names, where they are followed. */
  readonly read: Set<string>;
  readonly stored: Set<string>;
  readonly redirected: Set<string>;
  readonly failed: Set<string>;
  readonly disallowed: Set<string>;
}

interface FoundLink {
  readonly href: string;
  readonly nofollow: boolean;
}

interface ParsedPage {
  readonly base: string;
  readonly nofollow: boolean;
  readonly links: FoundLink[];
}

/**
 * The slow and obvious crawler: asks the model for bytes as a client would, reads them with parse5 and the platform's
 * URL, reads robots.txt as text. It knows nothing of plans and roles, so that it can prove the truth wrong.
 */
export function bruteForceCrawl(
  web: WebModel,
  seeds: readonly string[],
  agent: string,
  options: { readonly maxDepth?: number; readonly followSitemaps?: boolean; readonly followFeeds?: boolean } = {},
): BruteForceResult {
  const { maxDepth = 1e9, followSitemaps = false, followFeeds = false } = options;
  const result: BruteForceResult = {
    read: new Set(),
    stored: new Set(),
    redirected: new Set(),
    failed: new Set(),
    disallowed: new Set(),
  };
  const done = new Set<string>();
  const robots = new Map<string, RobotsText>();
  let level = seeds.map((seed) => canonical(seed, seed)).filter((url) => url !== undefined);
  for (let depth = 0; level.length > 0 && depth <= maxDepth; depth++) {
    const next: string[] = [];
    for (let at = 0; at < level.length; at++) {
      const url = level[at];
      if (done.has(url)) continue;
      done.add(url);
      const { origin, host } = new URL(url);
      const target = url.slice(origin.length);
      if (get(web, url).kind === 'trap') continue;
      const isNew = !robots.has(host);
      const rules = robots.get(host) ?? readRobots(web, `${origin}/robots.txt`, agent);
      robots.set(host, rules);
      const sitemaps = followSitemaps && isNew ? rules.sitemaps : [];
      for (const sitemap of sitemaps) {
        if (rules.allows(new URL(sitemap).pathname)) readSitemap(web, sitemap, level, result);
        else result.disallowed.add(sitemap);
      }
      if (!rules.allows(target)) {
        result.disallowed.add(url);
        continue;
      }
      const reply = get(web, url);
      const header = (name: string): string | undefined => {
        const index = reply.headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name);
        return index < 0 ? undefined : reply.headers[index + 1];
      };
      const location = header('location');
      if (location !== undefined) {
        result.redirected.add(url);
        const to = canonical(location, url);
        if (to !== undefined) level.push(to);
      } else if (reply.status !== 200) {
        result.failed.add(url);
      } else {
        result.stored.add(url);
        const type = header('content-type') ?? '';
        if (!type.startsWith('text/html')) {
          const links = followFeeds
            ? [...reply.body.matchAll(/<item>.*?<link>(.*?)<|<entry>.*<link href="(.*?)"/g)]
            : [];
          for (const [, rss, atom] of links) next.push((rss ?? atom).replaceAll('&amp;', '&'));
          continue;
        }
        const page = readPage(decodePage(reply.body, type), url);
        if (page.nofollow || addresses(header('x-robots-tag'), agent)) continue;
        for (const link of page.links) {
          const to = link.nofollow ? undefined : canonical(link.href, page.base);
          if (to !== undefined) next.push(to);
        }
      }
    }
    level = next;
  }
  return result;
}

function get(web: WebModel, url: string): Reply & { readonly kind: string } {
  const { host, origin } = new URL(url);
  const number = web.hosts.find(host);
  const located = web.locate(number, url.slice(origin.length));
  return { ...web.reply(number, located, { before: 1, now: 0 }), kind: located.kind };
}

/** By byte order mark, header, META, or else as ASCII with something in between: the links do not depend on it. */
export function decodePage(body: string, contentType: string): string {
  const bytes = Buffer.from(body, 'latin1');
  const mark = body.startsWith('\xff\xfe') ? 'utf-16le' : body.startsWith('\xfe\xff') ? 'utf-16be' : undefined;
  const label = mark ?? /charset=([\w-]+)/.exec(contentType)?.[1] ?? /<meta[^>]*charset="?([\w-]+)/i.exec(body)?.[1];
  return new TextDecoder(label ?? 'windows-1252').decode(bytes);
}

function readSitemap(web: WebModel, url: string, level: string[], result: BruteForceResult): void {
  result.read.add(url);
  const { body } = get(web, url);
  const text = url.endsWith('.gz') ? gunzipSync(Buffer.from(body, 'latin1')).toString() : body;
  for (const [, entry] of text.matchAll(/<loc>(.*?)<\/loc>/g)) {
    if (text.includes('<sitemapindex')) readSitemap(web, entry, level, result);
    else level.push(entry.replaceAll('&amp;', '&'));
  }
}

/** Canonical form by the platform's URL, plus the three things it leaves: needless escapes, their case, tracking. */
export function canonical(href: string, base: string): string | undefined {
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.hash = '';
  const fields = url.search
    .slice(1)
    .split('&')
    .filter((field) => !/^(utm_\w+|gclid)=/.test(field));
  const search = fields.join('&') === '' ? '' : `?${fields.join('&')}`;
  const path = url.pathname.replace(/%[0-9a-fA-F]{2}/g, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : triplet.toUpperCase();
  });
  return `${url.origin}${path}${search}`;
}

export function readPage(html: string, url: string): ParsedPage {
  const links: FoundLink[] = [];
  let base = url;
  let based = false;
  let nofollow = false;
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node) {
      const attribute = (name: string): string | undefined => node.attrs.find((attr) => attr.name === name)?.value;
      const tag = node.tagName;
      const href = attribute(tag === 'iframe' ? 'src' : 'href');
      if (tag === 'base' && href !== undefined && !based) {
        base = new URL(href, url).href;
        based = true;
      }
      if (href !== undefined && (tag === 'a' || tag === 'area' || tag === 'iframe')) {
        links.push({ href, nofollow: (attribute('rel') ?? '').toLowerCase().split(/\s+/).includes('nofollow') });
      }
      if (tag === 'link' && href !== undefined && /^(canonical|alternate)$/i.test(attribute('rel') ?? '')) {
        links.push({ href, nofollow: false });
      }
      if (tag === 'meta') {
        const content = attribute('content') ?? '';
        if (attribute('http-equiv')?.toLowerCase() === 'refresh') {
          links.push({ href: content.replace(/^\d+;\s*url=/, ''), nofollow: false });
        }
        if (attribute('name')?.toLowerCase() === 'robots' && /nofollow|none/i.test(content)) nofollow = true;
      }
    }
    if ('childNodes' in node) for (const child of node.childNodes) walk(child);
  };
  walk(parse(html));
  return { base, nofollow, links };
}

function addresses(tag: string | undefined, agent: string): boolean {
  if (tag === undefined) return false;
  const named = /^(\w+):\s*(.*)$/.exec(tag);
  if (named !== null && named[1].toLowerCase() !== agent.toLowerCase()) return false;
  return /nofollow|none/.test(tag);
}

interface RobotsText {
  readonly sitemaps: readonly string[];
  allows(target: string): boolean;
}

function readRobots(web: WebModel, url: string, agent: string): RobotsText {
  let reply = get(web, url);
  for (let hops = 0; hops < 5 && reply.headers[0] === 'Location'; hops++) {
    url = new URL(reply.headers[1], url).href;
    reply = get(web, url);
  }
  if (reply.status >= 500 || reply.status === 429) return { sitemaps: [], allows: () => false };
  if (reply.status !== 200) return { sitemaps: [], allows: () => true };
  const groups = new Map<string, { allow: boolean; pattern: string }[]>();
  const sitemaps: string[] = [];
  let agents: string[] = [];
  let inAgents = false;
  for (const line of reply.body
    .slice(0, 500 * 1024)
    .replace('\xef\xbb\xbf', '')
    .split(/\r\n|\r|\n/)) {
    const field = /^\s*([\w-]+)\s*:\s*([^#]*?)\s*(#.*)?$/.exec(line);
    if (field === null) continue;
    const name = field[1].toLowerCase();
    if (name === 'sitemap') sitemaps.push(field[2]);
    else if (name === 'user-agent') {
      agents = inAgents ? [...agents, field[2].toLowerCase()] : [field[2].toLowerCase()];
      inAgents = true;
    } else {
      inAgents = false;
      if (name === 'allow' || name === 'disallow') {
        for (const named of agents) {
          groups.set(named, [...(groups.get(named) ?? []), { allow: name === 'allow', pattern: field[2] }]);
        }
      }
    }
  }
  const rules = groups.get(agent.toLowerCase()) ?? groups.get('*') ?? [];
  const allows = (target: string): boolean => {
    const matching = rules.filter(({ pattern }) => {
      const source = pattern.replace(/[.+?^{}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
      return pattern !== '' && new RegExp(`^${source}`).test(target);
    });
    const longest = Math.max(-1, ...matching.map((rule) => rule.pattern.length));
    const best = matching.filter((rule) => rule.pattern.length === longest);
    return best.length === 0 || best.some((rule) => rule.allow);
  };
  return { sitemaps, allows };
}
