import type { ExportPage, ExportSource, StreamFrom } from '../contracts/export.ts';

const PARTS = /^(?:image|audio|video|font)\/|^text\/css$|^(?:text|application)\/(?:x-)?(?:java|ecma)script$/i;

/** What pages are made of, and nobody reads by itself: pictures, styles, scripts. Of a crawl with `resources` they are pages like others. */
export function isPagePart(mediaType: string): boolean {
  return PARTS.test(mediaType);
}

/** Pages without such parts, and without regard to the limit, which is about those that are written. */
export async function* readablePages(source: ExportSource, from: StreamFrom | undefined): AsyncGenerator<ExportPage> {
  for await (const page of source.pages({ cursor: from?.cursor ?? '', rows: 0, limit: Number.POSITIVE_INFINITY }))
    if (!isPagePart(page.facts.mediaType)) yield page;
}
