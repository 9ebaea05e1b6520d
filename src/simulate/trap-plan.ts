import { gzipSync } from 'node:zlib';
import type { HostTable } from './addressing.ts';
import { type SitePlan, TRAP_KINDS } from './site-plan.ts';
import { escapeHtml, type PathTrap, TRAP_WRITERS, type TrapAnswer } from './trap-pages.ts';
import type { Located, Reply } from './web-model.ts';
import type { TrapKind, WebSpec } from './web-spec.ts';

type TrapPlace = Extract<Located, { kind: 'trap' }>;

/** Pages of which this many lie apart have the ways into the traps, besides the first. */
const ENTRY_EVERY = 16;

/** Which host lays which traps, where they begin, and what they answer. */
export class TrapPlan {
  readonly #spec: WebSpec;
  readonly #sites: SitePlan;
  readonly #hosts: HostTable;
  readonly #any: boolean;
  /** Made once, when it is first asked for. */
  #bomb: string | undefined;

  constructor(spec: WebSpec, sites: SitePlan, hosts: HostTable) {
    this.#spec = spec;
    this.#sites = sites;
    this.#hosts = hosts;
    this.#any = Object.values(spec.traps).some((share) => share > 0);
  }

  /** The trap that this address lies in. Below a subdomain without end everything does. */
  locate(host: number, target: string): TrapPlace | undefined {
    if (!this.#any) return undefined;
    if (host >= this.#hosts.count) return { kind: 'trap', trap: 'endlessSubdomains', target };
    for (const trap of TRAP_KINDS) {
      if (trap === 'endlessSubdomains') continue;
      const prefix = trap === 'bomb' ? BOMB : TRAP_WRITERS[trap].prefix;
      if (target.startsWith(prefix) && this.#sites.lays(host, trap)) return { kind: 'trap', trap, target };
    }
    return undefined;
  }

  /** Markup with a link into each trap of the host, where the page has such links. */
  entries(host: number, index: number): string {
    if (!this.#any || index % ENTRY_EVERY !== 0) return '';
    const entries = TRAP_KINDS.filter((trap) => this.#lays(host, trap)).map((trap) => {
      return `<li><a href="${escapeHtml(this.#entry(host, trap))}">${trap}</a></li>`;
    });
    return entries.length === 0 ? '' : `<ul class="more">${entries.join('')}</ul>\n`;
  }

  reply(host: number, { trap, target }: TrapPlace): Reply {
    if (trap === 'endlessSubdomains') return page(this.#subdomains(host));
    if (trap === 'bomb') {
      this.#bomb ??= gzipSync(Buffer.alloc(this.#spec.bombBytes, ' ')).toString('latin1');
      return { status: 200, headers: [...HTML, 'Content-Encoding', 'gzip'], body: this.#bomb };
    }
    const answer = TRAP_WRITERS[trap].write({ seed: this.#spec.seed, host, target });
    if ('location' in answer) return { status: 302, headers: ['Location', answer.location], body: '' };
    return page(answer);
  }

  /** 0: as the host. */
  bytesPerSecond({ trap }: TrapPlace): number {
    return trap === 'tarpit' ? this.#spec.tarpitBytesPerSecond : 0;
  }

  #entry(host: number, trap: TrapKind): string {
    if (trap === 'endlessSubdomains') return this.#below(host, 'x1');
    return trap === 'bomb' ? `${BOMB}page.html` : TRAP_WRITERS[trap satisfies PathTrap].entry;
  }

  #lays(host: number, trap: TrapKind): boolean {
    return (
      this.#sites.lays(host, trap) && (trap !== 'endlessSubdomains' || !/^[\d.]+$/.test(this.#hosts.hostname(host)))
    );
  }

  /** Links to names below its own and, once that is long, to new names below the host. */
  #subdomains(host: number): TrapPage {
    const name = this.#hosts.hostname(host);
    const parent = this.#hosts.parent(host);
    const depth = name.split('.').length;
    const links =
      name.length > MOST_NAME
        ? [this.#below(parent, `y${name.length + depth}-${name.charCodeAt(1)}`)]
        : [this.#below(host, `x${depth}`), this.#below(host, `z${depth}`)];
    return { title: `Welcome to ${name}`, links, text: 'Everybody here has a place of their own.' };
  }

  #below(host: number, label: string): string {
    const origin = this.#hosts.origin(host);
    return `${origin.replace('://', `://${label}.`)}/`;
  }
}

type TrapPage = Extract<TrapAnswer, { readonly title: string }>;

const MOST_NAME = 120;
const BOMB = '/bomb/';
const HTML = ['Content-Type', 'text/html; charset=utf-8'] as const;

function page({ title, links, text }: TrapPage): Reply {
  const items = links.map((href, at) => `<li><a href="${escapeHtml(href)}">${escapeHtml(title)} ${at + 1}</a></li>\n`);
  const body = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body><h1>${escapeHtml(title)}</h1>
<ul>
${items.join('')}</ul>
<p>${text}</p>
</body></html>
`;
  return { status: 200, headers: HTML, body };
}
