import { gunzipSync } from 'node:zlib';
import type { ShippedFiles } from '../../contracts/shipped-file.ts';
import { isGzip } from '../gzip/gzip-reader.ts';
import { openArchiveBytes } from '../shipping/archive-bytes.ts';
import { parseRecordHead, type WarcRecord } from './warc-record.ts';

/** The one record at a known place: the fast way. Undefined where no whole record lies there, or one of more than `maxBytes`. */
export async function readRecordAt(
  path: string,
  offset: number,
  length: number,
  elsewhere?: Pick<ShippedFiles, 'read'>,
  maxBytes?: number,
): Promise<WarcRecord | undefined> {
  const source = await openArchiveBytes(path, elsewhere);
  let packed: Buffer;
  try {
    packed = await source.read(offset, length);
  } finally {
    await source.close();
  }
  if (packed.length < length) return undefined;
  const bytes = unpacked(packed, maxBytes);
  const head = bytes?.toString('latin1', 0, 5) === 'WARC/' ? parseRecordHead(bytes) : undefined;
  if (bytes === undefined || head?.contentLength === undefined) return undefined;
  const block = bytes.subarray(head.length, head.length + head.contentLength);
  if (block.length < head.contentLength) return undefined;
  const type = head.fields.get('WARC-Type') ?? '';
  return { version: head.version, type, fields: head.fields, block, offset, length, whole: true };
}

function unpacked(packed: Buffer, maxOutputLength?: number): Buffer | undefined {
  if (!isGzip(packed)) return packed;
  try {
    return gunzipSync(packed, { chunkSize: 64 * 1024, ...(maxOutputLength && { maxOutputLength }) });
  } catch {
    return undefined;
  }
}
