import { THIN_WORDS } from './error-wording.ts';
import { isFront } from './front-page.ts';
import type { SoftVisit } from './soft-types.ts';

const NO_SKETCH = new Uint8Array(0);

/**
 * What `SoftNotFound.wantsProbe` makes of a visit follows from this part of it: whoever keeps the visit, to tell it once more, need not keep
 * the rest. Only a front page is compared by its whole sketch, and only of a thin page the beginning is read.
 */
export function notedVisit(visit: SoftVisit): SoftVisit {
  const { redirectedTo: _, opening, contentSketch, ...rest } = visit;
  const isThin = visit.words !== undefined && visit.words <= THIN_WORDS;
  return {
    ...rest,
    ...(opening === undefined || !isThin ? {} : { opening }),
    ...(contentSketch === undefined
      ? {}
      : { contentSketch: isFront(visit.url) ? contentSketch : { ...contentSketch, sketch: NO_SKETCH } }),
  };
}
