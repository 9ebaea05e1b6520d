import type { VisitEvidence } from '../../contracts/trap-guard.ts';
import type { Findings } from './hold-reason.ts';
import type { PatternAccount } from './pattern-account.ts';

/** Sizes that differ by no more are the same; of small pages, which hold little but a form, by a part of them. */
const SAME_SIZE_BYTES = 4;
const SMALL_PAGE_BYTES = 2048;
const SAME_SIZE_PART = 1 / 32;
const ALIKE_DOUBT = 3;

/** The pattern and the groups above it, up to the first that needs nobody to answer for it. */
export function answeringFor(leaf: PatternAccount): PatternAccount[] {
  const groups: PatternAccount[] = [];
  for (let at: PatternAccount | undefined = leaf; at !== undefined; at = at.proven || at.held ? undefined : at.up) {
    groups.push(at);
  }
  return groups;
}

export function sameSize(bytes: number, other: number): boolean {
  const tolerance = bytes < SMALL_PAGE_BYTES ? bytes * SAME_SIZE_PART : 0;
  return Math.abs(bytes - other) <= Math.max(SAME_SIZE_BYTES, tolerance);
}

/** Among pages that are one form over and over, one of another size is no proof of worth. */
export function believed({ alike, visits }: Findings): number {
  return Math.max(0, 1 - (ALIKE_DOUBT * alike) / Math.max(1, visits));
}

/** Whether a folder that it lies in has proven its worth. */
export function isSheltered(leaf: PatternAccount): boolean {
  for (let at = leaf.up; at !== undefined && at.kind !== 'host' && at.kind !== 'domain'; at = at.up) {
    if (at.proven) return true;
  }
  return false;
}

export function someRestricted(from: PatternAccount | undefined): boolean {
  for (let at = from; at !== undefined; at = at.up) if (at.restricted) return true;
  return false;
}

export function count(account: PatternAccount, novelty: VisitEvidence['novelty']): void {
  if (novelty === 'new') account.novel++;
  else if (novelty === 'near-duplicate') account.nearDuplicates++;
  else if (novelty === 'duplicate') account.duplicates++;
  else account.failures++;
}
