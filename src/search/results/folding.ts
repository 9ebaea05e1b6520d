/** A match with what folding goes by. */
export interface Foldable {
  readonly document: number;
  readonly score: number;
  readonly host: string;
  /** Of near-duplicates; 0: none. */
  readonly cluster: number;
}

/** What was folded into a hit. */
export interface FoldedAway {
  readonly similar: number;
  readonly moreFromHost: number;
}

export interface FoldingOptions {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  /** Hits of one host on a page; as many as come where it is not given. */
  readonly perHost?: number;
  /** Near-duplicates are shown one by one. */
  readonly duplicates?: boolean;
}

export interface FoldedPage<Match> {
  readonly hits: readonly (Match & FoldedAway)[];
  /** Matches beyond those that were given cannot change the page. */
  readonly complete: boolean;
}

/** This many pages ahead a hit of another host is looked for; one from farther down would not be worth its place. */
const LOOK_AHEAD = 5;

/**
 * One page of ranked matches. Of a cluster of near-duplicates only the best stays. A host has few hits on a page; its
 * others wait for the next page, unless there are not enough hosts to fill this one. Every match has its place on
 * exactly one page, and more matches at the end of the list change no page that was complete.
 */
export function foldedPage<Match extends Foldable>(
  ranked: readonly Match[],
  options: FoldingOptions,
): FoldedPage<Match> {
  const { waiting, similar } = options.duplicates === true ? { waiting: [...ranked] } : withoutDuplicates(ranked);
  let hits: Match[] = [];
  let held: ReadonlySet<string> = new Set();
  let complete = true;
  for (let page = 1; page <= options.page; page++) {
    complete = waiting.length >= LOOK_AHEAD * options.perPage;
    ({ hits, held } = takePage(waiting, options.perPage, options.perHost ?? Number.POSITIVE_INFINITY));
  }
  const more = countByHost(waiting);
  const shown = hits.map((hit, at) => {
    const last = !hits.some(({ host }, other) => other > at && host === hit.host);
    const folded = last && held.has(hit.host) ? (more.get(hit.host) ?? 0) : 0;
    return { ...hit, similar: similar?.get(hit.cluster) ?? 0, moreFromHost: folded };
  });
  return { hits: shown, complete };
}

/** Matches that were ranked, and others that were seen. */
export interface SeenMatches {
  readonly ranked: readonly Foldable[];
  readonly documents: ArrayLike<number>;
  /** Each of `documents` stands for so many matches. */
  readonly weight: number;
}

/** A match that was read, but not ranked. */
export interface UnrankedFacts {
  /** Those of the documents that are of any of the hosts or clusters. */
  select(documents: ArrayLike<number>, hosts: ReadonlySet<string>, clusters: ReadonlySet<number>): readonly number[];
  cluster(document: number): number;
  host(document: number): string;
}

/**
 * Counts into the hits of a complete page what was read besides the matches that it was made of. A cluster counts once
 * for each host that it has a page on, so that no order among these matches is needed.
 */
export function countUnranked<Match extends Foldable>(
  hits: readonly (Match & FoldedAway)[],
  { ranked, documents, weight }: SeenMatches,
  facts: UnrankedFacts,
  duplicates = false,
): readonly (Match & FoldedAway)[] {
  const similar = new Map<number, number>(
    hits.flatMap(({ cluster }) => (duplicates || cluster === 0 ? [] : [[cluster, 0] as const])),
  );
  // Only the last hit of a host on the page speaks of others.
  const more = new Map<string, { /** Of no cluster. */ count: number; readonly clusters: Set<number> }>(
    hits.flatMap(({ host, moreFromHost }) =>
      moreFromHost > 0 ? [[host, { count: 0, clusters: new Set<number>() }] as const] : [],
    ),
  );
  if (similar.size + more.size === 0) return hits;
  const known = new Set(ranked.map(({ document }) => document));
  const clusters = new Set(ranked.map(({ cluster }) => cluster));
  // Of thousands of documents few are of these hosts and clusters.
  for (const document of facts.select(documents, new Set(more.keys()), new Set(similar.keys()))) {
    if (known.has(document)) continue;
    const cluster = duplicates ? 0 : facts.cluster(document);
    if (cluster !== 0 && clusters.has(cluster)) {
      const count = similar.get(cluster);
      if (count !== undefined) similar.set(cluster, count + 1);
      continue;
    }
    const ofHost = more.size > 0 ? more.get(facts.host(document)) : undefined;
    if (ofHost === undefined) continue;
    if (cluster === 0) ofHost.count++;
    else ofHost.clusters.add(cluster);
  }
  const unrankedOf = (host: string): number => {
    const { count = 0, clusters } = more.get(host) ?? {};
    return Math.round((count + (clusters?.size ?? 0)) * weight);
  };
  return hits.map((hit) => ({
    ...hit,
    similar: hit.similar + (similar.get(hit.cluster) ?? 0),
    moreFromHost: hit.moreFromHost > 0 ? hit.moreFromHost + unrankedOf(hit.host) : 0,
  }));
}

/** Takes the hits of a page out of `waiting`; `held`: hosts that had to leave some for later. */
function takePage<Match extends Foldable>(
  waiting: Match[],
  perPage: number,
  perHost: number,
): { hits: Match[]; held: Set<string> } {
  const hits: Match[] = [];
  const passed: Match[] = [];
  const ofHost = new Map<string, number>();
  const window = Math.min(waiting.length, LOOK_AHEAD * perPage);
  let at = 0;
  for (; at < window && hits.length < perPage; at++) {
    const match = waiting[at];
    const count = ofHost.get(match.host) ?? 0;
    // Documents without a host are all of different ones.
    if (match.host !== '' && count >= perHost) passed.push(match);
    else hits.push(match);
    ofHost.set(match.host, count + 1);
  }
  const filled = passed.splice(0, perPage - hits.length);
  if (filled.length > 0) {
    const order = new Map(waiting.slice(0, at).map((match, place) => [match, place]));
    hits.push(...filled);
    hits.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  }
  waiting.splice(0, at, ...passed);
  const held = new Set(filled.length > 0 ? [] : passed.map(({ host }) => host));
  return { hits, held };
}

function withoutDuplicates<Match extends Foldable>(
  ranked: readonly Match[],
): { waiting: Match[]; similar: Map<number, number> } {
  const similar = new Map<number, number>();
  const waiting = ranked.filter(({ cluster }) => {
    if (cluster === 0) return true;
    const count = similar.get(cluster);
    similar.set(cluster, count === undefined ? 0 : count + 1);
    return count === undefined;
  });
  return { waiting, similar };
}

function countByHost(matches: readonly Foldable[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { host } of matches) counts.set(host, (counts.get(host) ?? 0) + 1);
  return counts;
}
