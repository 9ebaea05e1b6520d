import type { SiteLinks } from './site-links.ts';

/** Sites that link each other and are linked by hardly anybody else. */
export interface Farm {
  readonly members: readonly string[];
  readonly weight: number;
  readonly evidence: string;
}

/** A ring of pages has two neighbours each, a circle of friends a few: in a farm everybody has at least this many. */
const LEAST_PARTNERS = 3;
const LEAST_MEMBERS = 4;
/** Fewer are a farm only where nobody of them looks elsewhere. */
const MANY_MEMBERS = 6;
/** Of the links of a member to and from it, at least this share stays among sites that link back. */
const MUTUAL_SHARE = 0.5;
/** A group is only remarkable where it is far denser than the web around it. */
const LEAST_LIFT = 2.5;

/** All farms among the watched sites. Time grows with the number of links. */
export function farmsIn(links: SiteLinks): Farm[] {
  const partners = mutualPartners(links);
  prune(partners);
  const crawled = [...links.domains].filter((domain) => links.linksTo(domain).size > 0).length;
  const farms: Farm[] = [];
  const placed = new Set<string>();
  for (const start of partners.keys()) {
    if (placed.has(start)) continue;
    const members = componentOf(start, partners);
    for (const member of members) placed.add(member);
    const farm = judged(members, links, crawled);
    if (farm !== undefined) farms.push(farm);
  }
  return farms;
}

/** For each site the others that it links to and that link to it; the sites of one brand under many endings count as one. */
function mutualPartners(links: SiteLinks): Map<string, Set<string>> {
  const partners = new Map<string, Set<string>>();
  for (const domain of links.domains) {
    const to = links.linksTo(domain);
    const from = links.linkedBy(domain);
    if (to.size < LEAST_PARTNERS || from.size < LEAST_PARTNERS) continue;
    const brand = brandOf(domain);
    const mutual = new Set<string>();
    for (const other of to) if (from.has(other) && brandOf(other) !== brand) mutual.add(other);
    if (mutual.size < LEAST_PARTNERS) continue;
    if (mutual.size < MUTUAL_SHARE * Math.max(to.size, from.size)) continue;
    partners.set(domain, mutual);
  }
  return partners;
}

/** Takes out sites with too few partners until all that remain have enough: the core of the graph. */
function prune(partners: Map<string, Set<string>>): void {
  const doubtful = [...partners.keys()];
  for (let domain = doubtful.pop(); domain !== undefined; domain = doubtful.pop()) {
    const mutual = partners.get(domain);
    if (mutual === undefined) continue;
    for (const other of mutual) if (!partners.has(other)) mutual.delete(other);
    if (mutual.size >= LEAST_PARTNERS) continue;
    partners.delete(domain);
    doubtful.push(...mutual);
  }
}

function componentOf(start: string, partners: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const members = new Set([start]);
  for (const member of members)
    for (const other of partners.get(member) ?? []) if (partners.has(other)) members.add(other);
  return [...members];
}

function judged(members: readonly string[], links: SiteLinks, crawled: number): Farm | undefined {
  const count = members.length;
  if (count < LEAST_MEMBERS || new Set(members.map(brandOf)).size < LEAST_MEMBERS) return undefined;
  const inside = new Set(members);
  let among = 0;
  let out = 0;
  let inward = 0;
  for (const member of members) {
    out += links.linksTo(member).size;
    inward += links.linkedBy(member).size;
    for (const other of links.linksTo(member)) if (inside.has(other)) among++;
  }
  const density = among / (count * (count - 1));
  const outShare = among / out;
  const inShare = among / inward;
  // Would links lie by chance, a group would get of them what it is of the web.
  const lift = outShare / Math.max(0.001, (count - 1) / Math.max(1, crawled - 1));
  if (density < 0.4 || outShare < 0.5 || inShare < 0.6 || lift < LEAST_LIFT) return undefined;
  if (count < MANY_MEMBERS && (density < 0.9 || outShare < 0.75)) return undefined;
  const bare = bareShareOf(members, links);
  let weight = 0.45 + 0.25 * ramp(density, 0.4, 0.9) + 0.15 * ramp(inShare, 0.6, 0.95) + 0.1 * ramp(outShare, 0.5, 0.9);
  weight -= count < 8 ? 0.12 : 0;
  if (bare !== undefined) weight += bare >= 0.5 ? 0.1 : bare < 0.1 ? -0.12 : 0;
  if (weight < 0.2) return undefined;
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  return {
    members,
    weight: Math.round(100 * Math.min(0.95, weight)) / 100,
    evidence: `one of ${count} sites that link each other (${percent(density)} of all pairs) and get ${percent(inShare)} of their links from each other`,
  };
}

function bareShareOf(members: readonly string[], links: SiteLinks): number | undefined {
  const known = members.map((member) => links.bareShare(member)).filter((share) => share !== undefined);
  return known.length < members.length / 2 ? undefined : known.reduce((sum, share) => sum + share, 0) / known.length;
}

/** The name that a site bears under every ending: the owner is likely one. */
function brandOf(domain: string): string {
  const dot = domain.indexOf('.');
  return dot === -1 ? domain : domain.slice(0, dot);
}

function ramp(value: number, from: number, to: number): number {
  return Math.max(0, Math.min(1, (value - from) / (to - from)));
}
