import { ByteReader } from '../byte-reader.ts';

/** One record of a workbook stream. */
export interface XlsRecord {
  readonly type: number;
  /** Where its header lies in the stream. */
  readonly at: number;
  readonly body: ByteReader;
  /** Its continuations, in order. */
  readonly more: readonly ByteReader[];
}

const CONTINUE = 0x3c;

/** The records of a workbook stream, each with its continuations. */
export function* xlsRecords(stream: Uint8Array): Generator<XlsRecord> {
  const reader = new ByteReader(stream);
  let at = 0;
  while (at + 4 <= stream.length) {
    const start = at;
    const type = reader.u16(at);
    const length = reader.u16(at + 2);
    const body = new ByteReader(reader.bytes(at + 4, length));
    at += 4 + length;
    const more: ByteReader[] = [];
    while (at + 4 <= stream.length && reader.u16(at) === CONTINUE) {
      const part = reader.u16(at + 2);
      more.push(new ByteReader(reader.bytes(at + 4, part)));
      at += 4 + part;
    }
    yield { type, at: start, body, more };
  }
}
