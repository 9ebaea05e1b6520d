import type { Outcome } from './crawl-task.ts';
import type { Link } from './page.ts';

/** Link and place -> front queue. Pure. */
export interface Prioritizer {
  lane(depth: number, link?: Link): number;
  /** Within one lane: first in first out, or last in first out. */
  readonly order: 'fifo' | 'lifo';
}

/** Task and outcome -> time of the next visit, or undefined for never. Pure. */
export interface RevisitPolicy {
  nextVisit(outcome: Outcome, at: number, tries: number): number | undefined;
}
