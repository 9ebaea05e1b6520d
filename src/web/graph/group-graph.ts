import type { SiteGraph } from './site-graph.ts';

/** What is looked at: all hosts, one host, or the pages of one below a path. */
export interface GraphScope {
  readonly host?: string;
  /** Begins and ends with a slash. */
  readonly prefix: string;
}

/** One circle of the picture. */
export interface GraphGroup {
  readonly kind: 'host' | 'folder' | 'page' | 'rest';
  /** The host, the path below it, or the address of the page. */
  readonly key: string;
  readonly name: string;
  readonly pages: number;
  /** Share of the rank of all pages in the scope. */
  readonly rank: number;
  /** Pages of one cluster have the same number: the first step of their path. */
  readonly cluster: number;
}

export interface GraphLink {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface GroupedGraph {
  /** Highest rank first. */
  readonly groups: readonly GraphGroup[];
  readonly links: readonly GraphLink[];
  readonly pages: number;
  /** Links between pages of the scope, and over its border. */
  readonly inside: number;
  readonly incoming: number;
  readonly outgoing: number;
}

/** More circles than this cannot be told apart. */
const MOST_GROUPS = 48;
/** With so few pages each is shown by itself. */
const FEW_PAGES = 40;
const MOST_LINKS = 400;

interface Sum {
  readonly kind: GraphGroup['kind'];
  readonly key: string;
  readonly name: string;
  pages: number;
  rank: number;
  readonly cluster: string;
}

/** The pages of a scope in groups: hosts, then folders by the next step of their path, then pages. */
export function groupGraph({ urls, ranks, edges }: SiteGraph, scope: GraphScope): GroupedGraph {
  const paths = urls.map((url) => pathIn(url, scope));
  const pages = paths.reduce((count, path) => count + Number(path !== undefined), 0);
  const isDetailed = scope.host !== undefined && pages <= FEW_PAGES;
  const sums = new Map<string, Sum>();
  const groupOf = paths.map((path, page) => {
    if (path === undefined) return undefined;
    const made = groupFor(urls[page], path, scope, isDetailed);
    const sum = sums.get(made.key) ?? { ...made, pages: 0, rank: 0 };
    sums.set(made.key, sum);
    sum.pages++;
    sum.rank += ranks[page];
    return made.key;
  });
  const { groups, places } = largest([...sums.values()]);
  const counts = new Map<number, number>();
  const total = { inside: 0, incoming: 0, outgoing: 0 };
  for (let at = 0; at < edges.length; at += 2) {
    const [from, to] = [groupOf[edges[at]], groupOf[edges[at + 1]]];
    if (from === undefined && to === undefined) continue;
    if (from === undefined) total.incoming++;
    else if (to === undefined) total.outgoing++;
    else {
      total.inside++;
      const [one, other] = [places.get(from) as number, places.get(to) as number];
      if (one !== other) counts.set(one * groups.length + other, (counts.get(one * groups.length + other) ?? 0) + 1);
    }
  }
  const links = [...counts]
    .map(([pair, count]) => ({ from: Math.floor(pair / groups.length), to: pair % groups.length, count }))
    .sort((a, b) => b.count - a.count || a.from - b.from || a.to - b.to)
    .slice(0, MOST_LINKS);
  return { groups, links, pages, ...total };
}

/** What of a URL counts within a scope: its host, or its path below the prefix. */
function pathIn(url: string, { host, prefix }: GraphScope): string | undefined {
  const start = url.indexOf('://') + 3;
  const slash = url.indexOf('/', start);
  if (start < 3 || slash === -1) return undefined;
  if (host === undefined) return url.slice(start, slash);
  if (url.slice(start, slash) !== host || !url.startsWith(prefix, slash)) return undefined;
  return url.slice(slash + prefix.length);
}

function groupFor(
  url: string,
  path: string,
  { host, prefix }: GraphScope,
  isDetailed: boolean,
): Omit<Sum, 'pages' | 'rank'> {
  if (host === undefined) return { kind: 'host', key: path, name: path, cluster: path };
  // A slash in a query is no step of a path.
  const plain = path.split('?', 1)[0];
  const slash = plain.indexOf('/');
  const step = slash === -1 ? '' : path.slice(0, slash + 1);
  if (isDetailed || step === '') return { kind: 'page', key: url, name: prefix + path, cluster: step };
  return { kind: 'folder', key: prefix + step, name: prefix + step, cluster: step };
}

/** The groups with the highest rank; all others are one. */
function largest(sums: readonly Sum[]): {
  readonly groups: GraphGroup[];
  readonly places: ReadonlyMap<string, number>;
} {
  const sorted = sums.toSorted((a, b) => b.rank - a.rank || (a.key < b.key ? -1 : 1));
  const shown = sorted.length > MOST_GROUPS ? sorted.slice(0, MOST_GROUPS - 1) : sorted;
  const rest = sorted.slice(shown.length);
  const all = sorted.reduce((sum, { rank }) => sum + rank, 0) || 1;
  const clusters = [...new Set(shown.map(({ cluster }) => cluster))];
  const groups = shown.map(({ kind, key, name, pages, rank, cluster }) => ({
    ...{ kind, key, name, pages, rank: rank / all, cluster: clusters.indexOf(cluster) },
  }));
  const places = new Map(shown.map(({ key }, at) => [key, at]));
  if (rest.length === 0) return { groups, places };
  for (const { key } of rest) places.set(key, shown.length);
  const sum = (of: (one: Sum) => number): number => rest.reduce((total, one) => total + of(one), 0);
  const name = `${rest.length.toLocaleString('en')} others`;
  const pages = sum((one) => one.pages);
  const other: GraphGroup = { kind: 'rest', key: '', name, pages, rank: sum((one) => one.rank) / all, cluster: -1 };
  return { groups: [...groups, other], places };
}
