/** How the minhash sketches of texts are made. Only sketches of one method can be compared. */
export interface SketchMethod {
  /** Words of a shingle. */
  readonly shingle: number;
  /** Random permutations of the shingles, of each of which the least is kept. Absent: one permutation, in bins. */
  readonly permutations?: number;
}

/** What a text is reduced to, to find texts like it: small enough to cross threads and to be kept for every document. */
export interface ContentSketch {
  /** 64 bits over weighted features of the text; like texts differ in few of them. */
  readonly simhash: bigint;
  /** Minhash sketch of its word shingles; the share of equal values estimates the Jaccard coefficient. */
  readonly sketch: Uint8Array;
  /** Distinct shingles. */
  readonly shingles: number;
}

/** A document that is like the one asked about. Documents are numbered by whoever keeps them. */
export interface Alike {
  readonly document: number;
  /** Estimated from the sketches. */
  readonly jaccard: number;
  /** Bits in which the simhashes differ. */
  readonly distance: number;
}

/** Where the sketches of documents are kept; the index itself holds only what finds candidates. */
export interface SketchStore {
  contentSketch(document: number): ContentSketch | undefined;
}

/** Finds documents that are nearly the same. Not durable: it is filled again from the store. */
export interface NearDuplicateIndex {
  /** Documents alike by at least the threshold of the index, the likest first. */
  alike(contentSketch: ContentSketch): readonly Alike[];
  /** A document that is there already has to be removed first. */
  add(document: number, contentSketch: ContentSketch): void;
  /** False, and nothing is done, where the document was not added with this sketch. */
  remove(document: number, contentSketch: ContentSketch): boolean;
  /** The estimate for two documents; undefined where it is less than the threshold of the index. */
  jaccard(a: ContentSketch, b: ContentSketch): number | undefined;
  readonly size: number;
  /** Memory it takes. */
  readonly bytes: number;
}
