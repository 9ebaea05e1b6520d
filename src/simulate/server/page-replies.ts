import type { PageMarkup, PageToWrite } from '../markup/page-markup.ts';
import type { TraitMarkup } from '../markup/spam-markup.ts';
import { isBrowser, pageForBrowsers, traitMarkup } from '../markup/trait-markup.ts';
import type { HostTable } from '../model/addressing.ts';
import { hash32 } from '../model/seeded-hash.ts';
import { isNotModified, type Validators, validatorHeaders } from '../model/validators.ts';
import type { ModelLink, Reply, Visit } from '../model/web-model.ts';
import type { WebSpec } from '../model/web-spec.ts';
import type { CharsetPlan } from '../plan/charset-plan.ts';
import type { LinkPlan, PlannedLink } from '../plan/link-plan.ts';
import { pageDirectives } from '../plan/page-directives.ts';
import type { PagePlan } from '../plan/page-plan.ts';
import type { SitePlan } from '../plan/site-plan.ts';
import type { SpamPlan } from '../plan/spam-plan.ts';
import type { TrapPlan } from '../traps/trap-plan.ts';
import { sentences } from '../traps/trap-words.ts';

export interface PageRepliesParts {
  readonly spec: WebSpec;
  readonly hosts: HostTable;
  readonly sites: SitePlan;
  readonly pages: PagePlan;
  readonly links: LinkPlan;
  readonly traps: TrapPlan;
  readonly spam: SpamPlan;
  readonly charsets: CharsetPlan;
  readonly markup: PageMarkup;
  /** Where any page lies. */
  readonly place: (page: number) => { readonly host: number; readonly target: string };
  /** The same page on a mirror. */
  readonly onMirror: (page: number, mirror: number) => number;
}

/** A page that is there, at one moment. */
export interface PresentPage {
  readonly host: number;
  readonly index: number;
  readonly page: number;
  /** The page whose bytes it has. */
  readonly document: number;
  readonly version: number;
  /** ms since the epoch. */
  readonly modifiedAt: () => number;
}

const HTML = ['Content-Type', 'text/html; charset=utf-8'] as const;
const TEXT = ['Content-Type', 'text/plain; charset=utf-8'] as const;
const REDIRECT_STATUS = [301, 302, 303, 307, 308] as const;
const NEAR_PURPOSE = 88;

/** What pages answer: text, redirects, "not found", "come back later", "you have it already". */
export class PageReplies {
  readonly #parts: PageRepliesParts;

  constructor(parts: PageRepliesParts) {
    this.#parts = parts;
  }

  page(present: PresentPage, visit: Visit): Reply {
    const { pages, sites, markup } = this.#parts;
    const { host, index } = present;
    const source = sites.source(host);
    const role = pages.role(source, index);
    const flavour = pages.flavour(source, index);
    if (visit.before === 0 && (role === 'tooManyRequests' || role === 'unavailable')) {
      return this.#pushback(role === 'tooManyRequests' ? 429 : 503, flavour, visit.now);
    }
    const browser = isBrowser(visit.agent);
    if (browser && this.#parts.spam.trait(source, index) === 'cloaking') {
      const shown = pageForBrowsers(this.#parts.spec.seed, present.document);
      return { status: 200, headers: [...HTML, 'Vary', 'User-Agent'], body: shown };
    }
    const toWrite = this.#toWrite(present.document, present.version, browser);
    const charset = toWrite.charset;
    const declared = charset?.declared === 'header' ? `text/html; charset=${charset.charset}` : 'text/html';
    const headers: string[] = charset === undefined ? [...HTML] : ['Content-Type', declared];
    const { header } = pageDirectives(role, (flavour & 1) === 0);
    if (header !== '') headers.push('X-Robots-Tag', header);
    const zips = visit.acceptsGzip === true && sites.compresses(host) && markup.canZip(toWrite);
    if (sites.has(host, 'validators')) {
      const validators = this.#validators(present, zips);
      headers.push(...validatorHeaders(validators));
      if (isNotModified(validators, visit)) return { status: 304, headers, body: '' };
    }
    if (!zips) return { status: 200, headers, body: markup.write(toWrite) };
    headers.push('Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding');
    return { status: 200, headers, body: markup.writeGzip(toWrite) };
  }

  /** The page to which a redirect leads; a mirror's relative ones lead to the mirror. */
  redirectTarget(host: number, index: number): number {
    const { pages, sites, spec } = this.#parts;
    const source = sites.source(host);
    const [toHost, toIndex] = pages.redirectTarget(source, index);
    const stays = toHost === source && isRelativeRedirect(pages.flavour(source, index));
    return (stays ? host : toHost) * spec.pagesPerHost + toIndex;
  }

  redirect(host: number, index: number, url: string, target: string): Reply {
    const { pages, sites } = this.#parts;
    const source = sites.source(host);
    const flavour = pages.flavour(source, index);
    const within = pages.redirectTarget(source, index)[0] === source;
    const location = within && isRelativeRedirect(flavour) ? target : url;
    return {
      status: REDIRECT_STATUS[(flavour >>> 4) % REDIRECT_STATUS.length],
      headers: ['Location', (flavour & 3) === 0 ? `${location}#top` : location],
      body: '',
    };
  }

  /** For addresses without a page. */
  notFound(host: number, target: string): Reply {
    const { sites, hosts } = this.#parts;
    if (host >= hosts.count || !sites.has(host, 'softNotFound')) {
      return { status: 404, headers: TEXT, body: 'nothing here\n' };
    }
    return { status: 200, headers: HTML, body: softNotFoundPage(sites.source(host), target) };
  }

  /** As they lead when they are read on this host. */
  links(host: number, index: number): readonly ModelLink[] {
    const { links, sites, pages, spec } = this.#parts;
    const source = sites.source(host);
    if (pages.role(source, index) === 'notFound') {
      return sites.has(host, 'softNotFound') ? [{ to: host * spec.pagesPerHost, nofollow: false, element: 'a' }] : [];
    }
    const planned = links.links(source, index);
    return source === host ? planned : this.#mirrored(host, source, index, planned);
  }

  /** Paths on the page that are no links. */
  phantoms(document: number): readonly string[] {
    return this.#parts.markup.phantoms(this.#toWrite(document, 0));
  }

  /** The links of a mirror: what is written without a host leads to the mirror itself. */
  #mirrored(host: number, source: number, index: number, planned: readonly PlannedLink[]): ModelLink[] {
    const { markup, place, onMirror, spec } = this.#parts;
    const toWrite = this.#toWrite(source * spec.pagesPerHost + index, 0);
    return planned.map((link) => {
      const stays = place(link.to).host === source && markup.isRelative(toWrite, link);
      return stays ? { ...link, to: onMirror(link.to, host) } : link;
    });
  }

