/** This many bytes are looked at. */
const LOOK = 2048;

/** Whether a document looks like a sitemap: by its root element, whatever it was sent as. */
export function looksLikeSitemap(body: Uint8Array): boolean {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, LOOK)).toString('latin1');
  return /<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/i.test(start);
}

/** Whether it may be worth reading as a feed. */
export function looksLikeFeed(body: Uint8Array, mediaType: string): boolean {
  if (/^application\/(?:rss|atom|rdf|feed)\+|^application\/x-cdf$/.test(mediaType)) return true;
  if (!/[/+](?:xml|json)$|^text\/plain$/.test(mediaType)) return false;
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, LOOK)).toString('latin1');
  return /<(?:\w+:)?(?:rss|feed|RDF|channel)[\s>]|jsonfeed\.org\/version/.test(start);
}
