import { closeSync, openSync, readSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { isGzip } from '../gzip/gzip-reader.ts';
import { isBeside, isText, parseRecordHead } from './warc-record.ts';

/** Longer ones are read piece by piece. */
const LONGEST = 8 * 1024 * 1024;
/** For the records before the text, and no less than the engine takes. */
const LEAST_ROOM = 4096;
/** At the end of a gzip member: its checksum, then how long it is unpacked. */
const SIZE_BYTES = 4;
const RECORD_END = '\r\n\r\n'.length;

/**
 * The text of a visit, from where its response ends to where its records end: one read and one inflation, at once, for those who want
 * ten of them before a page can be shown. `unsure` where the records do not lie there as they were written.
 */
export function readTextBetween(path: string, from: number, to: number): string | undefined | 'unsure' {
  if (to < from || to - from > LONGEST) return 'unsure';
  return textOfRecords(bytesOf(path, from, to));
}

/** The same in bytes that were read already. */
export function textOfRecords(packed: Buffer): string | undefined | 'unsure' {
  const bytes = unpacked(packed);
  if (bytes === undefined) return 'unsure';
  for (let at = 0; at < bytes.length; ) {
    const rest = bytes.subarray(at);
    const head = rest.toString('latin1', 0, 5) === 'WARC/' ? parseRecordHead(rest) : undefined;
    if (head?.contentLength === undefined) return 'unsure';
    const end = head.length + head.contentLength;
    if (end > rest.length) return 'unsure';
    const type = head.fields.get('WARC-Type');
    if (isText(type, head.fields)) return rest.toString('utf8', head.length, end);
    if (!isBeside(type)) return 'unsure';
    at += end + RECORD_END;
  }
  return undefined;
}

function bytesOf(path: string, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}

function lastSize(packed: Buffer): number {
  return packed.length < SIZE_BYTES ? 0 : packed.readUInt32LE(packed.length - SIZE_BYTES);
}

function unpacked(packed: Buffer): Buffer | undefined {
  if (!isGzip(packed)) return packed;
  try {
    // Unpacked into one piece: pieces of the usual size take a call each, and another copy.
    return gunzipSync(packed, { chunkSize: Math.min(LONGEST, LEAST_ROOM + lastSize(packed)) });
  } catch {
    return undefined;
  }
}
