import { gzipMember, storedMember } from '../gzip/gzip-member.ts';
import { encodeRecordHead, RECORD_END } from './warc-record.ts';

const HEADER = 10;
const COMMENT_FLAG = 16;
/** An empty member: header, an empty block, checksum and length. */
const LEAST = HEADER + 2 + 8;
/** Readers look for the end of a header within this. */
const MOST_COMMENT = 32 * 1024;
/** More than heads and block headers take. */
const OVERHEAD = 2048;

/** Why bytes were replaced. */
export type FillerReason = 'damaged' | 'deleted';

const REASONS: Readonly<Record<FillerReason, string>> = {
  damaged: 'bytes could not be read and were replaced',
  deleted: 'bytes were deleted and replaced',
};

/**
 * A gzip member of exactly `bytes` that takes the place of others: what lies after it keeps its place, and every
 * reader finds a sound file. It holds a metadata record that says so, unless there is no room for that.
 */
export function fillerMember(bytes: number, id: string, now: number, why: FillerReason = 'damaged'): Buffer {
  const said = `${why}: ${bytes} ${REASONS[why]}`;
  const plain = recordMember(id, now, said, 0);
  if (plain.length > bytes) return withComment(emptyMember(), bytes);
  if (bytes - plain.length <= MOST_COMMENT) return withComment(plain, bytes);
  for (let padding = bytes - plain.length - 1; ; padding -= OVERHEAD) {
    const padded = recordMember(id, now, said, padding);
    if (padded.length <= bytes) return withComment(padded, bytes);
  }
}

/** Whether a filler fits at all. */
export function canFill(bytes: number): boolean {
  return bytes >= LEAST;
}

function recordMember(id: string, now: number, said: string, padding: number): Buffer {
  const block = Buffer.from(`${said}\r\n${' '.repeat(padding)}`);
  const head = encodeRecordHead({
    type: 'metadata',
    id,
    date: new Date(now).toISOString(),
    contentType: 'application/warc-fields',
    length: block.length,
    blockDigest: undefined,
    fields: [],
  });
  return padding === 0
    ? gzipMember([head, block, RECORD_END], 9)
    : Buffer.concat(storedMember(head, block, RECORD_END, 1));
}

function emptyMember(): Buffer {
  return gzipMember([Buffer.alloc(0)], 9);
}

/** The comment of the gzip header takes up what is left. */
function withComment(member: Buffer, bytes: number): Buffer {
  const more = bytes - member.length;
  if (more === 0) return member;
  const header = Buffer.from(member.subarray(0, HEADER));
  header[3] |= COMMENT_FLAG;
  const comment = Buffer.alloc(more, ' ');
  comment[more - 1] = 0;
  return Buffer.concat([header, comment, member.subarray(HEADER)]);
}
