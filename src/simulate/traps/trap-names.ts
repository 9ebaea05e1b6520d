import { hash32 } from '../model/seeded-hash.ts';
import type { TrapKind } from '../model/web-spec.ts';

const PURPOSE = { place: 141, label: 142 } as const;

/** Traps that lie below a path of their own. */
export type PlacedTrap = Exclude<TrapKind, 'endlessSubdomains' | 'variants' | 'brokenLinks'>;

/** Where a trap lies on one host, and in which of its forms. */
export interface TrapPlace {
  readonly seed: number;
  readonly host: number;
  /** What its addresses begin with. */
  readonly prefix: string;
  /** 32 bits; 0 for the plain form. */
  readonly form: number;
  readonly disguised: boolean;
}

/** The place of the plain form first. No two traps may share one, and none may be that of honest pages. */
const PLACES: Readonly<Record<PlacedTrap, readonly string[]>> = {
  calendar: ['/calendar/', '/events/', '/agenda/', '/whats-on/', '/bookings/', '/termine/', '/schedule/'],
  sessionQuery: ['/shop/', '/boutique/', '/catalogue/', '/merchandise/', '/tickets/', '/bazaar/'],
  sessionPath: ['/store/', '/checkout/', '/account/', '/members/', '/lounge/', '/portal/'],
  endlessPath: ['/loop/', '/about/', '/company/', '/services/', '/team/', '/contact/'],
  tarpit: ['/pit/', '/downloads/', '/reports/', '/files/', '/statistics/', '/exports/'],
  maze: ['/maze/', '/library/', '/stories/', '/knowledge/', '/essays/', '/texts/', '/encyclopedia/'],
  redirectMaze: ['/go/', '/out/', '/r/', '/jump/', '/link/', '/forward/'],
  facets: ['/things', '/browse', '/finder', '/select', '/filter', '/assortment'],
  bomb: ['/bomb/', '/data/', '/backup/', '/dumps/', '/packages/', '/media/'],
  unknownSession: ['/market/', '/deals/', '/gallery/', '/rooms/', '/forum/', '/tours/'],
  pagination: ['/results/', '/feedback/', '/comments/', '/guestbook/', '/offers/', '/press/'],
};

const LABELS: Readonly<Record<TrapKind, readonly string[]>> = {
  calendar: ['Events', 'What is on', 'Our calendar', 'Dates', 'Next month'],
  sessionQuery: ['Shop', 'Buy something', 'Our products', 'To the shop'],
  sessionPath: ['Store', 'My account', 'Sign in', 'Members'],
  endlessPath: ['About us', 'Services', 'Who we are', 'Contact'],
  endlessSubdomains: ['Our users', 'Sites of our members', 'Partner sites'],
  tarpit: ['Downloads', 'Yearly report', 'Files'],
  maze: ['Library', 'Read on', 'More stories', 'From our archive'],
  redirectMaze: ['Our sponsor', 'Visit', 'External link'],
  facets: ['Browse all', 'Find something', 'Everything by colour'],
  bomb: ['All data', 'Package', 'The whole set'],
  unknownSession: ['Market', 'Today only', 'Gallery', 'Book a tour'],
  pagination: ['Comments', 'Guest book', 'Results', 'All offers'],
  variants: ['Print', 'Share', 'Other view'],
  brokenLinks: ['See also', 'Background', 'More on this', 'Former article'],
};

/** Where a host lays a trap: where it always lay, or, disguised, in other words and another form on each host. */
export function trapPlace(seed: number, host: number, trap: PlacedTrap, disguised: boolean): TrapPlace {
  const places = PLACES[trap];
  if (!disguised) return { seed, host, prefix: places[0], form: 0, disguised };
  const form = hash32(seed, host, places[0].length, PURPOSE.place ^ places[0].charCodeAt(1));
  return { seed, host, prefix: places[form % places.length], form: form >>> 8, disguised };
}

/** What a link into a trap is called on a page. */
export function trapLabel(seed: number, host: number, index: number, trap: TrapKind): string {
  const labels = LABELS[trap];
  return labels[hash32(seed, host, index, PURPOSE.label) % labels.length];
}
