import type { SpamSign } from '../contracts/content/spam.ts';
import { byteTextOf } from './byte-text.ts';
import type { HtmlScanner } from './html-scanner.ts';
import { contentOf, type MainContent } from './main-content/main-content.ts';
import { TreeBuilder } from './main-content/tree-builder.ts';
import { MetadataReader } from './metadata/metadata-reader.ts';
import type { PageMetadata } from './metadata/metadata-record.ts';
import { metadataOf } from './metadata/page-metadata.ts';
import { scanOnce } from './scan-once.ts';
import { pageWalk, type ReadPage, signsOf } from './spam/page-signs.ts';
import type { PageWalk } from './spam/page-walk.ts';

export interface PageOptions {
  /** Where the document came from. */
  readonly url: string;
  /** Whether anybody will ask for signs of spam. */
  readonly spam: boolean;
}

export interface PageReading {
  readonly content: MainContent;
  readonly metadata: PageMetadata;
  /** To be asked for with what was chosen from the above; undefined where it was not wanted. */
  readonly spamSigns?: (page: Omit<ReadPage, 'source' | 'url'>) => readonly SpamSign[];
}

/** Main content, metadata and signs of spam of a document: what `mainContent`, `pageMetadata` and `pageSpamSigns` find, in one pass. */
export function readPage(source: Uint8Array | string, { url, spam }: PageOptions): PageReading {
  const html = byteTextOf(source);
  const tree = (scanner: HtmlScanner) => new TreeBuilder(scanner);
  const metadata = (scanner: HtmlScanner) => new MetadataReader(scanner);
  if (!spam) {
    const [builder, reader] = scanOnce<[TreeBuilder, MetadataReader]>(html, [tree, metadata]);
    const content = contentOf(builder.tree(), { url });
    return { content, metadata: metadataOf(html, reader, { url, kind: content.kind }) };
  }
  const [builder, reader, walk] = scanOnce<[TreeBuilder, MetadataReader, PageWalk]>(html, [
    tree,
    metadata,
    pageWalk(url),
  ]);
  const content = contentOf(builder.tree(), { url });
  return {
    content,
    metadata: metadataOf(html, reader, { url, kind: content.kind }),
    spamSigns: (page) => signsOf(walk, { ...page, url }),
  };
}
