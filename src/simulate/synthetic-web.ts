import { type Addressing, HostTable } from './addressing.ts';
import { canonicalTarget } from './canonical-target.ts';
import { LinkPlan } from './link-plan.ts';
import { PageMarkup, type PageToWrite } from './page-markup.ts';
import { PagePlan, type PageRole } from './page-plan.ts';
import { RobotsPlan } from './robots-plan.ts';
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
import type { WebSpec } from './web-spec.ts';

const PURPOSE = { latency: 80 } as const;
const HTML = ['Content-Type', 'text/html; charset=utf-8'] as const;
const TEXT = ['Content-Type', 'text/plain; charset=utf-8'] as const;
const REDIRECT_STATUS = [301, 302, 303, 307, 308] as const;
const OTHER_BOT = 'otherbot';
const UNKNOWN: Located = { kind: 'unknown' };
const ASSET: Located = { kind: 'asset' };
const PHANTOM: Located = { kind: 'phantom' };

/** A web with known truth: everything it sends and everything that means is a pure function of spec and addressing. */
export class SyntheticWeb implements WebModel {
  readonly description: WebDescription;
  readonly hosts: HostTable;
  readonly pageCount: number;
  readonly retryAfterMs: number;
  readonly spec: WebSpec;
  readonly #pages: PagePlan;
  readonly #links: LinkPlan;
  readonly #robots: RobotsPlan;
  readonly #markup: PageMarkup;

  constructor(spec: WebSpec, addressing: Addressing) {
    this.description = { kind: 'synthetic', spec, addressing };
    this.spec = spec;
    this.hosts = HostTable.synthetic(spec.hosts, addressing);
    this.pageCount = spec.hosts * spec.pagesPerHost;
    this.retryAfterMs = spec.retryAfterSeconds * 1000;
    this.#pages = new PagePlan(spec);
    this.#links = new LinkPlan(spec, this.#pages);
    this.#robots = new RobotsPlan(spec);
    this.#markup = new PageMarkup(spec);
  }

  hostOfPage(page: number): number {
    return Math.floor(page / this.spec.pagesPerHost);
  }

  role(page: number): PageRole {
    return this.#pages.role(this.hostOfPage(page), page % this.spec.pagesPerHost);
  }

  target(page: number): string {
    return this.#pages.target(this.hostOfPage(page), page % this.spec.pagesPerHost);
  }

  url(page: number): string {
    return `http://${this.hosts.authority(this.hostOfPage(page))}${this.target(page)}`;
  }

  locate(host: number, target: string): Located {
    return this.#locate(host, target) ?? this.#locate(host, canonicalTarget(target)) ?? UNKNOWN;
  }

  nature(page: number, agent: string): PageNature {
    const host = this.hostOfPage(page);
    const index = page - host * this.spec.pagesPerHost;
    const role = this.#pages.role(host, index);
    switch (role) {
      case 'notFound':
        return { kind: 'error', status: 404 };
      case 'gone':
        return { kind: 'error', status: 410 };
      case 'broken':
        return { kind: 'error', status: 500 };
      case 'redirect':
      case 'redirectAway':
      case 'redirectChain':
      case 'redirectLoop': {
        const [toHost, toIndex] = this.#pages.redirectTarget(host, index);
        return { kind: 'redirect', to: toHost * this.spec.pagesPerHost + toIndex };
      }
      case 'copy': {
        const document = host * this.spec.pagesPerHost + this.#pages.original(host, index);
        return { kind: 'page', noindex: false, nofollow: false, document };
      }
      default: {
        const { noindex, nofollow } = this.#directives(role, host, index);
        const addressed = role !== 'directiveForOthers' || agent.toLowerCase() === OTHER_BOT;
        return { kind: 'page', noindex: addressed && noindex, nofollow: addressed && nofollow, document: page };
      }
    }
  }

  links(page: number): readonly ModelLink[] {
    const host = this.hostOfPage(page);
    return this.#links.links(host, page - host * this.spec.pagesPerHost);
  }

  phantoms(page: number): readonly string[] {
    const nature = this.nature(page, '');
    return nature.kind === 'page' ? this.#markup.phantoms(this.#toWrite(nature.document)) : [];
  }

  robots(host: number): HostRobots {
    return this.#robots.robots(host);
  }

  delayMs(host: number, located: Located): number {
    const [least, most] = this.spec.latencyMs;
    const latency = most === 0 ? 0 : least + (most - least) * unit(hash32(this.spec.seed, host, 0, PURPOSE.latency));
    return located.kind === 'robots' && this.#robots.isSlow(located.of) ? latency + this.spec.slowRobotsMs : latency;
  }

  reply(host: number, located: Located, visit: Visit): Reply {
    switch (located.kind) {
      case 'page':
        return this.#page(host, located.id, visit);
      case 'robots':
        return this.#robots.reply(located, (other) => this.hosts.authority(other));
      case 'asset':
        return { status: 200, headers: ['Content-Type', 'text/css'], body: 'body { margin: 0 auto }\n' };
      default:
        return { status: 404, headers: TEXT, body: 'nothing here\n' };
    }
  }

