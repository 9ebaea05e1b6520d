import type { MirrorVisit } from './mirror-types.ts';
import { textHash } from './text-hash.ts';

/** What a path was found to hold, in 20 bytes. */
export interface Content {
  /** Hash of the digest. */
  readonly digest: number;
  /** The halves of the simhash; where the text was not read, the size of the page and the length of its path. */
  readonly low: number;
  readonly high: number;
  /** When it was seen, in seconds since the epoch. */
  readonly seconds: number;
  readonly flags: number;
}

/** 'none': the two cannot be compared, or prove nothing. */
export type Comparison = 'same' | 'near' | 'different' | 'none';

const HAS_DIGEST = 1;
const HAS_SIMHASH = 2;
const MISSING = 4;
const THIN = 8;
const HAS_SIZE = 16;
/** This many times an error page may repeat the path that was asked for. */
const MOST_REPEATS = 8;
/** Simhashes of one text with another host name, date or counter in it. */
const NEAR_BITS = 3;

/** Undefined: the visit says nothing of what lies there (redirects, failures, refusals). */
export function contentOf(visit: MirrorVisit, fewWords: number): Content | undefined {
  const seconds = Math.floor(visit.at / 1000);
  if (visit.status === 404 || visit.status === 410) return { digest: 0, low: 0, high: 0, seconds, flags: MISSING };
  // An empty text has no simhash worth the name.
  const simhash = visit.simhash ?? 0n;
  if (visit.status !== 200 || (visit.digest === undefined && simhash === 0n)) return undefined;
  const thin = visit.words !== undefined && visit.words < fewWords;
  const digest = visit.digest === undefined ? 0 : textHash(visit.digest);
  if (simhash === 0n) {
    const { bytes, target } = visit;
    const flags = HAS_DIGEST | (bytes === undefined ? 0 : HAS_SIZE) | (thin ? THIN : 0);
    return { digest, low: bytes ?? 0, high: bytes === undefined ? 0 : target.length, seconds, flags };
  }
  return {
    digest,
    low: Number(simhash & 0xffffffffn),
    high: Number((simhash >> 32n) & 0xffffffffn),
    seconds,
    flags: (visit.digest === undefined ? 0 : HAS_DIGEST) | HAS_SIMHASH | (thin ? THIN : 0),
  };
}

export function contentAt(numbers: Uint32Array, at: number): Content {
  return {
    digest: numbers[at],
    low: numbers[at + 1],
    high: numbers[at + 2],
    seconds: numbers[at + 3],
    flags: numbers[at + 4],
  };
}

export function hasDigest({ flags }: Content): boolean {
  return (flags & HAS_DIGEST) !== 0;
}

export function hasSimhash({ flags }: Content): boolean {
  return (flags & HAS_SIMHASH) !== 0;
}

/** Whether an equal page elsewhere would mean anything. */
export function isTelling({ flags }: Content): boolean {
  return (flags & (MISSING | THIN)) === 0;
}

export function compare(a: Content, b: Content, comparableSeconds: number): Comparison {
  const missing = (a.flags & b.flags & MISSING) !== 0;
  if (missing) return 'none';
  const found = compareContents(a, b);
  if (found !== 'different') return isTelling(a) && isTelling(b) ? found : 'none';
  // A page that changes is no other page for that.
  return Math.abs(a.seconds - b.seconds) <= comparableSeconds ? 'different' : 'none';
}

/** Whether two contents are one to the eye: an error page that names the path is the same page on every path. */
export function isSameToTheEye(a: Content, b: Content): boolean {
  if (compareContents(a, b) !== 'different') return true;
  return !hasSimhash(a) && !hasSimhash(b) && ((a.flags | b.flags) & MISSING) === 0 && mayRepeatPath(a, b);
}

/** Of pages whose texts were not read: whether they may differ in the path alone. Unless their sizes say no, they may. */
function mayRepeatPath(a: Content, b: Content): boolean {
  if ((a.flags & b.flags & HAS_SIZE) === 0) return true;
  for (let times = 0; times <= MOST_REPEATS; times++) {
    if (a.low - b.low === times * (a.high - b.high)) return true;
  }
  return false;
}

function compareContents(a: Content, b: Content): 'same' | 'near' | 'different' {
  const both = a.flags & b.flags;
  if (((a.flags | b.flags) & MISSING) !== 0) return (both & MISSING) !== 0 ? 'same' : 'different';
  if ((both & HAS_DIGEST) !== 0 && a.digest === b.digest) return 'same';
  if ((both & HAS_SIMHASH) === 0) return 'different';
  const bits = ones(a.low ^ b.low) + ones(a.high ^ b.high);
  return bits === 0 ? 'same' : bits <= NEAR_BITS ? 'near' : 'different';
}

function ones(word: number): number {
  let w = word - ((word >>> 1) & 0x55555555);
  w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
  return Math.imul((w + (w >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
