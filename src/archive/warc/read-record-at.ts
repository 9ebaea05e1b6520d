import { open } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { isGzip } from '../gzip/gzip-reader.ts';
import { parseRecordHead, type WarcRecord } from './warc-record.ts';

/** The one record at a known place: the fast way. Undefined where no whole record lies there. */
export async function readRecordAt(path: string, offset: number, length: number): Promise<WarcRecord | undefined> {
  const packed = Buffer.allocUnsafe(length);
  const handle = await open(path, 'r');
  let filled = 0;
  try {
    while (filled < length) {
      const { bytesRead } = await handle.read(packed, filled, length - filled, offset + filled);
      if (bytesRead === 0) return undefined;
      filled += bytesRead;
    }
  } finally {
    await handle.close();
  }
  const bytes = unpacked(packed);
  const head = bytes?.toString('latin1', 0, 5) === 'WARC/' ? parseRecordHead(bytes) : undefined;
  if (bytes === undefined || head?.contentLength === undefined) return undefined;
  const block = bytes.subarray(head.length, head.length + head.contentLength);
  if (block.length < head.contentLength) return undefined;
  const type = head.fields.get('WARC-Type') ?? '';
  return { version: head.version, type, fields: head.fields, block, offset, length, whole: true };
}

function unpacked(packed: Buffer): Buffer | undefined {
  if (!isGzip(packed)) return packed;
  try {
    return gunzipSync(packed, { chunkSize: 64 * 1024 });
  } catch {
    return undefined;
  }
}
