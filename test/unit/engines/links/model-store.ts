import type { InLink, LinkedPage } from '../../../../src/contracts/state/link-store.ts';

/** What a store of links has to answer, in plain maps. */
export class ModelStore {
  readonly #pages = new Map<string, LinkedPage>();

  addPage(page: LinkedPage): void {
    this.#pages.set(page.url, page);
  }

  removePage(url: string): void {
    this.#pages.delete(url);
  }

  get pages(): readonly LinkedPage[] {
    return [...this.#pages.values()];
  }

  inLinks(url: string): InLink[] {
    const found = new Map<string, InLink>();
    for (const page of this.#pages.values()) {
      for (const { url: target, text, nofollow } of page.links) {
        if (target !== url) continue;
        const link = { from: page.url, at: page.at, text, nofollow, sameHost: new URL(url).host === page.host };
        found.set(JSON.stringify(link), link);
      }
    }
    return [...found.values()];
  }
}

export function sorted(links: readonly InLink[]): string[] {
  return links.map((link) => JSON.stringify([link.from, link.at, link.text, link.nofollow, link.sameHost])).sort();
}
