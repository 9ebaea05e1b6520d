import { loopbackAddress } from '../model/addressing.ts';
import { crawlDelayMs } from '../model/robots-oracle.ts';
import { hash32, pick, unit } from '../model/seeded-hash.ts';
import type { HostRobots } from '../model/web-model.ts';
import { apiReference } from './api-reference.ts';
import { catalogue } from './catalogue.ts';
import { chapterChain } from './chapter-chain.ts';
import { forum } from './forum.ts';
import { honestBlog } from './honest-blog.ts';
import { numberedTree } from './numbered-tree.ts';
import { paginatedList } from './paginated-list.ts';
import type { SiteShape } from './site-shape.ts';
import type { SitesSpec } from './sites-spec.ts';
import { Vocabulary } from './vocabulary.ts';

export const SITE_SHAPES = {
  blog: honestBlog,
  tree: numberedTree,
  books: chapterChain,
  articles: paginatedList,
  forum,
  shop: catalogue,
  reference: apiReference,
} as const satisfies Record<string, SiteShape>;

export type SiteShapeName = keyof typeof SITE_SHAPES;
export type EndlessName = 'calendar' | 'maze';

export interface PlannedSite {
  readonly kind: SiteShapeName | EndlessName;
  readonly hostname: string;
  readonly address: string;
  readonly seed: number;
  /** About how many it has: fewer where the host must be asked more slowly, so that all take the same time. */
  readonly pages: number;
  /** Only links lead here: no crawl begins with it. */
  readonly linkedFrom?: number;
  readonly latencyMs: number;
  readonly bytesPerSecond: number;
  readonly robots: HostRobots;
  readonly validators: 'none' | 'etag' | 'date';
}

const PURPOSE = { seed: 311, line: 312, robots: 313, name: 314, address: 315, validators: 316 } as const;
/** Every third site is a part of the one before, at a name below its own. */
const PART_EVERY = 3;
/** How many times the length of a request crawlers rest after it. */
const ADAPTIVE = 5;
const FEWEST_PAGES = 12;

/** The hosts of a web of sites: of each shape the same number, then those with traps, as parts of honest sites. */
export function planSites(spec: SitesSpec): readonly PlannedSite[] {
  const names = new Vocabulary(spec.seed);
  const kinds = Object.keys(SITE_SHAPES) as SiteShapeName[];
  const sites: PlannedSite[] = [];
  for (let at = 0; at < kinds.length * spec.sitesPerShape; at++) {
    const kind = kinds[at % kinds.length];
    const isPart = at % PART_EVERY === PART_EVERY - 1;
    const hostname = isPart
      ? `${kind}.${sites[at - 1].hostname}`
      : `${kind}-${names.slug(hash(at, PURPOSE.name))}.test`;
    sites.push({ ...planned(at), kind, hostname, ...(isPart ? { linkedFrom: at - 1 } : {}) });
  }
  const honest = sites.length;
  /** Sites themselves, not parts of others. */
  const whole = sites.flatMap(({ linkedFrom }, at) => (linkedFrom === undefined ? [at] : []));
  for (let trap = 0; trap < spec.trapHosts; trap++) {
    const kind = trap % 2 === 0 ? 'calendar' : 'maze';
    const linkedFrom = whole[trap % whole.length];
    const hostname = `${kind === 'calendar' ? 'events' : 'wander'}${trap}.${sites[linkedFrom].hostname}`;
    sites.push({ ...planned(honest + trap), kind, hostname, linkedFrom });
  }
  return sites;

  function hash(site: number, purpose: number): number {
    return hash32(spec.seed, site, 0, purpose);
  }

  function planned(site: number): Omit<PlannedSite, 'kind' | 'hostname'> {
    const line = hash(site, PURPOSE.line);
    const slow = unit(line) < spec.slowShare;
    const away = spec.extraAddresses > 0 && hash(site, PURPOSE.address) % 5 === 0;
    const number = pick(hash32(spec.seed, site, 1, PURPOSE.address), Math.max(1, spec.extraAddresses));
    const robots = robotsOf(hash(site, PURPOSE.robots), spec);
    const latencyMs = slow ? 300 + (line % 1200) : line % 30;
    const secondsPerPage = Math.max(1, (ADAPTIVE * latencyMs) / 1000, crawlDelayMs(robots, '*') / 1000);
    return {
      pages: Math.max(FEWEST_PAGES, Math.round(spec.pagesPerSite / secondsPerPage)),
      address: away ? loopbackAddress(number) : '127.0.0.1',
      seed: hash(site, PURPOSE.seed),
      latencyMs,
      bytesPerSecond: slow && line % 4 === 0 ? 20_000 : 0,
      robots,
      validators: (['none', 'etag', 'date'] as const)[hash(site, PURPOSE.validators) % 3],
    };
  }
}

function robotsOf(flavour: number, spec: SitesSpec): HostRobots {
  if (flavour % 10 === 0) return { verdict: 'allow-all' };
  const delayed = unit(Math.imul(flavour, 0x9e3779b1) >>> 0) < spec.crawlDelayShare;
  const rules = [
    { allow: false, pattern: '/private/' },
    { allow: true, pattern: '/private/open-' },
  ];
  return {
    verdict: 'rules',
    groups: [{ agents: ['*'], rules, ...(delayed ? { crawlDelaySeconds: spec.crawlDelaySeconds } : {}) }],
  };
}
