import { createRequire } from 'node:module';
import { gzipMember } from '../../archive/gzip/gzip-member.ts';
import { sha1Base32 } from '../../archive/sha1-base32.ts';
import { fieldLine } from '../../archive/warc/warc-fields.ts';
import { encodeRecordHead, RECORD_END } from '../../archive/warc/warc-record.ts';

const LEVEL = 6;

/** Name and version of what writes the export. */
export const SOFTWARE = `Orbweaver/${(createRequire(import.meta.url)('../../../package.json') as { version: string }).version}`;

export interface SubsetDescription {
  readonly id: string;
  readonly date: number;
  /** The crawl. */
  readonly isPartOf: string;
  /** The name of the file, where it has one. */
  readonly file?: string;
}

/** The first record of a file of copied records, as one gzip member. */
export function subsetWarcinfo({ id, date, isPartOf, file }: SubsetDescription): Buffer {
  const block = Buffer.from(
    fieldLine('software', SOFTWARE) +
      fieldLine('format', 'WARC File Format 1.1') +
      fieldLine('conformsTo', 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/') +
      fieldLine('isPartOf', isPartOf) +
      fieldLine('description', 'Records copied from the archive of a crawl'),
  );
  const head = encodeRecordHead({
    ...{ type: 'warcinfo', id, date: new Date(date).toISOString(), contentType: 'application/warc-fields' },
    ...{ length: block.length, blockDigest: sha1Base32(block) },
    fields: [['WARC-Filename', file]],
  });
  return gzipMember([head, block, RECORD_END], LEVEL);
}
