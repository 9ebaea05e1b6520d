import type { ErrorCode } from '../../base/errors.ts';
import type { ContentSketch } from '../../contracts/content/content-sketch.ts';
import type { TopicFeatures } from '../../contracts/content/topic.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import type { StageTime } from '../../contracts/events.ts';
import type { HostPlace } from '../../contracts/frontier.ts';
import type { HostKey } from '../../contracts/url.ts';
import { linksOf, type PageWork } from '../visit/page-work.ts';
import type { PackedLinks } from './packed-links.ts';

/** What the conductor tells a page thread. */
export type ToThread =
  /** As JSON; see encodeClaims. */
  | { readonly kind: 'start' | 'start-ahead'; readonly claims: string }
  /** Ids of claims that were started ahead. */
  | { readonly kind: 'grant'; readonly ids: readonly number[] }
  | { readonly kind: 'recall' }
  | { readonly kind: 'settled'; readonly claims: readonly SettledClaim[] }
  | { readonly kind: 'look-up'; readonly hosts: readonly HostKey[] }
  | { readonly kind: 'close' };

/** What a page thread tells the conductor. */
export type FromThread =
  | ({ readonly kind: 'done' } & EncodedWorks)
  /** Ids of claims, and of those that have begun in their place. */
  | { readonly kind: 'answered'; readonly ids: readonly number[]; readonly begun: readonly BegunId[] }
  | { readonly kind: 'unbegun'; readonly ids: readonly number[] }
  | { readonly kind: 'placed'; readonly places: readonly HostPlace[] }
  | { readonly kind: 'fault'; readonly code: ErrorCode; readonly message: string; readonly remedy?: string };

export interface BegunId {
  readonly id: number;
  readonly at: number;
}

/** What a gate must know of it. */
export interface SettledClaim {
  readonly id: number;
  readonly task: { readonly host: HostKey };
}

export interface DoneWork {
  /** Id of the claim. */
  readonly id: number;
  readonly work: PageWork;
  /** Of a visit that is traced. */
  readonly stages?: readonly StageTime[];
  /** Nothing of its host begins before it is settled. */
  readonly holdsHost?: true;
}

/**
 * Many results in few pieces. Copying objects from thread to thread costs a multiple of writing and reading them as text;
 * what is long or cannot be text goes beside it: the lines of the links as they are (within the text they would be escaped
 * and read again character by character), their numbers and the sketches in arrays.
 */
export interface EncodedWorks {
  /** JSON: a PageWork holds plain data but for its links and its sketch. */
  readonly text: string;
  /** URLs, texts and rels of the links of each page. */
  readonly lines: readonly string[];
  /** Fingerprints of the links of each page, then its simhash. */
  readonly words: BigUint64Array;
  /** What sitemaps and feeds say of the links of each page, where one does. */
  readonly numbers?: Float64Array;
  /** Kinds and flags of the links of each page, then its sketch. */
  readonly bytes: Uint8Array;
  /** Words of the pages, of a focused crawl; in the order of the works. */
  readonly topics?: readonly (TopicFeatures | undefined)[];
}

/** What the text says of a work, beside the work without these parts. */
interface WrittenWork {
  readonly id: number;
  readonly work: object;
  readonly stages?: readonly StageTime[];
  readonly holdsHost?: true;
  /** Number of links, and of the numbers that are said of them. */
  readonly links?: number;
  readonly numbers?: number;
  readonly contentSketch?: { readonly sketch: number; readonly shingles: number };
}

/** A page thread needs no fingerprint of the URL, the only part of a claim that is no JSON. */
export function encodeClaims(claims: readonly Claim[]): string {
  const bare = claims.every(({ task }) => task.fingerprint === undefined);
  return JSON.stringify(bare ? claims : claims.map(withoutFingerprint));
}

export function decodeClaims(text: string): Claim[] {
  return JSON.parse(text);
}

