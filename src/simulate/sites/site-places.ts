import type { SitePage } from './site-shape.ts';
import { type PlannedSite, SITE_SHAPES, type SiteShapeName } from './sites-plan.ts';

interface Place {
  readonly host: number;
  readonly path: string;
}

/** What is at an address of a web of sites. Pages are named by their numbers. */
export type SitePlace = Place &
  (
    | {
        readonly kind: 'page';
        readonly title: string;
        /** Names its text among those of the site. */
        readonly text: number;
        readonly words: number;
        readonly links: readonly number[];
        /** Where it may go; only for pages that nothing depends on. */
        readonly movesTo?: number;
        readonly movedFrom?: number;
      }
    | { readonly kind: 'redirect'; readonly to: number }
    | { readonly kind: 'missing' }
  );

/** Besides the pages of its shape a site has pages closed by robots.txt, dead links and short addresses, named on its home page. */
const EXTRAS = { private: 2, missing: 2, redirect: 3 } as const;

/** All pages of all honest sites, and the number of each home page. */
export function placePages(sites: readonly PlannedSite[]): {
  readonly places: readonly SitePlace[];
  readonly homes: readonly number[];
} {
  const places: SitePlace[] = [];
  const homes: number[] = [];
  for (const [host, { kind, seed, pages }] of sites.entries()) {
    if (!(kind in SITE_SHAPES)) continue;
    homes.push(places.length);
    places.push(...placeSite(host, SITE_SHAPES[kind as SiteShapeName]({ seed, pages }), places.length));
  }
  return { places, homes };
}

function placeSite(host: number, pages: readonly SitePage[], first: number): SitePlace[] {
  const byPath = new Map(pages.map(({ path }, at) => [path, first + at]));
  const find = (path: string): number => {
    const page = byPath.get(path);
    if (page === undefined) throw new RangeError(`a site links to ${path}, which it does not have`);
    return page;
  };
  const extraAt = first + pages.length;
  const extras: SitePlace[] = [
    ...Array.from({ length: EXTRAS.private }, (_, at) => ({
      ...{ kind: 'page' as const, host, path: `/private/${at === 0 ? 'draft' : 'open-day'}-${at + 1}`, words: 90 },
      ...{ title: `Private ${at + 1}`, text: pages.length + at, links: [] },
    })),
    ...Array.from({ length: EXTRAS.missing }, (_, at) => ({ kind: 'missing' as const, host, path: `/lost/${at + 1}` })),
    ...Array.from({ length: EXTRAS.redirect }, (_, at) => ({
      ...{ kind: 'redirect' as const, host, path: `/go/${at + 1}` },
      to: first + Math.floor(((at + 1) * (pages.length - 1)) / EXTRAS.redirect),
    })),
  ];
  const needed = parentsOf(pages);
  let moved = extraAt + extras.length;
  const placed: SitePlace[] = [];
  const targets: SitePlace[] = [];
  for (const [at, { path, title, links, words }] of pages.entries()) {
    const own = links.map(find);
    const onPage = at === 0 ? [...own, ...extras.map((_, extra) => extraAt + extra)] : own;
    const page = { kind: 'page' as const, host, path, title, words, text: at, links: onPage };
    const moves = !needed.has(path) && at > 0;
    placed.push(moves ? { ...page, movesTo: moved++ } : page);
    if (moves) targets.push({ ...page, path: `/new${path}`, movedFrom: first + at });
  }
  return [...placed, ...extras, ...targets];
}

/** Pages by which others are first found from the home page: without one of them a part of the site would be lost. */
function parentsOf(pages: readonly SitePage[]): ReadonlySet<string> {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const found = new Set(['/']);
  const parents = new Set<string>();
  for (const path of found) {
    for (const link of byPath.get(path)?.links ?? []) {
      if (found.has(link)) continue;
      found.add(link);
      parents.add(path);
    }
  }
  return parents;
}
