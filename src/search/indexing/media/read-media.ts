import type { ArchivedDocument } from '../../../contracts/archive.ts';
import { charsetOf, decode } from '../../../convert/charset.ts';
import { mediaTypeOf } from '../../../convert/media-type.ts';
import { collapsed } from '../../../extract/media/media-item.ts';
import { pageMedia } from '../../../extract/media/page-media.ts';
import { readSitemap } from '../../../extract/sitemap/read-sitemap.ts';
import type { SitemapEntry } from '../../../extract/sitemap/sitemap-entry.ts';
import { createResolver } from '../../../url/resolver.ts';
import type { UrlOptions } from '../../../url/url-options.ts';
import type { SaidOfMedia } from './media-store.ts';

/** What a document says of pictures, films and sounds: a page of those that it shows, a sitemap of those of its entries. */
export async function readMedia(
  document: ArchivedDocument,
  urlOptions: UrlOptions,
): Promise<{ readonly isPage: boolean; readonly said: readonly SaidOfMedia[] }> {
  const { body, url, address = url, rawHeaders } = document;
  const contentType = headerOf(rawHeaders, 'content-type');
  const media = mediaTypeOf(contentType, body, url);
  const resolver = (base: string) => {
    const resolving = createResolver(base, urlOptions);
    return (reference: string): string | undefined => resolving.resolve(reference);
  };
  if (media.isHtml) {
    const label = media.charset === undefined ? {} : { label: media.charset };
    const charset = charsetOf(body, { xml: media.isXml, ...label }).encoding;
    const source = charset === 'utf-8' ? body : decode(body, charset);
    return {
      isPage: true,
      said: pageMedia(source, { url: address, resolver }).map((item) => ({ ...item, page: url })),
    };
  }
  if (!mayBeSitemap(body)) return { isPage: false, said: [] };
  const resolve = resolver(address);
  const said: SaidOfMedia[] = [];
  for await (const { entries } of readSitemap([body], {
    url: address,
    ...(contentType === undefined ? {} : { contentType }),
  }))
    for (const entry of entries) said.push(...saidOfEntry(entry, resolve));
  return { isPage: false, said };
}

/** Only those that name a picture or a film need be read: their namespaces stand at the beginning, and gzip tells nothing. */
function mayBeSitemap(body: Uint8Array): boolean {
  if (body[0] === 0x1f && body[1] === 0x8b) return true;
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 4096)).toString('latin1');
  return /<(?:\w+:)?urlset[\s>]/i.test(start) && /sitemap-(?:image|video)\//.test(start);
}

function saidOfEntry(
  { url, images = [], videos = [] }: SitemapEntry,
  resolve: (reference: string) => string | undefined,
): SaidOfMedia[] {
  const page = resolve(url);
  if (page === undefined) return [];
  const bare = { page, heading: '', words: '', width: 0, height: 0 };
  const said: SaidOfMedia[] = [];
  for (const image of images) {
    const file = resolve(image.url);
    const texts = { alt: collapsed(image.title ?? ''), caption: collapsed(image.caption ?? '') };
    if (file !== undefined) said.push({ ...bare, ...texts, kind: 'image', url: file });
  }
  for (const video of videos) {
    const file = resolve(video.content ?? video.player ?? '');
    const texts = { alt: collapsed(video.title ?? ''), caption: collapsed(video.description ?? '') };
    if (file !== undefined && file !== page) said.push({ ...bare, ...texts, kind: 'video', url: file });
  }
  return said;
}

function headerOf(rawHeaders: readonly string[], wanted: string): string | undefined {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1].toLowerCase() === wanted);
  return values.length === 0 ? undefined : values.join(', ');
}
