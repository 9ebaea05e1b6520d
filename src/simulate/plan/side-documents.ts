import { gzipSync } from 'node:zlib';
import type { HostTable } from '../model/addressing.ts';
import type { Reply } from '../model/web-model.ts';
import type { WebSpec } from '../model/web-spec.ts';
import type { PagePlan } from './page-plan.ts';
import type { SitePlan } from './site-plan.ts';

/** Documents of a host besides its pages, numbered after all of those. */
export type SideDocument =
  | { readonly kind: 'feed'; readonly host: number; readonly form: 'rss' | 'atom' }
  | {
      readonly kind: 'sitemap';
      readonly host: number;
      readonly form: 'file' | 'index' | 'part' | 'gzip-part';
      readonly part: number;
    };

const FEED_SLOT = 0;
const SITEMAP_SLOT = 1;
const FIRST_PART = 2;
const MOST_PARTS = 20;
const FEED_ENTRIES = 20;
const XML = ['Content-Type', 'application/xml'] as const;

/** Feeds and sitemaps: which host has which, where they lie, what they list. Those of a mirror are its original's. */
export class SideDocuments {
  /** The number of the first of them. */
  readonly first: number;
  readonly count: number;
  readonly #spec: WebSpec;
  readonly #sites: SitePlan;
  readonly #pages: PagePlan;
  readonly #hosts: HostTable;
  /** Per host: the feed, the sitemap, and the parts of the sitemap. */
  readonly #slots: number;

  constructor(spec: WebSpec, sites: SitePlan, pages: PagePlan, hosts: HostTable) {
    this.#spec = spec;
    this.#sites = sites;
    this.#pages = pages;
    this.#hosts = hosts;
    this.first = spec.hosts * spec.pagesPerHost;
    this.#slots = FIRST_PART + Math.min(MOST_PARTS, Math.ceil(spec.pagesPerHost / spec.sitemapEntries));
    this.count = spec.sites.feed + spec.sites.sitemap > 0 ? spec.hosts * this.#slots : 0;
  }

  hostOf(id: number): number {
    return Math.floor((id - this.first) / this.#slots);
  }

  /** -1 where the host has none. */
  feed(host: number): number {
    return this.#sites.has(host, 'feed') ? this.#id(host, FEED_SLOT) : -1;
  }

  /** The sitemap to be named in robots.txt; -1 where the host has none. A mirror names none: it would list another host. */
  sitemap(host: number): number {
    return this.#sites.source(host) === host && this.#sites.has(host, 'sitemap') ? this.#id(host, SITEMAP_SLOT) : -1;
  }

  /** Undefined for numbers that no host uses. */
  describe(id: number): SideDocument | undefined {
    const host = this.hostOf(id);
    const slot = (id - this.first) % this.#slots;
    const flavour = this.#sites.flavour(host);
    if (slot === FEED_SLOT) {
      const form = (flavour & 1) === 0 ? 'rss' : 'atom';
      return this.#sites.has(host, 'feed') ? { kind: 'feed', host, form } : undefined;
    }
    if (!this.#sites.has(host, 'sitemap')) return undefined;
    const form = (['file', 'index', 'gzip'] as const)[(flavour >>> 1) % 3];
    if (slot === SITEMAP_SLOT) return { kind: 'sitemap', host, form: form === 'file' ? 'file' : 'index', part: 0 };
    if (form === 'file') return undefined;
    return { kind: 'sitemap', host, form: form === 'gzip' ? 'gzip-part' : 'part', part: slot - FIRST_PART };
  }

  target(id: number): string {
    const found = this.describe(id);
    if (found === undefined) return `/unused/${id}`;
    if (found.kind === 'feed') return found.form === 'rss' ? '/feed.xml' : '/atom.xml';
    if (found.form === 'file') return '/sitemap.xml';
    if (found.form === 'index') return '/sitemap-index.xml';
    return `/sitemaps/part-${found.part + 1}.xml${found.form === 'gzip-part' ? '.gz' : ''}`;
  }

  /** -1 where nothing of the kind lies at this address. */
  find(host: number, target: string): number {
    if (this.count === 0 || !/^\/(?:feed|atom|sitemap)/.test(target)) return -1;
    for (let slot = 0; slot < this.#slots; slot++) {
      const id = this.#id(host, slot);
      if (this.target(id) === target && this.describe(id) !== undefined) return id;
    }
    return -1;
  }

  /** The document whose bytes it has: its own, or that of the mirrored host. */
  original(id: number): number {
    return this.onMirror(id, this.#sites.source(this.hostOf(id)));
  }

  /** The same document on a mirror. */
  onMirror(id: number, mirror: number): number {
    return id + (mirror - this.hostOf(id)) * this.#slots;
  }

  /** Numbers of the pages, or of the parts of an index, that it lists. */
  entries(id: number): number[] {
    const original = this.original(id);
    const found = this.describe(original);
    if (found === undefined) return [];
    const { pagesPerHost, sitemapEntries } = this.#spec;
    const { host } = found;
    if (found.kind === 'sitemap' && found.form === 'index') {
      return Array.from({ length: this.#slots - FIRST_PART }, (_, part) => this.#id(host, FIRST_PART + part));
    }
    const start = found.kind === 'sitemap' ? found.part * sitemapEntries : 0;
    const most = found.kind === 'sitemap' ? sitemapEntries : FEED_ENTRIES;
    const count = Math.max(0, Math.min(most, pagesPerHost - start));
    return Array.from({ length: count }, (_, at) => host * pagesPerHost + start + at);
  }

  reply(id: number): Reply {
    const found = this.describe(this.original(id));
    const urls = this.entries(id).map((entry) => this.#url(entry).replaceAll('&', '&amp;'));
    if (found?.kind === 'feed') return found.form === 'rss' ? rss(urls) : atom(urls);
    if (found?.form === 'index')
      return { status: 200, headers: XML, body: sitemapXml('sitemapindex', 'sitemap', urls) };
    const body = sitemapXml('urlset', 'url', urls);
    if (found?.form !== 'gzip-part') return { status: 200, headers: XML, body };
    const packed = gzipSync(Buffer.from(body, 'latin1')).toString('latin1');
    return { status: 200, headers: ['Content-Type', 'application/gzip'], body: packed };
  }

  #url(id: number): string {
    if (id >= this.first) return this.#hosts.origin(this.hostOf(id)) + this.target(id);
    const host = Math.floor(id / this.#spec.pagesPerHost);
    return this.#hosts.origin(host) + this.#pages.target(host, id - host * this.#spec.pagesPerHost);
  }

  #id(host: number, slot: number): number {
    return this.first + host * this.#slots + slot;
  }
}

function sitemapXml(root: string, item: string, urls: readonly string[]): string {
  const items = urls.map((url) => `<${item}><loc>${url}</loc></${item}>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${items.join('')}</${root}>\n`;
}

function rss(urls: readonly string[]): Reply {
  const items = urls.map((url) => `<item><title>News</title><link>${url}</link><guid>${url}</guid></item>\n`);
  const body = `<?xml version="1.0"?>\n<rss version="2.0"><channel><title>News</title><link>${urls[0]}</link><description>All that is new</description>\n${items.join('')}</channel></rss>\n`;
  return { status: 200, headers: ['Content-Type', 'application/rss+xml'], body };
}

function atom(urls: readonly string[]): Reply {
  const entries = urls.map((url) => `<entry><title>News</title><id>${url}</id><link href="${url}"/></entry>\n`);
  const body = `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>${urls[0]}</id>\n${entries.join('')}</feed>\n`;
  return { status: 200, headers: ['Content-Type', 'application/atom+xml'], body };
}
