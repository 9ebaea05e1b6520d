/** What a visit tells of the origin it went to. */
export interface MirrorVisit {
  /** scheme://host[:port] */
  readonly origin: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  /** ms since the epoch. */
  readonly at: number;
  /** Of the body. */
  readonly digest?: string;
  /** Of the text. */
  readonly simhash?: bigint;
  /** Words of the text: what is all but empty proves nothing. Absent: unknown, and taken for enough. */
  readonly words?: number;
  /** Size of the body: tells pages apart whose text was not read. */
  readonly bytes?: number;
  /** URL of the page that this one is an exact or near duplicate of. */
  readonly sameAs?: string;
  /** False where `sameAs` is only like this page. */
  readonly exactly?: boolean;
  /** The original was asked for this page and did not give it. */
  readonly lacked?: boolean;
  /** Where the page says it belongs: a vote for that origin. */
  readonly canonical?: string;
}

/** A verdict, or the end of one. */
export interface MirrorFound {
  readonly kind: 'found' | 'lost';
  readonly mirror: string;
  readonly original: string;
  readonly matches: number;
  readonly mismatches: number;
  readonly why: string;
}

export interface MirrorPair extends Omit<MirrorFound, 'kind'> {
  /** When the verdict fell, ms since the epoch. */
  readonly since: number;
}

export interface MirrorOptions {
  /** Origins remembered; the one unseen for longest gives way. */
  readonly maxOrigins?: number;
  /** Pairs of origins compared at once. */
  readonly maxPairs?: number;
  /** Origins whose samples a snapshot holds. */
  readonly snapshotOrigins?: number;
  /** Of a mirror, one path in this many is still fetched. */
  readonly checkEvery?: number;
  /** Texts with fewer words prove nothing. */
  readonly fewWords?: number;
  /** Pages fetched further apart than this may differ without being different. */
  readonly comparableMs?: number;
  /** Links that lead to an origin from others: helps to tell the original. */
  readonly inlinks?: (origin: string) => number;
}
