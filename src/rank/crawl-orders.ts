import type { Prioritizer } from '../contracts/policies.ts';

export type CrawlOrder = 'breadth-first' | 'depth-first';

/**
 * Breadth-first: a front queue for each depth, first come first served, and the last queue for all that lies deeper.
 * Depth-first: one queue, the newest URL first; the links of a page are then followed before its siblings.
 */
export function createCrawlOrder(order: CrawlOrder, lanes: number): Prioritizer {
  switch (order) {
    case 'breadth-first':
      return { order: 'fifo', lane: (depth) => Math.min(depth, lanes - 1) };
    case 'depth-first':
      return { order: 'lifo', lane: () => 0 };
  }
}
