import { PageMarkup } from '../markup/page-markup.ts';
import { canonicalTarget } from '../plan/canonical-target.ts';
import { CharsetPlan, type PageCharset } from '../plan/charset-plan.ts';
import { LinkPlan } from '../plan/link-plan.ts';
import { OTHER_BOT, pageDirectives } from '../plan/page-directives.ts';
import { PagePlan, type PageRole } from '../plan/page-plan.ts';
import { RobotsPlan } from '../plan/robots-plan.ts';
import { SideDocuments } from '../plan/side-documents.ts';
import { SitePlan, TRAP_KINDS } from '../plan/site-plan.ts';
import { SpamPlan, type SpamTrait } from '../plan/spam-plan.ts';
import { PageReplies } from '../server/page-replies.ts';
import { TrapPlan } from '../traps/trap-plan.ts';
import { type Addressing, HostTable } from './addressing.ts';
import { ChangeProcess } from './change-process.ts';
import { hostNames } from './host-names.ts';
import { hash32, unit } from './seeded-hash.ts';
import type {
  HostRobots,
  Located,
  ModelLink,
  PageNature,
  Reply,
  Visit,
  WebDescription,
  WebModel,
} from './web-model.ts';
import type { TrapKind, WebSpec } from './web-spec.ts';

const PURPOSE = { changes: 86, rate: 87 } as const;
const TEXT = ['Content-Type', 'text/plain; charset=utf-8'] as const;
const ASSET: Located = { kind: 'asset' };

/** A web with known truth: everything it sends and everything that means is a pure function of spec and addressing. */
export class SyntheticWeb implements WebModel {
  readonly description: WebDescription;
  readonly hosts: HostTable;
  readonly pageCount: number;
  readonly retryAfterMs: number;
  readonly spec: WebSpec;
  readonly #sites: SitePlan;
  readonly #pages: PagePlan;
  readonly #spam: SpamPlan;
  readonly #side: SideDocuments;
  readonly #links: LinkPlan;
  readonly #robots: RobotsPlan;
  readonly #traps: TrapPlan;
  readonly #charsets: CharsetPlan;
  readonly #changes: ChangeProcess;
  readonly #replies: PageReplies;

  constructor(spec: WebSpec, addressing: Addressing) {
    this.description = { kind: 'synthetic', spec, addressing };
    this.spec = spec;
    this.#sites = new SitePlan(spec);
    const takesSubdomains = (host: number): boolean => this.#sites.lays(host, 'endlessSubdomains');
    this.hosts = HostTable.synthetic(spec.hosts, addressing, takesSubdomains, hostNames(spec, this.#sites));
    this.retryAfterMs = spec.retryAfterSeconds * 1000;
    this.#pages = new PagePlan(spec, this.#sites);
    this.#spam = new SpamPlan(spec, this.#pages, this.#sites);
    this.#side = new SideDocuments(spec, this.#sites, this.#pages, this.hosts);
    this.pageCount = this.#side.first + this.#side.count;
    this.#links = new LinkPlan(spec, this.#pages, this.#spam, (host) => this.#side.feed(host));
    this.#robots = new RobotsPlan(spec);
    this.#traps = new TrapPlan(spec, this.#sites, this.hosts);
    this.#charsets = new CharsetPlan(spec);
    this.#changes = new ChangeProcess(spec.seed, spec.changesSince);
    this.#replies = new PageReplies({
      spec,
      hosts: this.hosts,
      sites: this.#sites,
      pages: this.#pages,
      links: this.#links,
      traps: this.#traps,
      spam: this.#spam,
      charsets: this.#charsets,
      markup: new PageMarkup(spec),
      place: (page) => ({ host: this.hostOfPage(page), target: this.target(page) }),
      onMirror: (page, mirror) => this.#onMirror(page, mirror),
    });
  }

  hostOfPage(page: number): number {
    return page < this.#side.first ? Math.floor(page / this.spec.pagesPerHost) : this.#side.hostOf(page);
  }

  role(page: number): PageRole {
    const { source, index } = this.#at(page);
    return this.#pages.role(source, index);
  }

