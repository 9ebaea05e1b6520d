import { gzipSync } from 'node:zlib';
import type { HostTable } from '../model/addressing.ts';
import type { Located, Reply } from '../model/web-model.ts';
import type { TrapKind, WebSpec } from '../model/web-spec.ts';
import { type SitePlan, TRAP_KINDS } from '../plan/site-plan.ts';
import { brokenLink, brokenLinkPage } from './broken-links.ts';
import { PageVariants } from './page-variants.ts';
import { type PlacedTrap, type TrapPlace, trapLabel, trapPlace } from './trap-names.ts';
import { TRAP_WRITERS } from './trap-pages.ts';
import { escapeHtml, phrase, sentences } from './trap-words.ts';
import type { TrapAnswer } from './trap-writer.ts';

type TrapFound = Extract<Located, { kind: 'trap' }>;

/** Pages of which this many lie apart have the ways into the traps, besides the first. */
const ENTRY_EVERY = 16;
/** The same for links to what is not there: each of them costs a request, however well a crawler learns. */
const BROKEN_LINK_EVERY = 32;
/** Pages name eight of the endless subdomains among them. */
const FEW_ENTRIES = 8 * ENTRY_EVERY;

/** Which host lays which traps, where they begin, and what they answer. */
export class TrapPlan {
  readonly #spec: WebSpec;
  readonly #sites: SitePlan;
  readonly #hosts: HostTable;
  readonly #variants: PageVariants;
  readonly #any: boolean;
  readonly #disguised: boolean;
  readonly #placed: readonly PlacedTrap[];
  /** Made once, when it is first asked for. */
  #bomb: string | undefined;

  constructor(spec: WebSpec, sites: SitePlan, hosts: HostTable) {
    this.#spec = spec;
    this.#sites = sites;
    this.#hosts = hosts;
    this.#variants = new PageVariants(spec.seed);
    this.#any = Object.values(spec.traps).some((share) => share > 0);
    this.#disguised = spec.trapStyle === 'disguised';
    this.#placed = TRAP_KINDS.filter((trap) => isPlaced(trap)).filter((trap) => spec.traps[trap] > 0);
  }