export function encodeWorks(done: readonly DoneWork[]): EncodedWorks {
  let wordCount = 0;
  let byteCount = 0;
  let numberCount = 0;
  for (const { work } of done) {
    const links = linksOf(work)?.fingerprints.length ?? 0;
    numberCount += linksOf(work)?.entries?.length ?? 0;
    const contentSketch = sketchOf(work);
    wordCount += links + (contentSketch === undefined ? 0 : 1);
    byteCount += 2 * links + (contentSketch?.sketch.length ?? 0);
  }
  const words = new BigUint64Array(wordCount);
  const bytes = new Uint8Array(byteCount);
  const numbers = new Float64Array(numberCount);
  const lines: string[] = [];
  let wordAt = 0;
  let byteAt = 0;
  let numberAt = 0;
  const written = done.map(({ id, work, stages, holdsHost }): WrittenWork => {
    const links = linksOf(work);
    const contentSketch = sketchOf(work);
    if (links !== undefined) {
      const { fingerprints, kinds, flags, entries } = links;
      const count = fingerprints.length;
      lines.push(links.urls, links.texts, links.rels);
      words.set(fingerprints, wordAt);
      bytes.set(kinds, byteAt);
      bytes.set(flags, byteAt + count);
      wordAt += count;
      byteAt += 2 * count;
      if (entries !== undefined) numbers.set(entries, numberAt);
      numberAt += entries?.length ?? 0;
    }
    if (contentSketch !== undefined) {
      words[wordAt++] = contentSketch.simhash;
      bytes.set(contentSketch.sketch, byteAt);
      byteAt += contentSketch.sketch.length;
    }
    return {
      id,
      work: bare(work),
      ...(stages === undefined ? {} : { stages }),
      ...(holdsHost === undefined ? {} : { holdsHost }),
      ...(links === undefined ? {} : { links: links.fingerprints.length }),
      ...(links?.entries === undefined ? {} : { numbers: links.entries.length }),
      ...(contentSketch === undefined
        ? {}
        : { contentSketch: { sketch: contentSketch.sketch.length, shingles: contentSketch.shingles } }),
    };
  });
  const topics = done.map(({ work }) => (work.kind === 'page' ? work.topic : undefined));
  const some = topics.some((topic) => topic !== undefined);
  return {
    text: JSON.stringify(written),
    lines,
    words,
    bytes,
    ...(numberCount > 0 ? { numbers } : {}),
    ...(some ? { topics } : {}),
  };
}

export function decodeWorks({ text, lines, words, bytes, numbers, topics }: EncodedWorks): DoneWork[] {
  let lineAt = 0;
  let wordAt = 0;
  let byteAt = 0;
  let numberAt = 0;
  return (JSON.parse(text) as WrittenWork[]).map(
    ({ id, work: written, stages, holdsHost, links: count, numbers: said = 0, contentSketch }, at) => {
      let work = written as PageWork;
      if (count !== undefined) {
        const links: PackedLinks = {
          urls: lines[lineAt],
          texts: lines[lineAt + 1],
          rels: lines[lineAt + 2],
          fingerprints: words.subarray(wordAt, wordAt + count),
          kinds: bytes.subarray(byteAt, byteAt + count),
          flags: bytes.subarray(byteAt + count, byteAt + 2 * count),
          ...(said === 0 ? {} : { entries: numbers?.subarray(numberAt, numberAt + said) }),
        };
        numberAt += said;
        work = { ...work, links } as PageWork;
        lineAt += 3;
        wordAt += count;
        byteAt += 2 * count;
      }
      if (contentSketch !== undefined) {
        // A copy: it may be kept for long, and would keep all the bytes with it.
        const sketch = bytes.slice(byteAt, byteAt + contentSketch.sketch);
        work = {
          ...work,
          contentSketch: { simhash: words[wordAt++], sketch, shingles: contentSketch.shingles },
        } as PageWork;
        byteAt += contentSketch.sketch;
      }
      const topic = topics?.[at];
      if (topic !== undefined) work = { ...work, topic } as PageWork;
      return {
        id,
        work,
        ...(stages === undefined ? {} : { stages }),
        ...(holdsHost === undefined ? {} : { holdsHost }),
      };
    },
  );
}

function sketchOf(work: PageWork): ContentSketch | undefined {
  return work.kind === 'page' || work.kind === 'probe' || work.kind === 'recheck' ? work.contentSketch : undefined;
}

/** Without the parts that go beside the text: what is undefined is not written. */
function bare(work: PageWork): object {
  switch (work.kind) {
    case 'page':
      return { ...work, links: undefined, contentSketch: undefined, topic: undefined };
    case 'refused':
      return { ...work, links: undefined };
    case 'probe':
    case 'recheck':
      return { ...work, contentSketch: undefined };
    default:
      return work;
  }
}

function withoutFingerprint(claim: Claim): Claim {
  const { fingerprint, ...task } = claim.task;
  return { ...claim, task };
}
