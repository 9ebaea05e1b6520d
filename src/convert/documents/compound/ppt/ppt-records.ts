import type { ByteReader } from '../byte-reader.ts';

/** One record of a PowerPoint stream: an atom with data, or a container of other records. */
export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  readonly isContainer: boolean;
  /** Where its content starts and ends. */
  readonly start: number;
  readonly end: number;
}

const HEADER = 8;

/** The record whose header lies at `at`; undefined where there is no room for one. */
export function pptRecordAt(reader: ByteReader, at: number, limit = reader.length): PptRecord | undefined {
  if (at < 0 || at + HEADER > limit) return undefined;
  const head = reader.u16(at);
  return {
    type: reader.u16(at + 2),
    instance: head >> 4,
    isContainer: (head & 0xf) === 0xf,
    start: at + HEADER,
    // A record that claims more than its container has ends with it.
    end: Math.min(at + HEADER + reader.u32(at + 4), limit),
  };
}

/** The records directly within another. */
export function* pptChildren(reader: ByteReader, parent: { start: number; end: number }): Generator<PptRecord> {
  let at = parent.start;
  while (at < parent.end) {
    const record = pptRecordAt(reader, at, parent.end);
    if (record === undefined) return;
    yield record;
    at = record.end;
  }
}
