import { HostTable } from '../model/addressing.ts';
import { hash32, pick } from '../model/seeded-hash.ts';
import { isNotModified, type Validators, validatorHeaders } from '../model/validators.ts';
import type {
  HostRobots,
  Located,
  ModelLink,
  PageNature,
  Reply,
  Visit,
  WebDescription,
  WebModel,
} from '../model/web-model.ts';
import { canonicalTarget } from '../plan/canonical-target.ts';
import { robotsText } from '../server/robots-text.ts';
import { endlessPage } from './endless-site.ts';
import { type PageFate, SiteHistory } from './site-history.ts';
import { sitePage } from './site-markup.ts';
import { placePages, type SitePlace } from './site-places.ts';
import { type EndlessName, type PlannedSite, planSites } from './sites-plan.ts';
import { DEFAULT_SITES_SPEC, type SitesSpec } from './sites-spec.ts';
import { Vocabulary } from './vocabulary.ts';

const PURPOSE = { cross: 341, status: 342 } as const;
const RETRY_AFTER_SECONDS = 5;
const REDIRECTS = [301, 302, 303, 307, 308] as const;
const HTML = ['Content-Type', 'text/html; charset=utf-8'] as const;
const TEXT = ['Content-Type', 'text/plain; charset=utf-8'] as const;
/** Pages with a link to a trap that is linked from their site. */
const TRAP_EVERY = 16;

/**
 * Sites of honest shapes, several of each, that link to each other: blogs, trees, books, lists, forums, shops, references.
 * With traps on hosts of their own, and with a history in which pages change, move and vanish. Every page is held by
 * address, title and links; texts are made when they are asked for.
 */
export class SitesWeb implements WebModel {
  readonly spec: SitesSpec;
  readonly description: WebDescription;
  readonly hosts: HostTable;
  readonly sites: readonly PlannedSite[];
  readonly retryAfterMs = RETRY_AFTER_SECONDS * 1000;
  readonly history: SiteHistory;
  readonly #places: readonly SitePlace[];
  readonly #homes: readonly number[];
  readonly #byUrl = new Map<string, number>();
  readonly #vocabularies: readonly Vocabulary[];

  constructor(spec: Partial<SitesSpec>, port: number) {
    this.spec = { ...DEFAULT_SITES_SPEC, ...spec };
    this.description = { kind: 'sites', spec: this.spec, port };
    this.sites = planSites(this.spec);
    this.hosts = new HostTable(
      this.sites.map(({ hostname }) => hostname),
      this.sites.map(({ address }) => address),
      port,
    );
    this.history = new SiteHistory(this.spec);
    this.#vocabularies = this.sites.map(({ seed }) => new Vocabulary(seed));
    const { places, homes } = placePages(this.sites);
    this.#places = places;
    this.#homes = homes;
    for (const [page, { host, path }] of places.entries()) this.#byUrl.set(this.hosts.origin(host) + path, page);
  }

  /** Home pages of the sites that a crawl begins with; links lead to the others. */
  get seeds(): string[] {
    const first = this.sites.map((site, host) => ({ site, host })).filter(({ site }) => site.linkedFrom === undefined);
    return first.map(({ host }) => `${this.hosts.origin(host)}/`);
  }

  get pageCount(): number {
    return this.#places.length;
  }

  hostOfPage(page: number): number {
    return this.#places[page].host;
  }

  target(page: number): string {
    return this.#places[page].path;
  }

  url(page: number): string {
    return this.hosts.origin(this.hostOfPage(page)) + this.target(page);
  }

  locate(host: number, target: string): Located {
    if (target === '/robots.txt') return { kind: 'robots', of: host, last: true, target };
    const origin = this.hosts.origin(host);
    const id = this.#byUrl.get(origin + target) ?? this.#byUrl.get(origin + canonicalTarget(target));
    if (id !== undefined) return { kind: 'page', id };
    const { kind, seed } = this.sites[host];
    if (!isEndless(kind)) return { kind: 'unknown', target };
    const trap = endlessPage(kind, seed, this.#vocabularies[host], target);
    return trap === undefined ? { kind: 'unknown', target } : { kind: 'trap', trap: kind, target };
  }

  /** As it is in the beginning; `fate` tells what becomes of it. */
  nature(page: number): PageNature {
    const place = this.#places[page];
    if (place.kind === 'missing') return { kind: 'error', status: 404 };
    if (place.kind === 'redirect') return { kind: 'redirect', to: place.to };
    return { kind: 'page', noindex: false, nofollow: false, document: page };
  }

  fate(page: number): PageFate {
    const place = this.#places[page];
    return place.kind === 'page' && place.movesTo !== undefined
      ? this.history.fate(page)
      : { kind: 'stays', at: Number.POSITIVE_INFINITY };
  }

  /** Where a page goes when it moves; undefined for pages that others depend on. */
  movesTo(page: number): number | undefined {
    const place = this.#places[page];
    return place.kind === 'page' ? place.movesTo : undefined;
  }

  links(page: number): readonly ModelLink[] {
    const place = this.#places[page];
    if (place.kind !== 'page') return [];
    return [...place.links, ...this.#crossLinks(page)].map((to) => ({ to, nofollow: false, element: 'a' }));
  }

  phantoms(): readonly string[] {
    return [];
  }

  robots(host: number): HostRobots {
    return this.sites[host].robots;
  }

  sitemaps(): readonly number[] {
    return [];
  }

  /** A version of a page in full; '' for what is no page. */
  bodyOf(page: number, version: number): string {
    const place = this.#places[page];
    return place.kind === 'page' ? this.#write(page, place, version) : '';
  }

  versionAt(page: number, now: number): number {
    return this.#places[page].kind === 'page' ? this.history.versionAt(page, now) : 0;
  }

  delayMs(host: number): number {
    return this.sites[host].latencyMs;
  }

  bytesPerSecond(host: number): number {
    return this.sites[host].bytesPerSecond;
  }

  reply(host: number, located: Located, visit: Visit): Reply {
    const outage = this.history.outage(host);
    if (outage !== undefined && visit.now >= outage.from && visit.now < outage.to) {
      const wait = outage.retryAfter ? ['Retry-After', String(RETRY_AFTER_SECONDS)] : [];
      return { status: 503, headers: [...TEXT, ...wait], body: 'This server is out of order.\n' };
    }
    if (located.kind === 'robots') return this.#robotsReply(host);
    if (located.kind === 'trap') return this.#trapReply(host, located.target);
    return located.kind === 'page' ? this.#pageReply(located.id, visit) : NOT_FOUND;
  }

  #robotsReply(host: number): Reply {
    const robots = this.robots(host);
    if (robots.verdict !== 'rules') return NOT_FOUND;
    const body = robotsText(this.hosts.hostname(host), robots.groups, [], this.sites[host].seed);
    return { status: 200, headers: TEXT, body };
  }

  #trapReply(host: number, target: string): Reply {
    const { kind, seed, hostname } = this.sites[host];
    const words = this.#vocabularies[host];
    const page = isEndless(kind) ? endlessPage(kind, seed, words, target) : undefined;
    if (page === undefined) return NOT_FOUND;
    const links = page.links.map((href) => `<a href="${href}">${href.slice(1).replaceAll('/', ' ')}</a>`).join(' ');
    const body = `<!DOCTYPE html><html lang="en"><head><title>${page.title} - ${hostname}</title></head><body><h1>${page.title}</h1><p>${page.text}</p><p>${links}</p></body></html>\n`;
    return { status: 200, headers: HTML, body };
  }

