import { gzipMember, gzipMemberInBackground, storedMember } from './gzip-member.ts';
import type { MainRecord, VisitRecords } from './visit-records.ts';
import { RECORD_END } from './warc-record.ts';

/** A visit ready to be appended: one gzip member per record. */
export interface EncodedVisit {
  readonly parts: readonly Uint8Array[];
  readonly length: number;
  /** Of the response or revisit, from the first byte of the visit. */
  readonly mainOffset: number;
  readonly mainLength: number;
  readonly capture: VisitRecords['capture'];
}

/** Compressing more than this at once would hold up the event loop for longer than about 10 ms. */
const BACKGROUND_FROM = 1024 * 1024;

/** A promise only where the compression is left to the background. */
export function encodeVisit(records: VisitRecords, level: number): EncodedVisit | Promise<EncodedVisit> {
  const { main } = records;
  const small = main.body.length < BACKGROUND_FROM;
  if (main.bodyIsCompressed && main.body.length > 0) {
    return assemble(records, storedMember(main.head, main.body, RECORD_END, level), level);
  }
  if (small) return assemble(records, [gzipMember(partsOf(main), level)], level);
  return gzipMemberInBackground(partsOf(main), level).then((member) => assemble(records, [member], level));
}

function assemble(records: VisitRecords, main: readonly Uint8Array[], level: number): EncodedVisit {
  const request = smallMember(records.request, level);
  const metadata = smallMember(records.metadata, level);
  const mainOffset = request?.length ?? 0;
  const mainLength = main.reduce((sum, part) => sum + part.length, 0);
  const parts = [...main];
  if (request !== undefined) parts.unshift(request);
  if (metadata !== undefined) parts.push(metadata);
  return {
    parts,
    length: mainOffset + mainLength + (metadata?.length ?? 0),
    mainOffset,
    mainLength,
    capture: records.capture,
  };
}

function smallMember(parts: readonly Uint8Array[] | undefined, level: number): Buffer | undefined {
  return parts === undefined ? undefined : gzipMember([...parts, RECORD_END], level);
}

function partsOf(main: MainRecord): Uint8Array[] {
  return main.body.length === 0 ? [main.head, RECORD_END] : [main.head, main.body, RECORD_END];
}
