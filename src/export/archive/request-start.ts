import { gunzipSync } from 'node:zlib';
import type { ArchiveBytes } from '../../archive/shipping/archive-bytes.ts';
import { parseRecordHead, targetUri } from '../../archive/warc/warc-record.ts';

/** A request record is a few hundred bytes; one with cookies, a few thousand. */
const NEAREST = 2 * 1024;
const FARTHEST = 64 * 1024;
const MAGIC = Buffer.from([0x1f, 0x8b, 8]);

/**
 * Where the request record begins that belongs to the response at `offset`: the gzip member that ends there. The place itself where there
 * is none. The state of a crawl knows where the response lies, and nothing of what stands before it.
 */
export async function requestStart(file: Pick<ArchiveBytes, 'read'>, offset: number, url: string): Promise<number> {
  return (await lastMember(file, offset, url, NEAREST)) ?? (await lastMember(file, offset, url, FARTHEST)) ?? offset;
}

/** Undefined where no record lies within that reach. */
async function lastMember(
  file: Pick<ArchiveBytes, 'read'>,
  offset: number,
  url: string,
  reach: number,
): Promise<number | undefined> {
  const from = Math.max(0, offset - reach);
  const before = await file.read(from, offset - from);
  for (let at = before.lastIndexOf(MAGIC); at >= 0; at = at === 0 ? -1 : before.lastIndexOf(MAGIC, at - 1)) {
    const record = memberOf(before.subarray(at));
    if (record === undefined) continue;
    const head = record.toString('latin1', 0, 5) === 'WARC/' ? parseRecordHead(record) : undefined;
    if (head === undefined) continue;
    const isOurs = head.fields.get('WARC-Type') === 'request' && targetUri(head.fields) === url;
    return isOurs ? from + at : offset;
  }
  return undefined;
}

/** Undefined where the bytes are not one whole member. */
function memberOf(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: 4 * FARTHEST });
  } catch {
    return undefined;
  }
}
