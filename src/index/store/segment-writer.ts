import { join } from 'node:path';
import { FIELDS } from '../fields.ts';
import { ByteWriter } from '../format/byte-writer.ts';
import type { CodeTable } from '../format/code-table.ts';
import type { DocumentColumnsWriter } from '../format/document-columns.ts';
import { type ColumnForm, packColumn } from '../format/number-column.ts';
import { PostingWriter } from '../format/posting-writer.ts';
import { TermDictionaryWriter } from '../format/term-dictionary.ts';
import { type FieldNorms, normTables, PostingWeigher } from '../query/score-model.ts';
import { FileSink } from './file-sink.ts';
import type { IndexDisk } from './index-disk.ts';

export const SEGMENT_PARTS = ['postings', 'positions', 'strings', 'documents'] as const;
export type SegmentPart = (typeof SEGMENT_PARTS)[number];

export function segmentPath(folder: string, name: string, part: SegmentPart): string {
  return join(folder, `${name}.${part}`);
}

/** The head of a documents file, in JSON, before its sections. */
export interface SegmentHead {
  readonly documents: number;
  readonly terms: number;
  readonly lengthSums: readonly number[];
  readonly norms: FieldNorms;
  readonly forms: Record<string, ColumnForm>;
  readonly sections: Record<string, readonly [at: number, length: number]>;
}

/** Writes a segment: first the strings of all documents, then term after term in order, then the rest. */
export class SegmentWriter {
  readonly #disk: IndexDisk;
  readonly #paths: readonly string[];
  readonly #sinks: Record<SegmentPart, FileSink>;
  readonly #dictionary = new TermDictionaryWriter();
  readonly #stringLengths: number[] = [];
  readonly #encoded = new ByteWriter();
  readonly #encoder = new TextEncoder();
  #postings: PostingWriter | undefined;
  #codes: CodeTable | undefined;
  #norms: FieldNorms | undefined;
  #closed = false;

  constructor(disk: IndexDisk, folder: string, name: string) {
    this.#disk = disk;
    this.#paths = SEGMENT_PARTS.map((part) => segmentPath(folder, name, part));
    this.#sinks = Object.fromEntries(
      SEGMENT_PARTS.map((part) => [part, new FileSink(disk.create(segmentPath(folder, name, part)))]),
    ) as Record<SegmentPart, FileSink>;
  }

  addStrings(id: string, title: string): void {
    const bytes = this.#encoder.encode(id);
    this.#encoded.clear();
    this.#encoded.varint(bytes.length);
    this.#encoded.bytes(bytes);
    this.#encoded.bytes(this.#encoder.encode(title));
    this.#sinks.strings.write(this.#encoded.written);
    this.#stringLengths.push(this.#encoded.length);
  }

  /** The codes and lengths are all known now: postings may come. */
  beginTerms(codes: CodeTable, columns: DocumentColumnsWriter, norms: FieldNorms): PostingWriter {
    const weigher = new PostingWeigher(normTables(norms), codes, columns.lengthColumns());
    this.#codes = codes;
    this.#norms = norms;
    this.#postings = new PostingWriter(this.#sinks.postings, this.#sinks.positions, codes, (document, code) =>
      weigher.weigh(document, code),
    );
    return this.#postings;
  }

  endTerm(term: string): void {
    this.#dictionary.add(term, this.#postings!.endTerm());
  }

  /** Everything is written, though not yet durable. */
  finish(columns: DocumentColumnsWriter): void {
    const { sections, forms, lengthSums } = columns.pack();
    const dictionary = this.#dictionary.end();
    sections.set('terms', dictionary.terms);
    sections.set('term-blocks', new Uint8Array(dictionary.blocks.buffer));
    const { size, levels, uses } = this.#codes!;
    sections.set('code-levels', levels.subarray(0, size * FIELDS.length));
    sections.set('code-uses', new Uint8Array(uses.buffer, 0, size * uses.BYTES_PER_ELEMENT));
    const strings = packColumn(this.#stringLengths);
    sections.set('strings', strings.bytes);
    const places: Record<string, readonly [number, number]> = {};
    let at = 0;
    for (const [name, bytes] of sections) {
      places[name] = [at, bytes.length];
      at += bytes.length;
    }
    const head: SegmentHead = {
      documents: columns.documents,
      terms: dictionary.size,
      lengthSums,
      norms: this.#norms!,
      forms: { ...forms, strings: strings.form },
      sections: places,
    };
    const headBytes = Buffer.from(JSON.stringify(head));
    const headLength = Buffer.alloc(4);
    headLength.writeUInt32LE(headBytes.length);
    this.#sinks.documents.write(headLength);
    this.#sinks.documents.write(headBytes);
    for (const bytes of sections.values()) this.#sinks.documents.write(bytes);
    for (const sink of Object.values(this.#sinks)) sink.flush();
  }

  /** Makes it durable and closes its files; harmless when that was done. */
  async sync(): Promise<void> {
    if (this.#closed) return;
    for (const sink of Object.values(this.#sinks)) await sink.sync();
    this.close();
  }

  /** Gives up what was written; on a full disk its space is what others need. */
  discard(): void {
    this.close();
    for (const path of this.#paths) this.#disk.remove(path);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const sink of Object.values(this.#sinks)) sink.close();
  }
}
