import type { CanonicalUrl } from '../../contracts/url.ts';
import { surtOf } from '../../url/surt.ts';

/** One capture, as the index tells of it. */
export interface Capture {
  readonly url: string;
  /** ms since the epoch. */
  readonly date: number;
  /** 'warc/revisit' for a revisit record. */
  readonly mime: string;
  readonly status: number;
  /** Base32 SHA-1 of the stored payload, content coding kept; absent where the record names none. */
  readonly digest?: string;
  /** Base32 SHA-1 of the body without content coding, where that is another. */
  readonly bodyDigest?: string;
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

export const REVISIT_MIME = 'warc/revisit';

/** `surt timestamp {json}` and a line feed. Keys beyond the customary ones: `ms`, `bodyDigest`. */
export function formatCdxj(capture: Capture): string {
  const iso = new Date(capture.date).toISOString();
  const stamp = timestamp14(iso);
  const ms = iso.slice(20, 23);
  return (
    `${surtOf(capture.url as CanonicalUrl)} ${stamp} {"url": ${jsonText(capture.url)}, ` +
    `"mime": ${jsonText(capture.mime)}, "status": "${capture.status}", ` +
    (capture.digest === undefined ? '' : `"digest": ${jsonText(capture.digest)}, `) +
    `"length": "${capture.length}", "offset": "${capture.offset}", "filename": ${jsonText(capture.file)}` +
    (ms === '000' ? '' : `, "ms": "${ms}"`) +
    (capture.bodyDigest === undefined ? '' : `, "bodyDigest": ${jsonText(capture.bodyDigest)}`) +
    '}\n'
  );
}

/** Undefined for a line that is not one of ours. */
export function parseCdxj(line: string): Capture | undefined {
  const keyEnd = line.indexOf(' ');
  const stampEnd = line.indexOf(' ', keyEnd + 1);
  if (keyEnd <= 0 || stampEnd - keyEnd !== 15) return undefined;
  const json = fieldsOf(line.slice(stampEnd + 1));
  if (json === undefined) return undefined;
  const date = dateOf(line.slice(keyEnd + 1, stampEnd), Number(json.ms ?? 0));
  const { url, filename: file } = json;
  const offset = Number(json.offset);
  const length = Number(json.length);
  if (url === undefined || file === undefined || !(date >= 0) || !(offset >= 0) || !(length > 0)) return undefined;
  return {
    url,
    date,
    mime: json.mime ?? '',
    status: Number(json.status),
    digest: json.digest,
    bodyDigest: json.bodyDigest,
    file,
    offset,
    length,
  };
}

/** The fields that are texts. Other writers put numbers where we put texts of digits; both are read alike. */
function fieldsOf(text: string): Readonly<Record<string, string | undefined>> | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof json !== 'object' || json === null) return undefined;
  const fields: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(json)) {
    if (typeof value === 'string' || typeof value === 'number') fields[name] = String(value);
  }
  return fields;
}

/** 2026-01-02T03:04:05.678Z -> 20260102030405 */
export function timestamp14(iso: string): string {
  return (
    iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 10) + iso.slice(11, 13) + iso.slice(14, 16) + iso.slice(17, 19)
  );
}

function dateOf(stamp: string, ms: number): number {
  const part = (from: number, to: number): number => Number(stamp.slice(from, to));
  return Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), part(8, 10), part(10, 12), part(12, 14), ms);
}

/** Only ASCII, so that characters and bytes are one. */
function jsonText(text: string): string {
  const json = JSON.stringify(text);
  return /[^ -~]/.test(json)
    ? json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : json;
}
