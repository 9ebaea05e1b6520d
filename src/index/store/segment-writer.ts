import { ByteWriter } from '../../base/byte-writer.ts';
import { FIELDS } from '../fields.ts';
import { textOf } from '../format/block-terms.ts';
import type { CodeTable } from '../format/code-table.ts';
import type { DocumentColumnsWriter } from '../format/document-columns.ts';
import type { EncodedTerm, FoundTerm } from '../format/found-term.ts';
import { type ColumnForm, packColumn } from '../format/number-column.ts';
import { isPaired, MOST_PAIRED_WORDS, type PairsHead } from '../format/pair-postings.ts';
import { PostingWriter } from '../format/posting-writer.ts';
import { TermDictionaryWriter, TermEncoder } from '../format/term-dictionary.ts';
import { type FieldNorms, normTables, PostingWeigher } from '../query/score-model.ts';
import type { RankingOptions } from '../ranking-options.ts';
import { FileSink } from './file-sink.ts';
import type { IndexDisk } from './index-disk.ts';
import { PairWriter } from './pair-writer.ts';
import { PostingStream } from './posting-stream.ts';
import { SegmentFile } from './segment-file.ts';
import { SEGMENT_PARTS, type SegmentPart, segmentPath } from './segment-path.ts';

/** The head of a documents file, in JSON, before its sections. */
export interface SegmentHead {
  readonly documents: number;
  readonly terms: number;
  readonly lengthSums: readonly number[];
  readonly norms: FieldNorms;
  readonly forms: Record<string, ColumnForm>;
  readonly sections: Record<string, readonly [at: number, length: number]>;
  /** Absent in small segments, and in those of earlier versions. */
  readonly pairs?: PairsHead;
  /** Set where anchors were renewed since: there are sections for them (renewal/renew-segment.ts). */
  readonly isRenewed?: true;
}

/** Writes a segment: first the strings of all documents, then term after term in order, then the rest. */
export class SegmentWriter {
  readonly #disk: IndexDisk;
  readonly #folder: string;
  readonly #name: string;
  readonly #paths: readonly string[];
  readonly #sinks: Record<SegmentPart, FileSink>;
  readonly #dictionary = new TermDictionaryWriter();
  readonly #stringLengths: number[] = [];
  readonly #encoded = new ByteWriter();
  readonly #encoder = new TextEncoder();
  readonly #termEncoder = new TermEncoder();
  readonly #term: EncodedTerm = { bytes: new Uint8Array(0), from: 0, to: 0 };
  #postings: PostingWriter | undefined;
  #codes: CodeTable | undefined;
  #norms: FieldNorms | undefined;
  #columns: DocumentColumnsWriter | undefined;
  #isPaired = false;
  /** Places of the terms that anchors hold among all terms, each as its distance from the one before. */
  readonly #anchorTerms = new ByteWriter();
  #terms = 0;
  /** Where the postings and positions of the next term begin. */
  #postingsAt = 0;
  #positionsAt = 0;
  #lastAnchorTerm = -1;
  /** Terms that are common enough to be paired with others. */
  readonly #common: FoundTerm[] = [];
  #pairs: { readonly head: PairsHead; readonly rows: Uint32Array } | undefined;
  #closed = false;

