import type { SpamTechnique } from '../../contracts/content/spam.ts';
import { hash32, pick, unit } from '../model/seeded-hash.ts';
import type { SpamShares, WebSpec } from '../model/web-spec.ts';
import type { PagePlan } from './page-plan.ts';
import type { SitePlan } from './site-plan.ts';

export type SpamTrait = keyof SpamShares;

/** What a page is labelled as: spam, or honest and easily taken for it. */
export type SpamLabel = { readonly spam: SpamTechnique } | { readonly lookalike: SpamTechnique };

const PURPOSE = { page: 150, host: 151, money: 152, peer: 153 } as const;

const LABELS: Readonly<Record<SpamTrait, SpamLabel>> = {
  termStuffing: { spam: 'term-stuffing' },
  repeatedWords: { lookalike: 'term-stuffing' },
  hiddenText: { spam: 'hidden-text' },
  hiddenParts: { lookalike: 'hidden-text' },
  doorway: { spam: 'doorway' },
  movedPage: { lookalike: 'doorway' },
  cloaking: { spam: 'cloaking' },
  otherAds: { lookalike: 'cloaking' },
  linkFarm: { spam: 'link-farm' },
  webRing: { lookalike: 'link-farm' },
};
const PAGE_TRAITS = (Object.keys(LABELS) as SpamTrait[]).filter((trait) => trait !== 'linkFarm' && trait !== 'webRing');

/** Which page and which host is spam of what technique, or looks like it: plain pages, and all pages of a host. */
export class SpamPlan {
  readonly #spec: WebSpec;
  readonly #pages: PagePlan;
  readonly #any: boolean;
  readonly #farms: readonly number[];
  readonly #rings: readonly number[];
  readonly #hostTraits: readonly (SpamTrait | undefined)[];

  constructor(spec: WebSpec, pages: PagePlan, sites: SitePlan) {
    this.#spec = spec;
    this.#pages = pages;
    this.#any = Object.values(spec.spam).some((share) => share > 0);
    this.#hostTraits = this.#any ? Array.from({ length: spec.hosts }, (_, host) => this.#drawHost(host)) : [];
    const own = (trait: SpamTrait): number[] =>
      [...this.#hostTraits.keys()].filter((host) => this.#hostTraits[host] === trait && sites.source(host) === host);
    this.#farms = own('linkFarm');
    this.#rings = own('webRing');
  }

  /** Of a page of a host that is no mirror. Copies are what their original is. */
  trait(host: number, index: number): SpamTrait | undefined {
    if (!this.#any) return undefined;
    const ofHost = this.#hostTraits[host];
    if (ofHost !== undefined) return ofHost;
    const from = this.#pages.textOf(host, index);
    if (from === 0 || this.#pages.role(host, from) !== 'plain') return undefined;
    const draw = unit(hash32(this.#spec.seed, host, from, PURPOSE.page));
    let bound = 0;
    for (const trait of PAGE_TRAITS) {
      bound += this.#spec.spam[trait];
      if (draw < bound) return trait;
    }
    return undefined;
  }

  label(host: number, index: number): SpamLabel | undefined {
    const trait = this.trait(host, index);
    return trait === undefined ? undefined : LABELS[trait];
  }

  hostTrait(host: number): SpamTrait | undefined {
    return this.#hostTraits[host];
  }

  /** The page of another host that a doorway leads to; all doorways of a host have the same few. */
  behind(host: number, index: number): readonly [number, number] {
    const { seed, hosts, pagesPerHost } = this.#spec;
    if (hosts === 1) return [host, 0];
    const to = (host + 1 + pick(hash32(seed, host, 0, PURPOSE.money), hosts - 1)) % hosts;
    return [to, hash32(seed, host, index, PURPOSE.money) % Math.min(4, pagesPerHost)];
  }

  /** Page `k` of those that a page of a farm links to: on another host of the farm, or on its own where there is none. */
  farmPeer(host: number, index: number, k: number): readonly [number, number] {
    const { seed, pagesPerHost } = this.#spec;
    const draw = hash32(seed, host * pagesPerHost + index, k, PURPOSE.peer);
    const others = this.#farms.filter((farm) => farm !== host);
    return [others.length === 0 ? host : others[draw % others.length], pick(draw, pagesPerHost)];
  }

  /** The hosts before and after this one in the ring, then up to `most` that its author reads: the same on every page. */
  ringNeighbours(host: number, most: number): number[] {
    const at = this.#rings.indexOf(host);
    const around = [this.#rings.at(at - 1) ?? host, this.#rings[(at + 1) % this.#rings.length]];
    const read = Array.from(
      { length: most },
      (_, k) => hash32(this.#spec.seed, host, k, PURPOSE.peer) % this.#spec.hosts,
    );
    return [...new Set([...around, ...read])].filter(
      (other) => other !== host && this.#hostTraits[other] !== 'linkFarm',
    );
  }

  #drawHost(host: number): SpamTrait | undefined {
    const { seed, spam } = this.#spec;
    const draw = unit(hash32(seed, host, 0, PURPOSE.host));
    if (draw < spam.linkFarm) return 'linkFarm';
    return draw < spam.linkFarm + spam.webRing ? 'webRing' : undefined;
  }
}
