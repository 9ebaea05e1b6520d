import type { SpamTechnique } from '../../contracts/content/spam.ts';
import type { SitesSpec } from '../sites/sites-spec.ts';
import type { Addressing, HostTable } from './addressing.ts';
import type { Conditions } from './validators.ts';
import type { TrapKind, WebSpec } from './web-spec.ts';

/** What a request target turns out to be, in whatever spelling it came. */
export type Located =
  | { readonly kind: 'page'; readonly id: number }
  /** The robots.txt of host `of`, or a stop on the way to it; `last` when this answer settles what the host allows. */
  | { readonly kind: 'robots'; readonly of: number; readonly last: boolean; readonly target: string }
  /** Pictures and style sheets: a crawler may load them or not. */
  | { readonly kind: 'asset' }
  /** Written on pages, but not as a link. */
  | { readonly kind: 'phantom'; readonly target: string }
  /** One of the endless addresses of a trap. */
  | { readonly kind: 'trap'; readonly trap: TrapKind; readonly target: string }
  | { readonly kind: 'unknown'; readonly target: string };

/** What a page is to a given robot. */
export type PageNature =
  | {
      readonly kind: 'page';
      readonly noindex: boolean;
      readonly nofollow: boolean;
      /** The lowest page with the same bytes; itself where there is no other. */
      readonly document: number;
      /** Absent: a page of HTML. The links of a feed or sitemap are its entries. */
      readonly form?: 'feed' | 'sitemap';
      /** Says "not found", with 200. */
      readonly softNotFound?: boolean;
      /** Spam, of this technique. */
      readonly spam?: SpamTechnique;
      /** Honest, and easily taken for spam of this technique. */
      readonly lookalike?: SpamTechnique;
    }
  | { readonly kind: 'redirect'; readonly to: number }
  | { readonly kind: 'error'; readonly status: number };

export interface ModelLink {
  readonly to: number;
  readonly nofollow: boolean;
  /** 'canonical', 'alternate' and 'feed' are `<link>` elements of the head. */
  readonly element?: string;
}

export interface RobotsRule {
  readonly allow: boolean;
  readonly pattern: string;
}

export interface RobotsGroup {
  /** Product tokens in lower case, or '*'. */
  readonly agents: readonly string[];
  readonly rules: readonly RobotsRule[];
  readonly crawlDelaySeconds?: number;
}

/** What the robots.txt of a host comes to, once all redirects are followed. */
export type HostRobots =
  | { readonly verdict: 'rules'; readonly groups: readonly RobotsGroup[] }
  | { readonly verdict: 'allow-all' }
  | { readonly verdict: 'disallow-all' };

export interface Reply {
  readonly status: number;
  /** [name, value, name, value, ...], without Content-Length. */
  readonly headers: readonly string[];
  /** One character per byte. */
  readonly body: string;
}

/** What the server knows about a request beyond its address. */
export interface Visit extends Conditions {
  /** How often this page was asked for before. */
  readonly before: number;
  /** ms since the epoch. */
  readonly now: number;
  readonly acceptsGzip?: boolean;
  /** The User-Agent header: some pages answer by it. */
  readonly agent?: string;
}

/** Enough to make the same web again in another process. */
export type WebDescription =
  | { readonly kind: 'synthetic'; readonly spec: WebSpec; readonly addressing: Addressing }
  | { readonly kind: 'demo'; readonly port: number }
  | { readonly kind: 'sites'; readonly spec: SitesSpec; readonly port: number };

/**
 * A web that is known wholly: what it sends, and what that means. Pages are numbered from 0 over all hosts; feeds and
 * sitemaps follow. Every answer is a pure function of the web's parameters and the arguments.
 */
export interface WebModel {
  readonly description: WebDescription;
  readonly hosts: HostTable;
  readonly pageCount: number;
  /** Where a crawl begins; the first page of all where it is absent. */
  readonly seeds?: readonly string[];
  /** The least a host asks for with 429 or 503. */
  readonly retryAfterMs: number;
  hostOfPage(page: number): number;
  /** The host whose bytes this host sends: itself, but for mirrors. Absent where no host is a mirror. */
  mirrorOf?(host: number): number;
  /** The same page on the host that its host mirrors; itself where that is no mirror. */
  originalOf?(page: number): number;
  /** Path and query in canonical form. */
  target(page: number): string;
  url(page: number): string;
  locate(host: number, target: string): Located;
  nature(page: number, agent: string): PageNature;
  /** All of them, those to itself and repeated ones too; links into traps are not among them. */
  links(page: number): readonly ModelLink[];
  /** Absolute addresses written on the page where they are no links. */
  phantoms(page: number): readonly string[];
  robots(host: number): HostRobots;
  /** Sitemaps that the host's robots.txt names. */
  sitemaps(host: number): readonly number[];
  /** How often the page has changed up to this moment. */
  versionAt(page: number, now: number): number;
  /** How long the server waits before it answers. */
  delayMs(host: number, located: Located): number;
  /** How fast it then sends the body; 0: as fast as it goes. */
  bytesPerSecond(host: number, located: Located): number;
  reply(host: number, located: Located, visit: Visit): Reply;
}
