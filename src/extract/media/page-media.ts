import { byteSourceOf } from '../byte-text.ts';
import { scanOnce } from '../scan-once.ts';
import type { MediaItem } from './media-item.ts';
import { MediaReader } from './media-reader.ts';

export interface PageMediaOptions {
  /** Makes the references of a page canonical; undefined for what leads nowhere. */
  readonly resolver: (base: string) => (reference: string) => string | undefined;
  /** Of the document. */
  readonly url: string;
}

/**
 * The pictures, films and sounds that belong to the content of a page, each once, with what the page says of them. Decorations are left
 * out: see `decoration.ts`. Never throws.
 */
export function pageMedia(source: Uint8Array | string, { url, resolver }: PageMediaOptions): MediaItem[] {
  const [reader] = scanOnce<[MediaReader]>(byteSourceOf(source), [(scanner) => new MediaReader(scanner)]);
  const found = reader.found();
  if (found.length === 0) return [];
  const base = reader.base === undefined ? url : (URL.parse(reader.base, url)?.href ?? url);
  const resolve = resolver(base);
  const items = new Map<string, MediaItem>();
  for (const { reference, ...said } of found) {
    const address = resolve(reference);
    if (address === undefined || !/^(?:https?|file):/.test(address) || address === url) continue;
    const before = items.get(address);
    items.set(address, before === undefined ? { url: address, ...said } : joined(before, said));
  }
  return [...items.values()];
}

/** Of one that stands on a page twice, what either says. */
function joined(one: MediaItem, other: Omit<MediaItem, 'url'>): MediaItem {
  return {
    url: one.url,
    kind: one.kind,
    alt: one.alt || other.alt,
    caption: one.caption || other.caption,
    heading: one.heading || other.heading,
    words: one.words || other.words,
    width: Math.max(one.width, other.width),
    height: Math.max(one.height, other.height),
  };
}
