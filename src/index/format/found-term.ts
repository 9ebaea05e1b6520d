/** A term in UTF-8: these bytes of others. */
export interface EncodedTerm {
  bytes: Uint8Array;
  from: number;
  to: number;
}

export interface FoundTerm {
  readonly term: string;
  readonly documents: number;
  readonly postingsAt: number;
  readonly postingsLength: number;
  readonly positionsAt: number;
  readonly positionsLength: number;
  /** Where renewed anchors change its postings. */
  readonly renewed?: RenewedTerm;
}

/** The list of a term in renewed anchors. */
export interface RenewedTerm {
  /** Documents that hold the term by its postings in the file. */
  readonly written: number;
  readonly listAt: number;
  readonly listLength: number;
}
