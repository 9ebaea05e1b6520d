import type { SpamSign } from '../../contracts/content/spam.ts';
import { farmsIn } from './farm-groups.ts';
import { type HostEdge, SiteLinks, type SiteLinksSnapshot } from './site-links.ts';

export interface LinkFarmOptions {
  /** Domains that are watched; beyond, those with the fewest links are forgotten. */
  readonly maxDomains?: number;
}

const FORM = 1;

interface Snapshot {
  readonly form: number;
  readonly links: SiteLinksSnapshot;
}

/**
 * Watches links between sites for groups that link each other to look linked: nearly everybody to everybody, and hardly
 * anybody else to them. Streaming, bounded in memory; the judgement is made when it is asked for.
 */
export class LinkFarmWatch {
  readonly #links: SiteLinks;

  constructor({ maxDomains = 50_000 }: LinkFarmOptions = {}) {
    this.#links = new SiteLinks(maxDomains);
  }

  /** The same link may be reported again and again: it counts once. */
  observe(edge: HostEdge): void {
    this.#links.add(edge);
  }

  /** A page of the host: its words, and its links to other sites. Pages of links alone are what farms consist of. */
  observePage(page: { readonly domain: string; readonly words: number; readonly foreignLinks: number }): void {
    this.#links.addPage(page.domain, page.words, page.foreignLinks);
  }

  /** The hosts of farms, each with the sign that speaks against it. */
  farmSigns(): Map<string, SpamSign> {
    const signs = new Map<string, SpamSign>();
    for (const { members, weight, evidence } of farmsIn(this.#links)) {
      const sign: SpamSign = { technique: 'link-farm', weight, evidence };
      for (const domain of members) for (const host of this.#links.hostsOf(domain)) signs.set(host, sign);
    }
    return signs;
  }

  snapshot(): unknown {
    return { form: FORM, links: this.#links.snapshot() } satisfies Snapshot;
  }

  restore(snapshot: unknown): void {
    const { form, links } = (snapshot ?? {}) as Partial<Snapshot>;
    if (form === FORM && Array.isArray(links)) this.#links.restore(links);
  }
}
