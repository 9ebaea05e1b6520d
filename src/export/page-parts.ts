import type { ExportPage, ExportSource, StreamFrom } from '../contracts/export.ts';

const PARTS = /^(?:image|audio|video|font)\/|^text\/css$|^(?:text|application)\/(?:x-)?(?:java|ecma)script$/i;

/** What pages are made of, and nobody reads by itself: pictures, styles, scripts. Of a crawl with `resources` they are pages like others. */
export function isPagePart(mediaType: string): boolean {
  return PARTS.test(mediaType);
}

/** Pages without such parts, which do not count for the limit: whoever goes on gets those that a run in one go gets. */
export async function* readablePages(source: ExportSource, from: StreamFrom | undefined): AsyncGenerator<ExportPage> {
  let left = (source.filter.limit ?? Number.POSITIVE_INFINITY) - (from?.rows ?? 0);
  if (left <= 0) return;
  for await (const page of source.pages({ cursor: from?.cursor ?? '', rows: 0, limit: Number.POSITIVE_INFINITY })) {
    if (isPagePart(page.facts.mediaType)) continue;
    yield page;
    if (--left <= 0) return;
  }
}
