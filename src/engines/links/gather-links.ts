import type { PastVisits } from '../../contracts/crawl-order.ts';
import type { LinkReader, LinkStore } from '../../contracts/state/link-store.ts';

/** The links of one of several nodes. */
export interface GatheredLinks {
  readonly reader: LinkReader;
  readonly past: PastVisits;
}

/** Pages of one commit: what is not committed is in memory. */
const COMMIT_PAGES = 5000;

/** Puts the links of several stores into one. Of a page that more than one has, the latest visit counts. */
export async function gatherLinks(from: readonly GatheredLinks[], into: LinkStore): Promise<void> {
  let added = 0;
  for (const [at, { reader, past }] of from.entries())
    for await (const { url } of past.visits()) {
      const page = reader.outLinks(url);
      if (page === undefined) continue;
      const isOlder = from.some((other, place) => {
        if (place === at) return false;
        const also = other.reader.outLinks(url)?.at;
        return also !== undefined && (also > page.at || (also === page.at && place < at));
      });
      if (isOlder) continue;
      into.addPage(page);
      if (++added % COMMIT_PAGES === 0) await into.commit();
    }
  await into.commit();
}
