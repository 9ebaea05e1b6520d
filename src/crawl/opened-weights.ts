import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { PageWeight } from '../contracts/revisit.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { openedWeights } from '../revisit/opened-pages.ts';

const LOOK_EVERY_MS = 60_000;
const NONE: PageWeight = {};

/** How often people open each page, by the clicks that the search page has written down; read again when there are more. */
export function openedPages(folder: string, clock: Clock): (url: CanonicalUrl) => PageWeight {
  const path = join(folder, 'clicks.jsonl');
  let weights: ReadonlyMap<string, number> = new Map();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let size = 0;
  return (url) => {
    if (clock.now() - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = clock.now();
      const now = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (now !== size) weights = openedWeights(readFileSync(path, 'utf8').split('\n'), clock.now());
      size = now;
    }
    const opened = weights.get(url);
    return opened === undefined ? NONE : { opened };
  };
}
