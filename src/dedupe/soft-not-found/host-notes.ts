import { bitCount } from '../near/hamming.ts';
import { blankAddress } from './blanked-text.ts';
import { isLikeTemplate, type NotFoundTemplate } from './not-found-template.ts';
import type { SoftVisit } from './soft-types.ts';

interface SeenContent {
  readonly digest?: string;
  /** The halves of the simhash, signed so that the engine keeps them without an object for each; both 0: none. */
  readonly low: number;
  readonly high: number;
  urls: number;
}

const KEPT_CONTENTS = 8;
const NEAR_BITS = 3;
/** Longer pages all count as long. */
const LONG = 2000;
/** Shorter ones are compared without the address that they may repeat. */
const SHORT = 60;
/** This many times fewer words than usual, and no more than this many, are thin. */
const THINNER = 8;
const THIN = 40;

/** What has been seen of one host, in a few hundred bytes. */
export class HostNotes {
  visits = 0;
  /** Probes asked for, and the kinds of address they were like. */
  readonly asked: string[] = [];
  honestAnswers = 0;
  /** The count of visits when the probe under way was asked for; -1: none is. */
  awaitedSince = -1;
  readonly templates: NotFoundTemplate[] = [];
  readonly targets: string[] = [];
  /** Digests of pages that were judged soft, the latest last. The text of an exact copy is not read again: its bytes tell. */
  readonly softDigests: string[] = [];
  front?: Pick<SoftVisit, 'digest' | 'contentSketch' | 'words'>;
  /** Running mean of the words of its pages, as far as they were read, and how many were. */
  usualWords = 0;
  pagesRead = 0;
  readonly #contents: SeenContent[] = [];

  noteSoft(digest: string): void {
    if (this.softDigests.includes(digest)) return;
    if (this.softDigests.length >= KEPT_CONTENTS) this.softDigests.shift();
    this.softDigests.push(digest);
  }

  /** Counts a page; answers on how many addresses its content has been seen. */
  note(visit: SoftVisit): number {
    const { contentSketch, words } = visit;
    const digest = isShort(visit) ? blankAddress(visit.opening, visit.url) : visit.digest;
    this.visits++;
    if (words !== undefined) {
      this.pagesRead++;
      this.usualWords += (Math.min(words, LONG) - this.usualWords) / Math.min(this.pagesRead, 64);
    }
    const simhash = words === 0 ? 0n : (contentSketch?.simhash ?? 0n);
    const low = Number(BigInt.asIntN(32, simhash));
    const high = Number(BigInt.asIntN(32, simhash >> 32n));
    const at = this.#contents.findIndex((seen) => isSame(seen, digest, low, high));
    const content = this.#contents[at] ?? { digest, low, high, urls: 0 };
    content.urls++;
    // The latest come last; the oldest gives way.
    if (at >= 0) this.#contents.splice(at, 1);
    else if (this.#contents.length >= KEPT_CONTENTS) this.#contents.shift();
    this.#contents.push(content);
    return content.urls;
  }

  /** A page with far fewer words than the rest; one without any is no text at all. */
  isThin({ words }: SoftVisit): boolean {
    return words !== undefined && words > 0 && words <= THIN && words * THINNER < this.usualWords;
  }

  /** Whether most contents seen lately, as far as they are not the template itself, are like it. */
  isUsual(template: NotFoundTemplate): boolean {
    const others = this.#contents.filter(({ digest }) => digest === undefined || digest !== template.digest);
    const sketch = new Uint8Array(0);
    const like = others.filter(({ low, high }) => {
      const simhash = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
      return isLikeTemplate({ contentSketch: { simhash, sketch, shingles: 0 } }, template);
    });
    const addresses = (contents: readonly SeenContent[]): number => contents.reduce((sum, { urls }) => sum + urls, 0);
    return addresses(like) >= 2 && addresses(like) * 2 >= addresses(others);
  }
}

function isShort(visit: SoftVisit): visit is SoftVisit & { readonly opening: string } {
  return visit.opening !== undefined && visit.words !== undefined && visit.words > 0 && visit.words <= SHORT;
}

function isSame(seen: SeenContent, digest: string | undefined, low: number, high: number): boolean {
  if (digest !== undefined && digest === seen.digest) return true;
  if ((low | high) === 0 || (seen.low | seen.high) === 0) return false;
  return bitCount(low ^ seen.low) + bitCount(high ^ seen.high) <= NEAR_BITS;
}
