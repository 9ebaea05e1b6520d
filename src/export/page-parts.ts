const PARTS = /^(?:image|audio|video|font)\/|^text\/css$|^(?:text|application)\/(?:x-)?(?:java|ecma)script$/i;

/** What pages are made of, and nobody reads by itself: pictures, styles, scripts. Of a crawl with `resources` they are pages like others. */
export function isPagePart(mediaType: string): boolean {
  return PARTS.test(mediaType);
}
