import type { ContentSketch, SketchStore } from '../content/content-sketch.ts';
import type { CanonicalUrl } from '../url.ts';

/** What finds pages that are nearly the same, as it was settled. Documents are numbered by whoever compares them. */
export interface SketchKeeper extends SketchStore {
  urlOf(document: number): CanonicalUrl | undefined;
  /** The document that it is near to. */
  nearTo(document: number): number | undefined;
  /** Those that are near to it. */
  members(document: number): readonly number[];
  /** What a page that has left looked like. */
  left(document: number): ContentSketch | undefined;
  /** Any one of them, also of a page that has left; undefined where there is none. Tells by which method they are made. */
  any(): ContentSketch | undefined;
  last(): number;
  /** The number of the next document, for a page; where it is not given, the numbers after `last`. */
  next?(url: CanonicalUrl): number;
  all(): Iterable<readonly [document: number, contentSketch: ContentSketch]>;
}