  target(page: number): string {
    if (page >= this.#side.first) return this.#side.target(page);
    const { source, index } = this.#at(page);
    return this.#pages.target(source, index);
  }

  url(page: number): string {
    return this.hosts.origin(this.hostOfPage(page)) + this.target(page);
  }

  locate(host: number, target: string): Located {
    return this.#locate(host, target) ?? this.#locate(host, canonicalTarget(target)) ?? { kind: 'unknown', target };
  }

  nature(page: number, agent: string): PageNature {
    if (page >= this.#side.first) return this.#sideNature(page);
    const { host, source, index } = this.#at(page);
    const first = source * this.spec.pagesPerHost;
    const role = this.#pages.role(source, index);
    switch (role) {
      case 'notFound':
        if (!this.#sites.has(host, 'softNotFound')) return { kind: 'error', status: 404 };
        return { kind: 'page', noindex: false, nofollow: false, document: first + index, softNotFound: true };
      case 'gone':
        return { kind: 'error', status: 410 };
      case 'broken':
        return { kind: 'error', status: 500 };
      case 'redirect':
      case 'redirectAway':
      case 'redirectChain':
      case 'redirectLoop':
        return { kind: 'redirect', to: this.#replies.redirectTarget(host, index) };
      case 'copy':
        return {
          ...{ kind: 'page', noindex: false, nofollow: false, document: first + this.#pages.original(source, index) },
          ...this.#spam.label(source, index),
        };
      default: {
        const { noindex, nofollow } = pageDirectives(role, (this.#pages.flavour(source, index) & 1) === 0);
        const addressed = role !== 'directiveForOthers' || agent.toLowerCase() === OTHER_BOT;
        const document = first + index;
        return {
          ...{ kind: 'page', noindex: addressed && noindex, nofollow: addressed && nofollow, document },
          ...this.#spam.label(source, index),
        };
      }
    }
  }

  links(page: number): readonly ModelLink[] {
    if (page >= this.#side.first) return this.#side.entries(page).map((to) => ({ to, nofollow: false }));
    const { host, index } = this.#at(page);
    return this.#replies.links(host, index);
  }

  phantoms(page: number): readonly string[] {
    const nature = this.nature(page, '');
    if (nature.kind !== 'page' || nature.form !== undefined || nature.softNotFound) return [];
    const origin = this.hosts.origin(this.hostOfPage(page));
    return this.#replies.phantoms(nature.document).map((path) => origin + path);
  }

  robots(host: number): HostRobots {
    return host < this.hosts.count ? this.#robots.robots(host) : { verdict: 'allow-all' };
  }

  sitemaps(host: number): readonly number[] {
    const sitemap = host < this.hosts.count ? this.#side.sitemap(host) : -1;
    return sitemap >= 0 && this.#robots.isWritten(host) ? [sitemap] : [];
  }

  /** Of every host that has sitemaps, also those that no robots.txt names. */
  sitemapUrls(): string[] {
    return this.#everyHost((host) => this.#side.sitemap(host));
  }

  feedUrls(): string[] {
    return this.#everyHost((host) => this.#side.feed(host));
  }

  /** The host whose bytes this host sends: itself, but for mirrors. */
  mirrorOf(host: number): number {
    return this.#sites.source(host);
  }

  originalOf(page: number): number {
    return this.#onMirror(page, this.#sites.source(this.hostOfPage(page)));
  }

  /** 'linkFarm' or 'webRing' of hosts that are; the mirrors of such hosts too. */
  spamTraitOfHost(host: number): SpamTrait | undefined {
    return this.#spam.hostTrait(this.#sites.source(host));
  }

  /** Which kinds of trap a host lays. */
  trapsOf(host: number): readonly TrapKind[] {
    return TRAP_KINDS.filter((trap) => this.#sites.lays(host, trap));
  }

  /** Of a near copy: its original on the same host, and the share of the words of its text that differ. */
  nearCopy(page: number): { readonly original: number; readonly share: number } | undefined {
    const { host, source, index } = this.#at(page);
    if (page >= this.#side.first || this.#pages.role(source, index) !== 'nearCopy') return undefined;
    const original = host * this.spec.pagesPerHost + this.#pages.original(source, index);
    return { original, share: 1 / this.#pages.nearStride(source, index) };
  }

  /** Where `rel=canonical` of a page leads, if it has one. */
  canonical(page: number): number | undefined {
    return this.links(page).find((link) => link.element === 'canonical')?.to;
  }

  /** Undefined: UTF-8. */
  charset(page: number): PageCharset | undefined {
    const { source, index } = this.#at(page);
    return this.#charsets.charset(source, this.#pages.textOf(source, index));
  }

  /** Changes per day on average: 0 for pages that never change. Copies change with their original, near copies never. */
  changeRate(page: number): number {
    const { seed, changingShare, changesPerDay } = this.spec;
    if (changingShare === 0) return 0;
    const nature = this.nature(page, '');
    if (nature.kind !== 'page' || nature.form !== undefined || nature.softNotFound) return 0;
    if (this.role(nature.document) === 'nearCopy') return 0;
    if (unit(hash32(seed, nature.document, 0, PURPOSE.changes)) >= changingShare) return 0;
    const [least, most] = changesPerDay;
    return least * (most / least) ** unit(hash32(seed, nature.document, 0, PURPOSE.rate));
  }

  versionAt(page: number, now: number): number {
    const rate = this.changeRate(page);
    return rate === 0 ? 0 : this.#changes.versionAt(this.#document(page), rate, now);
  }

  /** When the page got to this version, in ms since the epoch. */
  changedAt(page: number, version: number): number {
    return this.#changes.changedAt(this.#document(page), this.changeRate(page), version);
  }

  delayMs(host: number, located: Located): number {
    const latency = this.#sites.latencyMs(this.hosts.parent(host));
    const slow = located.kind === 'robots' && located.of < this.hosts.count && this.#robots.isSlow(located.of);
    return slow ? latency + this.spec.slowRobotsMs : latency;
  }

  bytesPerSecond(host: number, located: Located): number {
    const own = located.kind === 'trap' ? this.#traps.bytesPerSecond(located) : 0;
    return own > 0 ? own : this.#sites.bytesPerSecond(this.hosts.parent(host));
  }

  reply(host: number, located: Located, visit: Visit): Reply {
    switch (located.kind) {
      case 'page':
        return this.#page(located.id, visit);
      case 'robots':
        if (located.of >= this.hosts.count) return { status: 404, headers: TEXT, body: 'no robots.txt here\n' };
        return this.#robots.reply(located, {
          origin: (other) => this.hosts.origin(other),
          sitemaps: (of) => this.sitemaps(of).map((id) => this.url(id)),
        });
      case 'asset':
        return { status: 200, headers: ['Content-Type', 'text/css'], body: 'body { margin: 0 auto }\n' };
      case 'trap':
        return located.trap === 'variants' ? this.#variant(host, located, visit) : this.#traps.reply(host, located);
      case 'phantom':
      case 'unknown':
        return this.#replies.notFound(host, located.target);
    }
  }

  /** What the address is and what it sends, as to a second visitor. */
  page(host: number, target: string): Reply & { readonly kind: PageRole | Exclude<Located['kind'], 'page'> } {
    const located = this.locate(host, target);
    const kind = located.kind === 'page' ? this.role(located.id) : located.kind;
    return { kind, ...this.reply(host, located, { before: 1, now: 0 }) };
  }

  #page(page: number, visit: Visit): Reply {
    const nature = this.nature(page, '');
    if (nature.kind === 'error') {
      return { status: nature.status, headers: TEXT, body: `error ${nature.status}\n` };
    }
    if (nature.kind === 'page' && nature.form !== undefined) return this.#side.reply(page);
    const { host, index } = this.#at(page);
    if (nature.kind === 'redirect')
      return this.#replies.redirect(host, index, this.url(nature.to), this.target(nature.to));
    if (nature.softNotFound) return this.#replies.notFound(host, this.target(page));
    const version = this.versionAt(page, visit.now);
    const modifiedAt = (): number => (version === 0 ? this.spec.changesSince : this.changedAt(page, version));
    return this.#replies.page({ host, index, page, document: nature.document, version, modifiedAt }, visit);
  }

  /** The page itself, with more such links on top of it. */
  #variant(host: number, located: Extract<Located, { kind: 'trap' }>, visit: Visit): Reply {
    const base = this.locate(host, this.#traps.variantBase(host, located));
    if (base.kind !== 'page') return this.#traps.reply(host, located);
    const shown = this.#page(base.id, { before: 1, now: visit.now, agent: visit.agent });
    const tools = this.#traps.variantTools(host, located.target);
    return { ...shown, body: shown.body.replace('<main>\n', `<main>\n${tools}`) };
  }

  #locate(host: number, target: string): Located | undefined {
    if (host >= this.hosts.count) {
      return target === '/robots.txt'
        ? { kind: 'robots', of: host, last: true, target }
        : this.#traps.locate(host, target, () => false);
    }
    const index = this.#pages.find(this.#sites.source(host), target);
    if (index >= 0) return { kind: 'page', id: host * this.spec.pagesPerHost + index };
    if (target.startsWith('/static/')) return ASSET;
    // The form on every other page is no link either.
    if (target.startsWith('/phantom/') || target.startsWith('/search')) return { kind: 'phantom', target };
    const side = this.#side.find(host, target);
    if (side >= 0) return { kind: 'page', id: side };
    return (
      this.#robots.locate(host, target) ??
      this.#traps.locate(host, target, (base) => this.#pages.find(this.#sites.source(host), base) >= 0)
    );
  }

  #sideNature(page: number): PageNature {
    const found = this.#side.describe(page);
    if (found === undefined) return { kind: 'error', status: 404 };
    return { kind: 'page', noindex: false, nofollow: false, document: this.#side.original(page), form: found.kind };
  }

  #document(page: number): number {
    const nature = this.nature(page, '');
    return nature.kind === 'page' ? nature.document : page;
  }

  /** Host and number of a page there, and the host whose pages are shown. */
  #at(page: number): { readonly host: number; readonly source: number; readonly index: number } {
    const host = this.hostOfPage(page);
    return { host, source: this.#sites.source(host), index: page - host * this.spec.pagesPerHost };
  }

  #onMirror(page: number, mirror: number): number {
    if (page >= this.#side.first) return this.#side.onMirror(page, mirror);
    return page + (mirror - this.hostOfPage(page)) * this.spec.pagesPerHost;
  }

  #everyHost(numberOf: (host: number) => number): string[] {
    const numbers = Array.from({ length: this.hosts.count }, (_, host) => numberOf(host));
    return numbers.filter((id) => id >= 0).map((id) => this.url(id));
  }
}
