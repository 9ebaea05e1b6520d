import { fingerprint } from '../../base/fingerprint.ts';
import type { LinkKind } from '../../contracts/content/page.ts';
import type { OrderedVisit } from '../../contracts/crawl-order.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { rememberDomains } from '../../url/domain-of-host.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { JudgedVisit } from '../settlement/build-settlement.ts';
import { ENTRY_SIZE, NO_LINKS, type PackedLinks, PRIORITY, placesOfKinds } from '../workers/packed-links.ts';

/** Links that lead to pages, and say something of them by that. */
export const LEADING_LINKS: readonly LinkKind[] = ['a', 'area', 'frame', 'iframe', 'refresh', 'sitemap', 'feed'];

/** What an order is told of a visit. */
export function orderedVisit({ claim: { task }, work, unknown, focused, now: at }: JudgedVisit): OrderedVisit {
  const page = { task, fingerprint: task.fingerprint ?? fingerprint(task.url), at };
  const found = work.kind === 'page' && (work.ending.kind === 'stored' || work.ending.kind === 'duplicate');
  if (!found || work.nofollow !== undefined) return { ...page, found, links: NO_LINKS.fingerprints, unknown: [] };
  const places = votes(work.links, page.fingerprint);
  const isUnknown = new Set(unknown);
  return {
    ...page,
    found,
    links: BigUint64Array.from(places, (place) => work.links.fingerprints[place]),
    unknown: places.flatMap((place, at) => (isUnknown.has(place) ? [at] : [])),
    ...(focused === undefined
      ? {}
      : {
          relevance: focused.relevance,
          promise: Float32Array.from(places, (place) => focused.promise[place]),
        }),
    ...prioritiesOf(work.links, places, task.host),
  };
}

/** What a sitemap says of the pages of its own domain. */
function prioritiesOf(links: PackedLinks, places: readonly number[], host: HostKey): Pick<OrderedVisit, 'priority'> {
  const { entries, urls } = links;
  if (entries === undefined) return {};
  const said = Float32Array.from(places, (place) => entries[place * ENTRY_SIZE + PRIORITY]);
  if (said.every(Number.isNaN)) return {};
  const domainOf = rememberDomains();
  const own = domainOf(host);
  const lines = urls.split('\n') as CanonicalUrl[];
  return {
    priority: said.map((value, at) => (domainOf(hostKeyOf(lines[places[at]])) === own ? value : Number.NaN)),
  };
}

/** Places of the links that speak for what they lead to: not for the page itself, and not those that it does not vouch for. */
function votes(links: PackedLinks, own: bigint): number[] {
  const { fingerprints, flags } = links;
  const leading = placesOfKinds(links, LEADING_LINKS);
  const places = leading === 'all' ? [...fingerprints.keys()] : leading;
  return places.filter((place) => flags[place] === 0 && fingerprints[place] !== own);
}
