import { hammingDistance } from '../near/hamming.ts';
import { estimateJaccard } from '../near/sketch.ts';
import { areComparable } from '../near/sketch-method.ts';
import { blankAddress, countWords, featuresOf, resemblance } from './blanked-text.ts';
import { isPlainError } from './error-wording.ts';
import type { SoftAnswer, SoftVisit } from './soft-types.ts';

/** What a host shows where there is no page. */
export interface NotFoundTemplate {
  readonly digest?: string;
  readonly simhash?: bigint;
  readonly sketch?: Uint8Array;
  /** With the address taken out. */
  readonly title?: string;
  /** The title says that there is no such page. */
  readonly saysSo: boolean;
  readonly words: number;
  /** Of the text with the address taken out; absent where only a part of the text is known. */
  readonly features?: Uint32Array;
  /** The front page is the same: the host shows one page everywhere. */
  isFront: boolean;
  /** Most pages of the host are that alike: only what is equal tells. */
  isUsual: boolean;
}

const NEAR_BITS = 3;
const ALIKE = 0.8;
/** With fewer words in a row there is too little to compare. */
const FEWEST_FEATURES = 4;
/** A part of the text that stands for the whole. */
const MOST_OF_IT = 0.8;

export function templateOf(answer: SoftAnswer): NotFoundTemplate {
  const { digest, contentSketch, title, words = 0 } = answer;
  const features = wholeFeatures(answer, '');
  return {
    words,
    saysSo: title !== undefined && isPlainError(title),
    isFront: false,
    isUsual: false,
    ...(digest === undefined ? {} : { digest }),
    ...(contentSketch === undefined ? {} : { simhash: contentSketch.simhash, sketch: contentSketch.sketch }),
    ...(title === undefined ? {} : { title: titlePattern(title, '') }),
    ...(features === undefined ? {} : { features }),
  };
}

/** Why this page is the template once more; undefined where it is not. */
export function matchTemplate(page: Omit<SoftVisit, 'host'>, template: NotFoundTemplate): string | undefined {
  if (page.digest !== undefined && page.digest === template.digest) {
    return template.isFront
      ? 'it is the front page once more, which the host shows at made-up addresses too'
      : 'it is, to the byte, what the host shows at a made-up address';
  }
  if (template.isFront || page.words === undefined || !isOfSize(page.words, template.words)) return undefined;
  if (template.saysSo && isPlainError(page.title ?? '') && !titlesDiffer(page, template)) {
    return `its title, "${page.title}", is that of the page at a made-up address`;
  }
  const features = template.features === undefined ? undefined : wholeFeatures(page, page.url);
  if (features !== undefined && template.features !== undefined) {
    const alike = resemblance(features, template.features);
    // Where all pages look alike a sketch tells nothing, and only the same words do.
    if (alike < (template.isUsual ? 1 : ALIKE)) return undefined;
    return `its text is that of the page at a made-up address (${Math.round(alike * 100)} % of it, but for the address)`;
  }
  if (template.isUsual || !isLikeTemplate(page, template) || titlesDiffer(page, template)) return undefined;
  return 'it is like the page at a made-up address';
}

function titlesDiffer({ title, url }: Pick<SoftVisit, 'title' | 'url'>, template: NotFoundTemplate): boolean {
  return title !== undefined && template.title !== undefined && titlePattern(title, url) !== template.title;
}

/** By fingerprints of the whole text. */
export function isLikeTemplate(
  { contentSketch }: Pick<SoftVisit, 'contentSketch'>,
  template: NotFoundTemplate,
): boolean {
  if (contentSketch === undefined || template.simhash === undefined || contentSketch.simhash === 0n) return false;
  if (hammingDistance(contentSketch.simhash, template.simhash) > NEAR_BITS) return false;
  // A template of an earlier run may have been sketched by another method.
  if (template.sketch === undefined || !areComparable(contentSketch.sketch, template.sketch)) return true;
  return estimateJaccard(contentSketch.sketch, template.sketch) >= ALIKE;
}

/** Titles that repeat the address or a number become one. */
function titlePattern(title: string, url: string): string {
  return blankAddress(title, url);
}

/** Undefined where the opening is not most of the text: what all pages begin with would be taken for all of them. */
function wholeFeatures(
  { opening, words }: Pick<SoftAnswer, 'opening' | 'words'>,
  url: string,
): Uint32Array | undefined {
  // A word takes two characters at least: most pages are passed over without counting.
  if (opening === undefined || words === undefined || words === 0 || opening.length + 1 < 2 * words * MOST_OF_IT)
    return undefined;
  if (countWords(opening) < words * MOST_OF_IT) return undefined;
  const features = featuresOf(blankAddress(opening, url));
  return features.length < FEWEST_FEATURES ? undefined : features;
}

/** Addresses have up to a dozen words themselves. */
function isOfSize(words: number, expected: number): boolean {
  return Math.abs(words - expected) <= 12 + expected * 0.15;
}
