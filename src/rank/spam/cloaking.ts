import type { ContentSketch } from '../../contracts/content/content-sketch.ts';
import type { SpamSign } from '../../contracts/content/spam.ts';

/** Fewer shingles are a notice, a refusal or a page that scripts fill: nothing to compare. */
const LEAST_SHINGLES = 30;
/** Texts that share this much of the shorter one differ by advertisements, dates and greetings. */
const SAME_CONTENT = 0.5;
/** Simhashes of texts without relation differ in about 32 of 64 bits, of nearly equal ones in a few. */
const RELATED_BITS = 8;

/**
 * Compares what we were sent with what a browser is sent. Advertisements, dates, recommended articles and greetings may
 * differ; a sign is only a page that is another one. A text that is thin on either side says nothing against the site: who
 * refuses crawlers is honest about it, and pages for browsers are often filled by scripts.
 * How sketches are compared is known to who made them, and comes in.
 */
export function cloakingSign(
  ours: ContentSketch,
  browsers: ContentSketch,
  estimateJaccard: (a: Uint8Array, b: Uint8Array) => number,
): SpamSign | undefined {
  if (ours.shingles < LEAST_SHINGLES || browsers.shingles < LEAST_SHINGLES) return undefined;
  const jaccard = estimateJaccard(ours.sketch, browsers.sketch);
  const common = (jaccard / (1 + jaccard)) * (ours.shingles + browsers.shingles);
  const contained = Math.min(1, common / Math.min(ours.shingles, browsers.shingles));
  if (contained >= SAME_CONTENT) return undefined;
  const bits = differingBits(ours.simhash, browsers.simhash);
  if (bits <= RELATED_BITS) return undefined;
  const strangeness = (1 - contained / SAME_CONTENT) * Math.min(1, (bits - RELATED_BITS) / 6);
  const weight = Math.round(90 * strangeness) / 100;
  if (weight < 0.1) return undefined;
  return {
    technique: 'cloaking',
    weight,
    evidence: `a browser is sent another text: ${Math.round(100 * contained)} % of the shorter one in common, ${bits} of 64 bits differ`,
  };
}

function differingBits(a: bigint, b: bigint): number {
  let difference = BigInt.asUintN(64, a ^ b);
  let bits = 0;
  while (difference !== 0n) {
    difference &= difference - 1n;
    bits++;
  }
  return bits;
}