  /** The trap of this address. Below endless subdomains, or where links are broken, whatever is no page is a trap. */
  locate(host: number, target: string, isPage: (target: string) => boolean): TrapFound | undefined {
    if (!this.#any) return undefined;
    if (host >= this.#hosts.count) return { kind: 'trap', trap: 'endlessSubdomains', target };
    for (const trap of this.#placed) {
      if (this.#sites.lays(host, trap) && target.startsWith(this.#place(host, trap).prefix))
        return { kind: 'trap', trap, target };
    }
    const base = this.#sites.lays(host, 'variants') ? this.#variants.base(this.#source(host), target) : undefined;
    if (base !== undefined && isPage(base)) return { kind: 'trap', trap: 'variants', target };
    return this.#sites.lays(host, 'brokenLinks') ? { kind: 'trap', trap: 'brokenLinks', target } : undefined;
  }

  /** Markup with links into the traps of the host, where the page has such links. */
  entries(host: number, index: number, target: string): string {
    if (!this.#any) return '';
    const tools = this.#sites.lays(host, 'variants') ? this.variantTools(host, target) : '';
    if (index % ENTRY_EVERY !== 0) return tools;
    const entries = TRAP_KINDS.filter((trap) => this.#lays(host, trap)).flatMap((trap) => {
      const href = this.#entry(host, index, trap);
      const label = this.#disguised ? trapLabel(this.#spec.seed, host, index, trap) : trap;
      return href === undefined ? [] : [`<li><a href="${escapeHtml(href)}">${label}</a></li>`];
    });
    return entries.length === 0 ? tools : `${tools}<ul class="more">${entries.join('')}</ul>\n`;
  }

  /** Links to the same page once more. */
  variantTools(host: number, target: string): string {
    const source = this.#source(host);
    return this.#variants.tools(source, target, trapLabel(this.#spec.seed, source, 0, 'variants'));
  }

  /** The address of the page that a variant shows. */
  variantBase(host: number, { target }: TrapFound): string {
    return this.#variants.base(this.#source(host), target) ?? target;
  }

  reply(host: number, { trap, target }: TrapFound): Reply {
    const { seed } = this.#spec;
    if (trap === 'endlessSubdomains') return this.#page(host, this.#subdomains(host));
    if (trap === 'brokenLinks' || !isPlaced(trap))
      return { status: 200, headers: HTML, body: brokenLinkPage({ seed, host: this.#source(host), target }) };
    if (trap === 'bomb') {
      this.#bomb ??= gzipSync(Buffer.alloc(this.#spec.bombBytes, ' ')).toString('latin1');
      return { status: 200, headers: [...HTML, 'Content-Encoding', 'gzip'], body: this.#bomb };
    }
    const answer = TRAP_WRITERS[trap].write({ ...this.#place(host, trap), host, target });
    if ('location' in answer) return { status: 302, headers: ['Location', answer.location], body: '' };
    return this.#page(host, answer);
  }

  /** 0: as the host. */
  bytesPerSecond({ trap }: TrapFound): number {
    if (trap === 'maze') return this.#spec.mazeBytesPerSecond;
    return trap === 'tarpit' ? this.#spec.tarpitBytesPerSecond : 0;
  }

  #entry(host: number, index: number, trap: TrapKind): string | undefined {
    if (trap === 'endlessSubdomains') return this.#below(host, this.#label(host, 'x1', index % FEW_ENTRIES));
    if (trap === 'brokenLinks') {
      const from = { seed: this.#spec.seed, host: this.#source(host), target: `/${index}` };
      return index % BROKEN_LINK_EVERY === 0 ? brokenLink(from, 0) : undefined;
    }
    if (!isPlaced(trap)) return undefined;
    const place = this.#place(host, trap);
    return trap === 'bomb' ? `${place.prefix}page.html` : TRAP_WRITERS[trap].entry(place);
  }

  #lays(host: number, trap: TrapKind): boolean {
    return (
      this.#sites.lays(host, trap) && (trap !== 'endlessSubdomains' || !/^[\d.]+$/.test(this.#hosts.hostname(host)))
    );
  }

  #place(host: number, trap: PlacedTrap): TrapPlace {
    return trapPlace(this.#spec.seed, this.#source(host), trap, this.#disguised);
  }

  #source(host: number): number {
    return this.#sites.source(host);
  }

  /** Links to names below its own and, once that is long, to new names below the host; disguised, always to the latter. */
  #subdomains(host: number): TrapPage {
    const name = this.#hosts.hostname(host);
    const parent = this.#hosts.parent(host);
    const depth = name.split('.').length;
    if (this.#disguised) {
      const about = { seed: this.#spec.seed, host: parent, target: name };
      const links = [0, 1, 2, 3].map((at) => this.#below(parent, phrase(about, at * 3, 3).replaceAll(' ', '-')));
      return { title: phrase(about, 50, 3), links, text: sentences(about, 60, 120) };
    }
    const links =
      name.length > MOST_NAME
        ? [this.#below(parent, `y${name.length + depth}-${name.charCodeAt(1)}`)]
        : [this.#below(host, `x${depth}`), this.#below(host, `z${depth}`)];
    return { title: `Welcome to ${name}`, links, text: 'Everybody here has a place of their own.' };
  }

  #label(host: number, plain: string, salt: number): string {
    if (!this.#disguised) return plain;
    return phrase({ seed: this.#spec.seed, host, target: 'users' }, salt, 3).replaceAll(' ', '-');
  }

  #below(host: number, label: string): string {
    const origin = this.#hosts.origin(host);
    return `${origin.replace('://', `://${label}.`)}/`;
  }

  #page(host: number, { title, links, text }: TrapPage): Reply {
    const about = { seed: this.#spec.seed, host: this.#hosts.parent(host), target: title };
    const label = (at: number): string =>
      this.#disguised ? phrase(about, at * 2, 2) : `${escapeHtml(title)} ${at + 1}`;
    const items = links.map((href, at) => `<li><a href="${escapeHtml(href)}">${label(at)}</a></li>\n`);
    const header = this.#disguised ? `<header><a href="/">Site ${about.host}</a></header>\n` : '';
    const footer = this.#disguised ? `<footer>Site ${about.host}</footer>\n` : '';
    const body = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body>${header}<h1>${escapeHtml(title)}</h1>
<ul>
${items.join('')}</ul>
<p>${text}</p>
${footer}</body></html>
`;
    return { status: 200, headers: HTML, body };
  }
}

type TrapPage = Extract<TrapAnswer, { readonly title: string }>;

const MOST_NAME = 120;
const HTML = ['Content-Type', 'text/html; charset=utf-8'] as const;

function isPlaced(trap: TrapKind): trap is PlacedTrap {
  return trap !== 'endlessSubdomains' && trap !== 'variants' && trap !== 'brokenLinks';
}
