/**
 * Links that a reader can take, in few large pieces instead of many small objects: cheap to hand from thread to thread. Pages link to
 * most of their targets several times, so that each URL is there once.
 */
export interface AnchorLinks {
  /** Canonical, a line each, in the order in which they come first. */
  readonly urls: string;
  /** Of each link; white space collapsed, so that each is one line. */
  readonly texts: string;
  /** Of each link twice the place of its URL, and one more where it vouches for nobody: rel=nofollow, ugc or sponsored. */
  readonly targets: Uint32Array;
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