  #validators({ host, page, version, modifiedAt }: PresentPage, zipped: boolean): Validators {
    const flavour = this.#parts.sites.flavour(host) >>> 8;
    const tag = `${(flavour & 4) === 0 ? '' : 'W/'}"${page.toString(36)}-${version}${zipped ? '-gzip' : ''}"`;
    switch (flavour & 3) {
      case 0:
        return { etag: tag };
      case 1:
        return { modifiedAt: modifiedAt() };
      default:
        return { etag: tag, modifiedAt: modifiedAt() };
    }
  }

  #pushback(status: number, flavour: number, now: number): Reply {
    const seconds = this.#parts.spec.retryAfterSeconds;
    // A date has whole seconds: rounded up, so that it never asks for less than the number would.
    const date = new Date(Math.ceil(now / 1000 + seconds) * 1000).toUTCString();
    return {
      status,
      headers: [...TEXT, 'Retry-After', (flavour & 1) === 0 ? String(seconds) : date],
      body: 'come back later\n',
    };
  }

  #toWrite(document: number, version: number, browser = false): PageToWrite {
    const { spec, hosts, pages, links, traps, charsets, place } = this.#parts;
    const host = Math.floor(document / spec.pagesPerHost);
    const own = document - host * spec.pagesPerHost;
    const index = pages.textOf(host, own);
    const charset = charsets.charset(host, index);
    const near =
      own === index
        ? undefined
        : { stride: pages.nearStride(host, own), salt: hash32(spec.seed, host, own, NEAR_PURPOSE) };
    const target = pages.target(host, index);
    const planned = links.links(host, index);
    const trait = this.#trait(host, index, planned, browser);
    const delivery = pages.role(host, index) === 'product' ? deliveryNote(spec.seed, host) : '';
    return {
      host,
      index,
      origin: hosts.origin(host),
      target,
      links: planned,
      meta: pageDirectives(pages.role(host, index), (pages.flavour(host, index) & 1) === 0).meta,
      extra: delivery + traps.entries(host, index, target),
      version,
      ...(near === undefined ? {} : { near }),
      ...(charset === undefined ? {} : { charset }),
      ...(trait === undefined ? {} : { trait }),
      resolve: (to) => {
        const found = place(to);
        return { host: found.host, origin: hosts.origin(found.host), target: found.target };
      },
    };
  }

  #trait(host: number, index: number, planned: readonly PlannedLink[], browser: boolean): TraitMarkup | undefined {
    const { spec, spam, links, hosts, place } = this.#parts;
    const trait = spam.trait(host, index);
    if (trait === undefined) return undefined;
    const page = host * spec.pagesPerHost + index;
    if (trait !== 'doorway' && trait !== 'movedPage') return traitMarkup(spec.seed, page, trait, { browser });
    const to = place(links.sentOnTo(host, index));
    const byScript = !planned.some((link) => link.seconds !== undefined);
    const sentOn = { url: hosts.origin(to.host) + to.target, byScript };
    return traitMarkup(spec.seed, page, trait, { browser, sentOn });
  }
}

/** What stands below every product of a host. */
function deliveryNote(seed: number, host: number): string {
  return `<section class="delivery"><h2>Delivery</h2><p>${sentences({ seed, host, target: 'delivery' }, 0, 90)}</p></section>\n`;
}

function isRelativeRedirect(flavour: number): boolean {
  return (flavour & 8) === 0;
}

function softNotFoundPage(site: number, target: string): string {
  const shown = target.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Page not found</title></head>
<body><header><a href="/">Site ${site}</a></header>
<main><h1>Oops!</h1><p>We cannot find <code>${shown}</code>. It may have moved, or never have been.</p></main></body></html>
`;
}
