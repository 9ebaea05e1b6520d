import { sha1Base32 } from '../sha1-base32.ts';
import { fieldLine } from './warc-fields.ts';
import { encodeRecordHead, RECORD_END } from './warc-record.ts';

/** Who writes, and how: the first record of every file. */
export interface CrawlDescription {
  /** Name and version, e.g. "Orbweaver/0.1.0 (+https://...)". */
  readonly software: string;
  readonly userAgent: string;
  /** How robots.txt is treated: 'obey', 'ignore'. */
  readonly robots: string;
  /** Further fields, e.g. operator, isPartOf, description. */
  readonly more?: Readonly<Record<string, string>>;
}

const CONFORMS_TO = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/';

export function warcinfoRecord(crawl: CrawlDescription, file: string, date: number, id: string): Uint8Array[] {
  let text =
    fieldLine('software', crawl.software) +
    fieldLine('format', 'WARC File Format 1.1') +
    fieldLine('conformsTo', CONFORMS_TO) +
    fieldLine('http-header-user-agent', crawl.userAgent) +
    fieldLine('robots', crawl.robots);
  for (const [name, value] of Object.entries(crawl.more ?? {})) text += fieldLine(name, value);
  const block = Buffer.from(text);
  const head = encodeRecordHead({
    type: 'warcinfo',
    id,
    date: new Date(date).toISOString(),
    contentType: 'application/warc-fields',
    length: block.length,
    blockDigest: sha1Base32(block),
    fields: [['WARC-Filename', file]],
  });
  return [head, block, RECORD_END];
}
