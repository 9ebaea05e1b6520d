import type { SpamSign } from '../contracts/content/spam.ts';
import { byteSourceOf } from './byte-text.ts';
import { HeadingReader } from './html-headings.ts';
import type { HtmlScanner } from './html-scanner.ts';
import { contentOf, type MainContent } from './main-content/main-content.ts';
import { DEFAULT_TREE_LIMITS, TreeBuilder } from './main-content/tree-builder.ts';
import { TreeRooms } from './main-content/tree-columns.ts';
import { MetadataReader } from './metadata/metadata-reader.ts';
import type { PageMetadata } from './metadata/metadata-record.ts';
import { metadataOf } from './metadata/page-metadata.ts';
import { TextBlocks } from './metadata/text-blocks.ts';
import { NameMemory } from './name-memory.ts';
import { type MarkupReader, type ReaderMakers, scanOnce } from './scan-once.ts';
import { pageWalk, type ReadPage, signsOf } from './spam/page-signs.ts';
import { PageWalk } from './spam/page-walk.ts';

export interface PageOptions {
  /** Where the document came from. */
  readonly url: string;
  /** Whether anybody will ask for signs of spam, and for headings. */
  readonly spam: boolean;
  readonly headings?: boolean;
  /** Of the pages that were read before. */
  readonly names?: NameMemory;
  readonly rooms?: TreeRooms;
}

export interface PageReading {
  readonly content: MainContent;
  readonly metadata: PageMetadata;
  /** To be asked for with what was chosen from the above; undefined where it was not wanted. */
  readonly spamSigns?: (page: Omit<ReadPage, 'source' | 'url'>) => readonly SpamSign[];
  /** What the page names itself; undefined where it was not wanted. */
  readonly headings?: string;
  /** To be called when all was asked for: content and signs of spam tell nothing any more after it. */
  readonly giveBack: () => void;
}

/** The readers of all that a page says; whoever leads them through the document gives them to `readingOf`. */
export type PageReaders = readonly [TreeBuilder, MetadataReader, TextBlocks, ...MarkupReader[]];

/**
 * Main content, metadata, signs of spam and headings of a document: what `mainContent`, `pageMetadata`, `pageSpamSigns` and
 * `htmlHeadings` find, in one pass.
 */
export function readPage(source: Uint8Array | string, options: PageOptions): PageReading {
  return readingOf(scanOnce<PageReaders>(byteSourceOf(source), pageReaders(options)), options);
}

export function pageReaders({
  url,
  spam,
  headings = false,
  names = new NameMemory(),
  rooms = new TreeRooms(),
}: PageOptions): ReaderMakers<PageReaders> {
  return [
    (scanner) => new TreeBuilder(scanner, DEFAULT_TREE_LIMITS, names.hints, rooms),
    (scanner) => new MetadataReader(scanner, (written) => names.clues.of(written)),
    (scanner) => new TextBlocks(scanner),
    ...(spam ? [pageWalk(url)] : []),
    ...(headings ? [headingReader] : []),
  ];
}

/** What they have found, at the end of the document. */
export function readingOf([builder, reader, blocks, ...others]: PageReaders, { url }: { url: string }): PageReading {
  const walk = others.find((other) => other instanceof PageWalk);
  const named = others.find((other) => other instanceof HeadingReader);
  const content = contentOf(builder.tree(), { url });
  return {
    content,
    metadata: metadataOf(reader, blocks, { url, kind: content.kind }),
    ...(walk === undefined ? {} : { spamSigns: (page) => signsOf(walk, { ...page, url }) }),
    ...(named === undefined ? {} : { headings: named.headings }),
    giveBack: () => builder.giveBack(),
  };
}

const headingReader = (scanner: HtmlScanner): HeadingReader => new HeadingReader(scanner);
