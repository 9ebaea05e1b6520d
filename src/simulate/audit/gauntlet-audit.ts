import type { Truth } from '../model/truth.ts';
import type { WebModel } from '../model/web-model.ts';
import type { LoggedRequest } from '../server/request-log.ts';
import type { GauntletReport, MirrorReport } from './audit-report.ts';

/** What the path of a request holds that asks for a page which cannot exist, to see how a host says so. */
const PROBE = 'orbweaver-probe-';

export function isProbe(target: string): boolean {
  return target.includes(PROBE);
}

/** Counts what a crawl spent on nothing: traps, soft 404s, pages it had, probes, and what a folded mirror shows again. */
export class GauntletAudit {
  readonly #truth: Truth;
  /** The web of the log: subdomains have the numbers that it gave them, not those of the truth's own. */
  readonly #web: WebModel;
  readonly #isMirror: Uint8Array;
  readonly #byKind: Record<string, number> = {};
  readonly #byHost = new Map<number, number>();
  /** Per page that stands for its mirrors: whether any of them was sent whole, or asked for. */
  readonly #sent: Uint8Array;
  readonly #asked: Uint8Array;
  /** Those that one of the hosts forbids: whoever takes them for one may leave them alone on all. */
  readonly #forbidden: Uint8Array;
  #requests = 0;
  #traps = 0;
  #probes = 0;
  #softNotFound = 0;
  #repeated = 0;
  #mirrorRequests = 0;
  #mirrorRepeats = 0;

  constructor(truth: Truth, web: WebModel) {
    this.#truth = truth;
    this.#web = web;
    this.#isMirror = new Uint8Array(truth.web.hosts.count);
    this.#sent = new Uint8Array(truth.web.pageCount);
    this.#asked = new Uint8Array(truth.web.pageCount);
    this.#forbidden = new Uint8Array(truth.web.pageCount);
    for (const { mirror } of truth.mirrorHosts()) this.#isMirror[mirror] = 1;
    if (truth.mirrorsFolded) for (const page of truth.pages('disallowed')) this.#forbidden[truth.standsFor(page)] = 1;
  }

  /** `repeated`: the answer was known already, and had not changed. In the order of their arrival. */
  add(request: LoggedRequest, repeated: boolean): void {
    const { located, host } = request;
    this.#requests++;
    if (isProbe(request.target)) {
      this.#probes++;
      return;
    }
    // A name below a host that takes any has no business of its own: asking for its robots.txt is part of the trap.
    if (located.kind === 'trap') this.#addTrap(host, located.trap);
    else if (located.kind === 'robots' && host >= this.#isMirror.length) this.#addTrap(host, 'endlessSubdomains');
    if (located.kind === 'page') this.#addPage(request, located.id, repeated);
  }

  #addPage({ status, method, complete }: LoggedRequest, page: number, repeated: boolean): void {
    const { web, agent } = this.#truth;
    const stands = this.#truth.standsFor(page);
    const nature = web.nature(page, agent);
    const mirrored = this.#isMirror[web.hostOfPage(page)] === 1;
    if (mirrored) this.#mirrorRequests++;
    if (repeated) this.#repeated++;
    else if (nature.kind === 'page' && nature.softNotFound === true) this.#softNotFound++;
    else if (this.#truth.mirrorsFolded && this.#sent[stands] === 1) this.#mirrorRepeats++;
    if ((status === 200 || status === 304) && method === 'GET' && complete) this.#sent[stands] = 1;
    if (complete) this.#asked[stands] = 1;
  }

  /** Whether the page, or one that it stands for, was sent, or need not be. */
  isCovered(page: number): boolean {
    const stands = this.#truth.standsFor(page);
    return this.#sent[stands] === 1 || this.#forbidden[stands] === 1;
  }

  /** The same of redirects and errors, which need only be asked for. */
  isMet(page: number): boolean {
    const stands = this.#truth.standsFor(page);
    return this.#asked[stands] === 1 || this.#forbidden[stands] === 1;
  }

  report(): GauntletReport {
    const honest = new Set<number>();
    for (const page of this.#truth.pages('stored')) {
      const nature = this.#truth.web.nature(page, this.#truth.agent);
      const stands = this.#truth.standsFor(page);
      if (this.#forbidden[stands] === 1 && this.#sent[stands] === 0) continue;
      if (nature.kind === 'page' && nature.softNotFound !== true) honest.add(stands);
    }
    let honestFetched = 0;
    for (const page of honest) if (this.#sent[page] === 1) honestFetched++;
    const [trapHost, mostPerTrapHost] = [...this.#byHost].sort((a, b) => b[1] - a[1])[0] ?? [-1, 0];
    const wasted = this.#traps + this.#probes + this.#softNotFound + this.#repeated + this.#mirrorRepeats;
    return {
      requests: this.#requests,
      wasted,
      wastedShare: this.#requests === 0 ? 0 : wasted / this.#requests,
      trapRequests: this.#traps,
      trapRequestsByKind: this.#byKind,
      probes: this.#probes,
      softNotFound: this.#softNotFound,
      repeated: this.#repeated,
      mirrorRepeats: this.#mirrorRepeats,
      mostPerTrapHost,
      trapHost: trapHost < 0 ? '' : this.#web.hosts.hostname(trapHost),
      honestExpected: honest.size,
      honestFetched,
      honestShare: honest.size === 0 ? 1 : honestFetched / honest.size,
    };
  }

  /** `sent` tells of a page itself, not of what stands for it. */
  mirrors(sent: (page: number) => boolean): MirrorReport {
    const { web } = this.#truth;
    const hosts = this.#truth.mirrorHosts().map(({ mirror, original }) => ({
      mirror: web.hosts.hostname(mirror),
      original: web.hosts.hostname(original),
    }));
    let pages = 0;
    let saved = 0;
    for (const page of hosts.length === 0 ? [] : this.#truth.pages('stored')) {
      if (this.#isMirror[web.hostOfPage(page)] === 0) continue;
      pages++;
      if (!sent(page) && this.isCovered(page)) saved++;
    }
    return { hosts, pages, requests: this.#mirrorRequests, saved };
  }

  #addTrap(host: number, kind: string): void {
    const parent = this.#web.hosts.parent(host);
    this.#traps++;
    this.#byKind[kind] = (this.#byKind[kind] ?? 0) + 1;
    this.#byHost.set(parent, (this.#byHost.get(parent) ?? 0) + 1);
  }
}
