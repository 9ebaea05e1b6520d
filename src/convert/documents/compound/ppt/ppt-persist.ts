import type { ByteReader } from '../byte-reader.ts';
import { type PptRecord, pptChildren, pptRecordAt } from './ppt-records.ts';
import { PPT } from './ppt-types.ts';

const MAX_EDITS = 1_000;
const MAX_OBJECTS = 100_000;

/** Where the objects of a presentation lie: every saving adds those it changed, and the newest counts. */
export class PptPersist {
  readonly #reader: ByteReader;
  readonly #places = new Map<number, number>();
  #document: number | undefined;

  /** `edit` is where the newest edit is told. */
  constructor(reader: ByteReader, edit: number) {
    this.#reader = reader;
    const seen = new Set<number>();
    let at = edit;
    while (at > 0 && !seen.has(at) && seen.size < MAX_EDITS) {
      seen.add(at);
      const record = pptRecordAt(reader, at);
      if (record?.type !== PPT.userEdit) return;
      this.#document ??= reader.u32(record.start + 16);
      this.#readDirectory(reader.u32(record.start + 12));
      at = reader.u32(record.start + 8);
    }
  }

  /** The document itself: found by its reference, else the last in the stream. */
  document(): PptRecord | undefined {
    const known = this.#document === undefined ? undefined : this.object(this.#document, PPT.document);
    if (known !== undefined) return known;
    let last: PptRecord | undefined;
    for (const record of pptChildren(this.#reader, { start: 0, end: this.#reader.length })) {
      if (record.type === PPT.document) last = record;
    }
    return last;
  }

  object(reference: number, ...types: number[]): PptRecord | undefined {
    const at = this.#places.get(reference);
    const record = at === undefined ? undefined : pptRecordAt(this.#reader, at);
    return record !== undefined && types.includes(record.type) ? record : undefined;
  }

  #readDirectory(at: number): void {
    const record = pptRecordAt(this.#reader, at);
    if (record?.type !== PPT.persistDirectory) return;
    for (let place = record.start; place + 4 <= record.end && this.#places.size < MAX_OBJECTS; ) {
      const head = this.#reader.u32(place);
      const first = head & 0xfffff;
      const count = Math.min(head >>> 20, Math.floor((record.end - place - 4) / 4));
      for (let i = 0; i < count; i++) {
        if (!this.#places.has(first + i)) this.#places.set(first + i, this.#reader.u32(place + 4 + i * 4));
      }
      place += 4 + Math.max(count, 0) * 4;
    }
  }
}
