import { fieldLine, headEnd, parseFields, WarcFields } from './warc-fields.ts';

export type WarcType = 'warcinfo' | 'request' | 'response' | 'metadata' | 'revisit' | 'conversion' | 'resource';

/** A record on its way into a file. */
export interface OutgoingRecord {
  readonly type: WarcType;
  /** A UUID; becomes `<urn:uuid:...>`. */
  readonly id: string;
  /** When the capture began: 2026-01-02T03:04:05.678Z. */
  readonly date: string;
  readonly contentType: string;
  /** Length of the block. */
  readonly length: number;
  /** Base32 SHA-1 of the block, where it is to be told. */
  readonly blockDigest: string | undefined;
  /** Everything else, e.g. WARC-Target-URI, WARC-Refers-To; an undefined value leaves the field out. */
  readonly fields: readonly (readonly [string, string | undefined])[];
}

/** A record as read. */
export interface WarcRecord {
  /** 'WARC/1.1' */
  readonly version: string;
  /** Usually a `WarcType`. */
  readonly type: string;
  readonly fields: WarcFields;
  readonly block: Buffer;
  /** Of the record, or of the gzip member it begins in. */
  readonly offset: number;
  /** 0 where the record shares its gzip member with others, and so cannot be read alone. */
  readonly length: number;
  /** False where the file ended, or was damaged, before the record was over. */
  readonly whole: boolean;
  /** Only the beginning of its block was kept. */
  readonly cut?: true;
}

export interface RecordHead {
  readonly version: string;
  readonly fields: WarcFields;
  /** Undefined when the field is absent or no number. */
  readonly contentLength: number | undefined;
  /** Bytes of the head, empty line included. */
  readonly length: number;
}

/** What follows the block of every record. */
export const RECORD_END = Buffer.from('\r\n\r\n', 'latin1');

export function encodeRecordHead(record: OutgoingRecord): Buffer {
  let text = `WARC/1.1\r\nWARC-Type: ${record.type}\r\nWARC-Record-ID: ${recordId(record.id)}\r\nWARC-Date: ${record.date}\r\n`;
  for (const [name, value] of record.fields) if (value !== undefined) text += fieldLine(name, value);
  if (record.blockDigest !== undefined) text += `WARC-Block-Digest: sha1:${record.blockDigest}\r\n`;
  text += `Content-Type: ${record.contentType}\r\nContent-Length: ${record.length}\r\n\r\n`;
  return Buffer.from(text);
}

/** Records that follow the response of a visit, and belong to it. */
export function isBeside(type: string | undefined): boolean {
  return type === 'metadata' || type === 'conversion' || type === 'resource';
}

/** The text of a visit, and not the page as a browser has shown it. */
export function isText(type: string | undefined, fields: WarcFields): boolean {
  return type === 'conversion' && !isRenderedPage(type, fields);
}

export function isRenderedPage(type: string | undefined, fields: WarcFields): boolean {
  return type === 'conversion' && /^text\/html\b/i.test(fields.get('Content-Type') ?? '');
}

export function recordId(uuid: string): string {
  return `<urn:uuid:${uuid}>`;
}

/** Reads the head at the start of the bytes; undefined while its empty line has not come. */
export function parseRecordHead(bytes: Buffer): RecordHead | undefined {
  const length = headEnd(bytes);
  if (length === -1) return undefined;
  const text = bytes.toString('utf8', 0, length);
  const firstLineEnd = text.indexOf('\n');
  const fields = new WarcFields(parseFields(text.slice(firstLineEnd + 1)));
  const declared = fields.get('Content-Length');
  return {
    version: text.slice(0, firstLineEnd).trim(),
    fields,
    contentLength: declared !== undefined && /^\d{1,15}$/.test(declared) ? Number(declared) : undefined,
    length,
  };
}

/** WARC-Target-URI; some writers put it in angle brackets, or leave spaces in it. */
export function targetUri(fields: WarcFields): string | undefined {
  const uri = fields.get('WARC-Target-URI');
  const bare = uri?.startsWith('<') && uri.endsWith('>') ? uri.slice(1, -1) : uri;
  return bare?.replaceAll(' ', '%20');
}
