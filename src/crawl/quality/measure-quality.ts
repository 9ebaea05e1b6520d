import type { LoggedChange } from '../../contracts/change-log.ts';
import type { LinkReader } from '../../contracts/state/link-store.ts';
import type { PageCourse } from '../../contracts/state/page-course.ts';
import { pageRank } from '../../rank/graph/page-rank.ts';
import { readLinkGraph } from '../../rank/graph/read-link-graph.ts';
import { AgeCurve, type AgePoint } from './age-curve.ts';
import { type RankCurve, type RankStep, rankCurve } from './rank-curve.ts';

/** How the quality of a crawl went over time. */
export interface CrawlQuality {
  readonly measuredAt: number;
  /** Pages of which there is or was a copy. */
  readonly pages: number;
  /** From the first fetch of the first page to the last visit of all. Absent without pages. */
  readonly from?: number;
  readonly to?: number;
  /** Average PageRank of the pages by the time of their first fetch. Absent where no links were gathered. */
  readonly pageRank?: RankCurve & {
    /** Pages that count: those of the link graph. */
    readonly ranked: number;
  };
  /** Age of the copies. */
  readonly age: readonly AgePoint[];
}

export interface MeasuredCrawl {
  /** Asked for twice: the span must be known before the curve. */
  readonly courses: () => Iterable<PageCourse>;
  /** What the crawl has noted as changed. */
  readonly changes: Iterable<LoggedChange>;
  readonly links?: LinkReader;
  /** The crawl decides by its length where it is not said. */
  readonly by?: RankStep;
  readonly now: number;
}

/** Enough for averages. */
const TOLERANCE = 1e-8;
const FIRST_ROOM = 1024;

/** Goes through all links once and through all pages twice. Memory: what the graph takes, and 16 bytes for a page. */
export async function measureQuality(crawl: MeasuredCrawl): Promise<CrawlQuality> {
  const rankOf = crawl.links === undefined ? undefined : await rankedPages(crawl.links);
  let pages = 0;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  let ranked = 0;
  let times = new Float64Array(FIRST_ROOM);
  let ranks = new Float64Array(FIRST_ROOM);
  for (const { url, firstAt, visits } of crawl.courses()) {
    pages++;
    from = Math.min(from, firstAt);
    to = Math.max(to, firstAt, visits.at(-1)?.at ?? firstAt);
    const rank = rankOf?.(url);
    if (rank === undefined) continue;
    if (ranked === times.length) [times, ranks] = [doubled(times), doubled(ranks)];
    times[ranked] = firstAt;
    ranks[ranked++] = rank;
  }
  if (pages === 0) return { measuredAt: crawl.now, pages, age: [] };
  const curve = rankOf && rankCurve(times.subarray(0, ranked), ranks.subarray(0, ranked), crawl.by);
  return {
    ...{ measuredAt: crawl.now, pages, from, to },
    ...(curve === undefined ? {} : { pageRank: { ...curve, ranked } }),
    age: ageOfCopies(crawl, from, to),
  };
}

/** PageRank of the visited pages that have links, or links to them. */
async function rankedPages(store: LinkReader): Promise<(url: string) => number | undefined> {
  const links = store.edges();
  const { ranks } = pageRank(await readLinkGraph(links), { tolerance: TOLERANCE });
  return (url) => {
    const page = links.find(url);
    return page === undefined ? undefined : ranks[page];
  };
}

function ageOfCopies({ courses, changes }: MeasuredCrawl, from: number, to: number): AgePoint[] {
  const changedAt = new Map<string, number[]>();
  for (const { url, at, change } of changes) {
    if (change.kind !== 'changed' && change.kind !== 'back') continue;
    const times = changedAt.get(url);
    if (times === undefined) changedAt.set(url, [at]);
    else times.push(at);
  }
  const curve = new AgeCurve({ from, to });
  // A page with a rate is one whose changes are logged.
  for (const course of courses())
    curve.add(course, course.rate === undefined ? undefined : (changedAt.get(course.url) ?? []));
  return curve.points();
}

function doubled(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * values.length);
  larger.set(values);
  return larger;
}