  constructor(disk: IndexDisk, folder: string, name: string) {
    this.#disk = disk;
    this.#folder = folder;
    this.#name = name;
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
  beginTerms(
    codes: CodeTable,
    columns: DocumentColumnsWriter,
    norms: FieldNorms,
    ranking: Pick<RankingOptions, 'pairedDocuments'>,
  ): PostingWriter {
    this.beginCoded(codes, columns, norms, ranking);
    const weigher = new PostingWeigher(normTables(norms), codes, columns.lengthColumns());
    this.#postings = new PostingWriter(this.#sinks.postings, this.#sinks.positions, codes, weigher);
    return this.#postings;
  }

  /** The same for postings that come as bytes. */
  beginCoded(
    codes: CodeTable,
    columns: DocumentColumnsWriter,
    norms: FieldNorms,
    { pairedDocuments }: Pick<RankingOptions, 'pairedDocuments'>,
  ): void {
    this.#isPaired = columns.documents >= pairedDocuments;
    this.#codes = codes;
    this.#norms = norms;
    this.#columns = columns;
  }

  /** The postings of some terms and their positions, one term after the other. */
  addCoded(postings: Uint8Array, positions: Uint8Array): void {
    this.#sinks.postings.write(postings);
    this.#sinks.positions.write(positions);
  }

  endTerm(term: string): void {
    const encoded = this.#term;
    encoded.to = this.#termEncoder.encode(term);
    encoded.bytes = this.#termEncoder.bytes;
    this.endEncoded(encoded);
  }

  /** The same for one in UTF-8. */
  endEncoded(term: EncodedTerm): void {
    const { documents, postingsLength, positionsLength, hasAnchors } = this.#postings!.endTerm();
    this.endCoded(term, documents, postingsLength, positionsLength, hasAnchors);
  }

  /** The same for one whose postings came as bytes. */
  endCoded(
    term: EncodedTerm,
    documents: number,
    postingsLength: number,
    positionsLength: number,
    hasAnchors: boolean,
  ): void {
    this.#dictionary.addEncoded(term, documents, postingsLength, positionsLength);
    if (hasAnchors) {
      this.#anchorTerms.varint(this.#terms - this.#lastAnchorTerm - 1);
      this.#lastAnchorTerm = this.#terms;
    }
    this.#terms++;
    const all = this.#columns!.documents;
    if (this.#isPaired && isPaired(documents, all, all)) {
      const text = textOf(term.bytes, term.from, term.to);
      const places = { postingsAt: this.#postingsAt, positionsAt: this.#positionsAt };
      this.#common.push({ term: text, documents, postingsLength, positionsLength, ...places });
    }
    this.#postingsAt += postingsLength;
    this.#positionsAt += positionsLength;
  }

  /** After the last term: writes the pairs of common words, from what was written of them. Yields between slices of work. */
  *writePairs(): Generator<void, void, undefined> {
    if (this.#common.length === 0) return;
    const { postings, positions } = this.#sinks;
    postings.flush();
    positions.flush();
    const common = this.#common.sort((a, b) => b.documents - a.documents).slice(0, MOST_PAIRED_WORDS);
    const files = (['postings', 'positions'] as const).map(
      (part) => new SegmentFile(this.#folder, this.#name, part, 0),
    );
    try {
      const words = common.map((found) => ({
        term: found.term,
        documents: found.documents,
        stream: new PostingStream(found, this.#codes!, files[0], files[1]),
      }));
      const columns = this.#columns!;
      const writer = new PairWriter(words, columns.lengthColumns(), columns.documents, this.#codes!, positions);
      this.#pairs = yield* writer.write(positions.length);
    } finally {
      for (const file of files) file.close();
    }
  }

  /** Everything is written, though not yet durable. */
  finish(columns: DocumentColumnsWriter): void {
    const { sections, forms, lengthSums } = columns.pack();
    const dictionary = this.#dictionary.end();
    sections.set('terms', dictionary.terms);
    sections.set('term-blocks', new Uint8Array(dictionary.blocks.buffer));
    sections.set('anchor-terms', this.#anchorTerms.written);
    const { size, levels, uses } = this.#codes!;
    sections.set('code-levels', levels.subarray(0, size * FIELDS.length));
    sections.set('code-uses', new Uint8Array(uses.buffer, 0, size * uses.BYTES_PER_ELEMENT));
    if (this.#pairs !== undefined) sections.set('pair-rows', new Uint8Array(this.#pairs.rows.buffer));
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
      ...(this.#pairs === undefined ? {} : { pairs: this.#pairs.head }),
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
