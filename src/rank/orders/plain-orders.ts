import type { CrawlOrder } from '../../contracts/crawl-order.ts';

/** A front queue for each depth, first come first served, and the last queue for all that lies deeper. */
export function breadthFirst(lanes: number): CrawlOrder {
  return {
    ...WITHOUT_MEMORY,
    within: 'fifo',
    place: (task) => ({ lane: Math.min(task.depth, lanes - 1), why: `breadth-first: depth ${task.depth}` }),
  };
}

/** One queue, the newest URL first; the links of a page are then followed before its siblings. */
export function depthFirst(): CrawlOrder {
  return {
    ...WITHOUT_MEMORY,
    within: 'lifo',
    place: (task) => ({ lane: 0, why: `depth-first: depth ${task.depth}` }),
  };
}

const WITHOUT_MEMORY = {
  moves: false,
  visited: () => [],
  tend: () => [],
  restore: () => {},
} as const;
