/** What a bundle says of itself, in `index.json`: for its writer and for the page that searches it. */
export interface BundleAbout {
  readonly version: 1;
  readonly title: string;
  readonly pages: number;
  /** Of each part, but the last. */
  readonly pagesPerPart: number;
  /** How soon further occurrences of a word stop counting. */
  readonly k1: number;
  /** That the pages are mostly of, the most frequent first. */
  readonly languages: readonly string[];
  /** The first term of each part of the index, in order. */
  readonly firstTerms: readonly string[];
}

/** A page as a result shows it. */
export interface BundlePage {
  readonly url: string;
  readonly title: string;
  readonly language: string;
  /** The beginning of its text, for excerpts; '' where the page asks for none. */
  readonly text: string;
}

export interface Posting {
  readonly page: number;
  /** What the occurrences of a term in the page are worth together, before they are saturated. */
  readonly weight: number;
}

const MOST_PARTS_IN_FOLDER = 1000;

/** Part of the index, or of the pages, by its number: `terms/0/12.bin`, `pages/3/3021.json`. */
export function partPath(kind: 'terms' | 'pages', part: number): string {
  const ending = kind === 'terms' ? 'bin' : 'json';
  return `${kind}/${Math.floor(part / MOST_PARTS_IN_FOLDER)}/${part}.${ending}`;
}

/** Weights in steps of four percent. */
const STEPS = 16;
const MIDDLE = 96;

export function byteOfWeight(weight: number): number {
  return Math.min(255, Math.max(0, Math.round(MIDDLE + STEPS * Math.log2(weight))));
}

export function weightOfByte(byte: number): number {
  return 2 ** ((byte - MIDDLE) / STEPS);
}

/** What speaks for or against a page whatever is asked, between -4 and 4. */
const PRIOR_STEPS = 32;
const NO_PRIOR = 128;

export function byteOfPrior(prior: number): number {
  return Math.min(255, Math.max(0, Math.round(NO_PRIOR + PRIOR_STEPS * prior)));
}

export function priorOfByte(byte: number): number {
  return (byte - NO_PRIOR) / PRIOR_STEPS;
}

/** The postings of the terms in a part of the index. */
export function readTerms(bytes: Uint8Array, wanted: ReadonlySet<string>): Map<string, Posting[]> {
  const found = new Map<string, Posting[]>();
  const decoder = new TextDecoder();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++];
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const length = varint();
    const term = decoder.decode(bytes.subarray(at, at + length));
    at += length;
    const count = varint();
    const end = varint() + at;
    if (wanted.has(term)) {
      const postings: Posting[] = [];
      for (let number = 0, page = -1; number < count; number++) {
        page += varint() + 1;
        postings.push({ page, weight: weightOfByte(bytes[at++]) });
      }
      found.set(term, postings);
    }
    at = end;
  }
  return found;
}
