/**
 * Links that a reader can take, in few large pieces instead of many small objects: cheap to hand from thread to thread. A line of
 * each text and a byte for each link.
 */
export interface AnchorLinks {
  /** Canonical. */
  readonly urls: string;
  /** White space collapsed, so that each is one line. */
  readonly texts: string;
  /** 1 where the link vouches for nobody: rel=nofollow, ugc or sponsored. */
  readonly nofollow: Uint8Array;
}

/** What the markup of a page says to the index, beside its main text. */
export interface IndexFields {
  readonly mediaType: string;
  readonly title: string;
  readonly headings: string;
  readonly description: string;
  /** As the document declares it; '' where it does not. */
  readonly language: string;
  readonly links: AnchorLinks;
}
