import type { CanonicalUrl } from './url.ts';

/** What a record of a foreign archive is: an answer; that one is as before; a file; what was made of an answer. */
export type CaptureKind = 'response' | 'revisit' | 'resource' | 'conversion';

/** What a revisit record says of the record that has its body. */
export interface CaptureReferral {
  readonly url?: CanonicalUrl;
  readonly date?: number;
  /** As the record writes it. */
  readonly digest?: string;
}

/** A record that answers for a URL. */
export interface ForeignCapture {
  readonly url: CanonicalUrl;
  /** ms since the epoch. */
  readonly date: number;
  readonly kind: CaptureKind;
  /** Of HTTP; 200 of what is no answer. */
  readonly status: number;
  /** Of the payload, as the record writes it. */
  readonly digest?: string;
  readonly refersTo?: CaptureReferral;
  /** Where it lies. */
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

/** How many records of each kind a file held. */
export type CaptureCounts = Readonly<Record<string, number>>;

/** A file of another archive, as it was when it was looked through. */
export interface ForeignFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

export interface ForeignFileReport extends ForeignFile {
  readonly counts: CaptureCounts;
  /** Records that were refused and damage, the first of each reason with its place. */
  readonly refused: readonly { readonly why: string; readonly count: number; readonly first: string }[];
}

/** The captures of foreign archives by URL; in a file of its own beside the state of a crawl. */
export interface ForeignCaptures extends Disposable {
  /** The capture of the URL that comes next after a time. */
  next(url: CanonicalUrl, after: number): ForeignCapture | undefined;
  /** All of a URL, oldest first. */
  of(url: CanonicalUrl): ForeignCapture[];
  /** The record with the body that a revisit record speaks of. */
  original(referral: CaptureReferral): ForeignCapture | undefined;
}

/** `repeated`: a capture of this URL and instant is there already. */
export type AddedCapture = 'added' | 'repeated' | 'superfluous';

export interface ForeignCapturesWriter extends ForeignCaptures {
  /** Undefined where the file was looked through as it is. */
  begin(file: ForeignFile): number | undefined;
  /** Keeps what was found since. A file that is not ended is looked through again. */
  add(file: number, capture: ForeignCapture): AddedCapture;
  remove(capture: Pick<ForeignCapture, 'url' | 'date'>): void;
  end(file: number, report: Pick<ForeignFileReport, 'counts' | 'refused'>): void;
  reports(): ForeignFileReport[];
  /** Every URL once, with its first capture, in slices; in the order of the captures. */
  urls(): Generator<readonly CanonicalUrl[]>;
  readonly size: number;
}