  /** What the address is and what it sends, as to a second visitor. */
  page(host: number, target: string): Reply & { readonly kind: PageRole | Exclude<Located['kind'], 'page'> } {
    const located = this.locate(host, target);
    const kind = located.kind === 'page' ? this.role(located.id) : located.kind;
    return { kind, ...this.reply(host, located, { before: 1, now: 0 }) };
  }

  #locate(host: number, target: string): Located | undefined {
    const index = this.#pages.find(host, target);
    if (index >= 0) return { kind: 'page', id: host * this.spec.pagesPerHost + index };
    if (target.startsWith('/static/')) return ASSET;
    // The form on every other page is no link either.
    if (target.startsWith('/phantom/') || target.startsWith('/search')) return PHANTOM;
    return this.#robots.locate(host, target);
  }

  #page(host: number, page: number, visit: Visit): Reply {
    const index = page - host * this.spec.pagesPerHost;
    const role = this.#pages.role(host, index);
    const nature = this.nature(page, '');
    if (nature.kind === 'error') return { status: nature.status, headers: TEXT, body: `error ${nature.status}\n` };
    if (nature.kind === 'redirect') return this.#redirect(host, index, nature.to);
    if (visit.before === 0 && (role === 'tooManyRequests' || role === 'unavailable')) {
      return this.#pushback(role === 'tooManyRequests' ? 429 : 503, this.#pages.flavour(host, index), visit.now);
    }
    const { header } = this.#directives(role, host, index);
    const body = this.#markup.write(this.#toWrite(nature.document));
    return { status: 200, headers: header === '' ? HTML : [...HTML, 'X-Robots-Tag', header], body };
  }

  #redirect(host: number, index: number, to: number): Reply {
    const flavour = this.#pages.flavour(host, index);
    const sameHost = this.hostOfPage(to) === host;
    const location = sameHost && (flavour & 8) === 0 ? this.target(to) : this.url(to);
    return {
      status: REDIRECT_STATUS[(flavour >>> 4) % REDIRECT_STATUS.length],
      headers: ['Location', (flavour & 3) === 0 ? `${location}#top` : location],
      body: '',
    };
  }

  #pushback(status: number, flavour: number, now: number): Reply {
    const seconds = this.spec.retryAfterSeconds;
    // A date has whole seconds: rounded up, so that it never asks for less than the number would.
    const date = new Date(Math.ceil(now / 1000 + seconds) * 1000).toUTCString();
    return {
      status,
      headers: [...TEXT, 'Retry-After', (flavour & 1) === 0 ? String(seconds) : date],
      body: 'come back later\n',
    };
  }

  #toWrite(page: number): PageToWrite {
    const host = this.hostOfPage(page);
    const index = page - host * this.spec.pagesPerHost;
    return {
      host,
      index,
      authority: this.hosts.authority(host),
      target: this.#pages.target(host, index),
      links: this.#links.links(host, index),
      meta: this.#directives(this.#pages.role(host, index), host, index).meta,
      resolve: (to) => {
        const toHost = this.hostOfPage(to);
        return {
          host: toHost,
          authority: this.hosts.authority(toHost),
          target: this.#pages.target(toHost, to - toHost * this.spec.pagesPerHost),
        };
      },
    };
  }

  /** What the page tells robots, and in which words. */
  #directives(role: PageRole, host: number, index: number): Directives {
    const flip =
      role.startsWith('meta') || role.startsWith('dir') ? (this.#pages.flavour(host, index) & 1) === 0 : true;
    switch (role) {
      case 'metaNoindex':
        return {
          ...NO_DIRECTIVES,
          noindex: true,
          meta: flip ? '<meta name="robots" content="noindex">\n' : '<META CONTENT="NOINDEX, FOLLOW" NAME=ROBOTS>\n',
        };
      case 'metaNofollow':
        return {
          ...NO_DIRECTIVES,
          noindex: !flip,
          nofollow: true,
          meta: `<meta name="robots" content="${flip ? 'index,nofollow' : 'none'}" />\n`,
        };
      case 'headerNoindex':
        return { ...NO_DIRECTIVES, noindex: true, header: 'noindex' };
      case 'headerNofollow':
        return { ...NO_DIRECTIVES, nofollow: true, header: 'nofollow' };
      case 'directiveForOthers':
        return {
          noindex: true,
          nofollow: true,
          meta: flip ? `<meta name="${OTHER_BOT}" content="noindex, nofollow">\n` : '',
          header: flip ? '' : `${OTHER_BOT}: noindex, nofollow`,
        };
      default:
        return NO_DIRECTIVES;
    }
  }
}

interface Directives {
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly meta: string;
  readonly header: string;
}

const NO_DIRECTIVES: Directives = { noindex: false, nofollow: false, meta: '', header: '' };
