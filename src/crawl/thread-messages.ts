import type { ErrorCode } from '../base/errors.ts';
import type { Claim } from '../contracts/crawl-task.ts';
import type { HostPlace } from '../contracts/frontier.ts';
import type { HostKey } from '../contracts/url.ts';
import type { PackedLinks } from './packed-links.ts';
import type { PageWork } from './page-work.ts';

/** What the conductor tells a page thread. */
export type ToThread =
  | { readonly kind: 'start'; readonly claims: readonly Claim[] }
  | { readonly kind: 'look-up'; readonly hosts: readonly HostKey[] }
  | { readonly kind: 'close' };

/** What a page thread tells the conductor. */
export type FromThread =
  | ({ readonly kind: 'done' } & EncodedWorks)
  | { readonly kind: 'placed'; readonly places: readonly HostPlace[] }
  | { readonly kind: 'fault'; readonly code: ErrorCode; readonly message: string; readonly remedy?: string };

export interface DoneWork {
  /** Id of the claim. */
  readonly id: number;
  readonly work: PageWork;
}

/**
 * Many results in three pieces. Copying objects from thread to thread costs a multiple of writing and reading them as
 * text; only the numbers of the links go as they are.
 */
export interface EncodedWorks {
  readonly text: string;
  readonly fingerprints: BigUint64Array;
  /** Kinds and flags of the links of each page, one after the other. */
  readonly marks: Uint8Array;
}

type TextLinks = Pick<PackedLinks, 'urls' | 'texts' | 'rels'> & { readonly count: number };

export function encodeWorks(done: readonly DoneWork[]): EncodedWorks {
  let total = 0;
  for (const { work } of done) total += linksOf(work)?.fingerprints.length ?? 0;
  const fingerprints = new BigUint64Array(total);
  const marks = new Uint8Array(2 * total);
  let at = 0;
  const plain = done.map(({ id, work }) => {
    const links = linksOf(work);
    if (links === undefined) return { id, work };
    const { urls, texts, rels, fingerprints: own, kinds, flags } = links;
    const count = own.length;
    fingerprints.set(own, at);
    marks.set(kinds, 2 * at);
    marks.set(flags, 2 * at + count);
    at += count;
    return { id, work: { ...work, links: { urls, texts, rels, count } satisfies TextLinks } };
  });
  return { text: JSON.stringify(plain), fingerprints, marks };
}

export function decodeWorks({ text: json, fingerprints, marks }: EncodedWorks): DoneWork[] {
  let at = 0;
  const plain = JSON.parse(json) as { id: number; work: PageWork }[];
  return plain.map(({ id, work }) => {
    const text = linksOf(work) as unknown as TextLinks | undefined;
    if (text === undefined) return { id, work };
    const { urls, texts, rels, count } = text;
    const links: PackedLinks = {
      urls,
      texts,
      rels,
      fingerprints: fingerprints.subarray(at, at + count),
      kinds: marks.subarray(2 * at, 2 * at + count),
      flags: marks.subarray(2 * at + count, 2 * at + 2 * count),
    };
    at += count;
    return { id, work: { ...work, links } as PageWork };
  });
}

function linksOf(work: PageWork): PackedLinks | undefined {
  return work.kind === 'page' || work.kind === 'refused' ? work.links : undefined;
}
