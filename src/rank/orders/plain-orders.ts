import { fingerprint } from '../../base/fingerprint.ts';
import type { CrawlOrder, EarlierRuns, PlaceHints } from '../../contracts/crawl-order.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { Place, PlaceChange } from '../../contracts/place.ts';
import { waitingTask } from './past-replay.ts';
import { sayBoost, UrlBoosts } from './url-boosts.ts';

const MOVES_AT_A_TIME = 1024;
/** Of the random order. */
const MIXED_DEPTHS = 4;
const LANES_PER_DEPTH = 4;

/** A front queue for each depth, first come first served, and the last queue for all that lies deeper. A boost of 1 is like one link less. */
export function breadthFirst(lanes: number, boosts = new UrlBoosts([])): CrawlOrder {
  return plainOrder('breadth-first', 'fifo', lanes, boosts, ({ depth }) => depth);
}

/** One queue, the newest URL first; the links of a page are then followed before its siblings. Boosts make queues before and after. */
export function depthFirst(lanes: number, boosts: UrlBoosts): CrawlOrder {
  const middle = boosts.any ? lanes >> 1 : 0;
  return plainOrder('depth-first', 'lifo', lanes, boosts, () => middle);
}

/**
 * By chance among what lies at about the same depth; for samples. The fingerprint of the path decides, so that it is the same
 * in every run; sitemaps come first. Were it by chance alone, a trap would have the turns of a site: each of its pages leads to more of it.
 */
export function randomOrder(lanes: number, boosts: UrlBoosts): CrawlOrder {
  return plainOrder('random', 'fifo', lanes, boosts, ({ url, depth, discovery }) =>
    discovery.how === 'sitemap-file'
      ? 0
      : depth * LANES_PER_DEPTH + Number(fingerprint(pathOf(url)) % BigInt(MIXED_DEPTHS * LANES_PER_DEPTH)),
  );
}

function pathOf(url: string): string {
  return url.slice(Math.max(0, url.indexOf('/', url.indexOf('://') + 3)));
}

function plainOrder(
  name: string,
  within: CrawlOrder['within'],
  lanes: number,
  boosts: UrlBoosts,
  laneOf: (task: CrawlTask) => number,
): CrawlOrder {
  const place = (task: CrawlTask, hints?: PlaceHints): Place & { readonly why: string } => {
    const boost = boosts.of(task, hints?.link);
    const lane = Math.max(0, Math.min(Math.round(laneOf(task) - boost), lanes - 1));
    return { lane, why: [`${name}: depth ${task.depth}`, sayBoost(boost) ?? []].flat().join(', ') };
  };
  return {
    within,
    place,
    moves: false,
    visited: () => [],
    maintain: () => [],
    restore: (earlier) => placeAnew(earlier, place),
  };
}

/** Places follow from the URLs, so that those of the same order are right as they are. */
async function* placeAnew(
  { waiting, changed }: EarlierRuns,
  place: (task: CrawlTask) => Place & { readonly why: string },
): AsyncGenerator<readonly PlaceChange[]> {
  if (changed === undefined) return;
  let batch: PlaceChange[] = [];
  for (const url of waiting()) {
    const { fingerprint, isSeed, inFeed } = url;
    const { lane, why } = place(waitingTask(url));
    // As when they came in: seeds and new items of a feed are first, whatever the order.
    batch.push({ fingerprint, lane: isSeed === true || inFeed ? 0 : lane, why });
    if (batch.length < MOVES_AT_A_TIME) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