  #pageReply(page: number, visit: Visit): Reply {
    const place = this.#places[page];
    if (place.kind === 'missing') return NOT_FOUND;
    if (place.kind === 'redirect') return this.#redirect(page, place.to);
    const fate = this.fate(page);
    if (fate.kind !== 'stays' && visit.now >= fate.at) {
      if (fate.kind === 'vanishes') return { status: page % 2 === 0 ? 404 : 410, headers: TEXT, body: 'gone\n' };
      return this.#redirect(page, place.movesTo as number, 301);
    }
    // The new address of a page that moves does not exist before.
    if (place.movedFrom !== undefined) {
      const before = this.fate(place.movedFrom);
      if (before.kind !== 'moves' || visit.now < before.at) return NOT_FOUND;
    }
    const text = place.movedFrom ?? page;
    const version = this.versionAt(text, visit.now);
    const validators = this.#validators(place.host, text, version);
    const headers = [...HTML, ...validatorHeaders(validators)];
    if (isNotModified(validators, visit)) return { status: 304, headers, body: '' };
    return { status: 200, headers, body: this.#write(page, place, version) };
  }

  #redirect(page: number, to: number, status?: number): Reply {
    const drawn = REDIRECTS[pick(hash32(this.spec.seed, page, 0, PURPOSE.status), REDIRECTS.length)];
    return { status: status ?? drawn, headers: ['Location', this.url(to)], body: '' };
  }

  #validators(host: number, page: number, version: number): Validators {
    const { validators } = this.sites[host];
    if (validators === 'none') return {};
    if (validators === 'etag') return { etag: `"${page.toString(36)}-${version}"` };
    const begins = this.spec.history?.begins ?? 0;
    return { modifiedAt: version === 0 ? begins : this.history.changedAt(page, version) };
  }

  #write(page: number, place: Extract<SitePlace, { kind: 'page' }>, version: number): string {
    const { host } = place;
    const shown = [...place.links, ...this.#crossLinks(page)].map((to) => ({
      href: this.hostOfPage(to) === host ? this.target(to) : this.url(to),
      label: this.#label(to),
    }));
    const traps = this.sites.flatMap((site, trap) => {
      const isEntry =
        isEndless(site.kind) && site.linkedFrom === host && page % TRAP_EVERY === this.#homes[host] % TRAP_EVERY;
      return isEntry ? [{ href: `${this.hosts.origin(trap)}/`, label: 'More of this' }] : [];
    });
    return sitePage(this.#vocabularies[host], {
      title: place.title,
      site: this.hosts.hostname(host),
      key: place.text,
      words: place.words,
      version,
      links: [...shown, ...traps],
    });
  }

  #label(page: number): string {
    const place = this.#places[page];
    return place.kind === 'page' ? place.title : place.path.slice(1).replace(/[^a-z0-9]+/g, ' ');
  }

  /** The home page names its neighbours and its parts, one page in four any page of any site. */
  #crossLinks(page: number): number[] {
    const { host } = this.#places[page];
    const honest = this.#homes.length;
    if (page === this.#homes[host]) {
      const parts = this.sites.flatMap((site, part) => (site.linkedFrom === host && part < honest ? [part] : []));
      return [...new Set([(host + 1) % honest, (host + 5) % honest, ...parts])].map((other) => this.#homes[other]);
    }
    const drawn = hash32(this.spec.seed, page, 0, PURPOSE.cross);
    if (drawn % 4 !== 0) return [];
    const to = this.#homes[pick(hash32(this.spec.seed, page, 1, PURPOSE.cross), honest)];
    return [to];
  }
}

const NOT_FOUND: Reply = { status: 404, headers: TEXT, body: 'There is no such page here.\n' };

function isEndless(kind: PlannedSite['kind']): kind is EndlessName {
  return kind === 'calendar' || kind === 'maze';
}
