import { type ColumnForm, packColumn } from '../format/number-column.ts';
import type { SegmentHead } from '../store/segment-writer.ts';

/** What is other in a documents file than in the one it is made from. */
export interface DocumentsFileChanges {
  readonly head?: Partial<SegmentHead>;
  /** Columns of numbers. */
  readonly columns?: Readonly<Record<string, readonly number[]>>;
  readonly sections?: Readonly<Record<string, Uint8Array>>;
}

/** The file of columns of a segment: its head and sections. */
export class DocumentsFile {
  readonly head: SegmentHead;
  readonly #bytes: Buffer;
  readonly #sectionsAt: number;

  constructor(documents: Uint8Array) {
    this.#bytes = Buffer.from(documents.buffer, documents.byteOffset, documents.byteLength);
    this.#sectionsAt = 4 + this.#bytes.readUInt32LE(0);
    this.head = JSON.parse(this.#bytes.toString('utf8', 4, this.#sectionsAt)) as SegmentHead;
  }

  /** A copy of a section; undefined where there is none of that name. */
  section(name: string): Uint8Array<ArrayBuffer> | undefined {
    const place = this.head.sections[name];
    return place === undefined ? undefined : Uint8Array.from(this.#section(place));
  }

  /** The bytes of a file like this one with what is other. */
  with({ head, columns = {}, sections = {} }: DocumentsFileChanges): Uint8Array[] {
    const forms: Record<string, ColumnForm> = { ...this.head.forms };
    const all = new Map<string, Uint8Array>();
    for (const [name, place] of Object.entries(this.head.sections)) all.set(name, this.#section(place));
    for (const [name, column] of Object.entries(columns)) {
      const { form, bytes } = packColumn(column);
      forms[name] = form;
      all.set(`number-${name}`, bytes);
    }
    for (const [name, bytes] of Object.entries(sections)) all.set(name, bytes);
    const places: Record<string, readonly [number, number]> = {};
    let at = 0;
    for (const [name, bytes] of all) {
      places[name] = [at, bytes.length];
      at += bytes.length;
    }
    const headBytes = Buffer.from(JSON.stringify({ ...this.head, ...head, forms, sections: places }));
    const headLength = Buffer.alloc(4);
    headLength.writeUInt32LE(headBytes.length);
    return [headLength, headBytes, ...all.values()];
  }

  #section([at, length]: readonly [number, number]): Uint8Array {
    return this.#bytes.subarray(this.#sectionsAt + at, this.#sectionsAt + at + length);
  }
}
