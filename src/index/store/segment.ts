import { FIELDS } from '../fields.ts';
import { ByteReader } from '../format/byte-reader.ts';
import { CodeTable } from '../format/code-table.ts';
import { DocumentColumns } from '../format/document-columns.ts';
import type { FoundTerm, RenewedTerm } from '../format/found-term.ts';
import { idHash } from '../format/id-hash.ts';
import { NumberColumn } from '../format/number-column.ts';
import { ByteWindow } from '../format/only-block.ts';
import { lengthOfByte } from '../format/quantise.ts';
import { TermDictionary } from '../format/term-dictionary.ts';
import { PADDING } from '../format/term-positions.ts';
import { TermPostings } from '../format/term-postings.ts';
import { normTables, PostingWeigher } from '../query/score-model.ts';
import { JoinedDictionary, type TermSource } from '../renewal/joined-dictionary.ts';
import { PostingJoin } from '../renewal/joined-postings.ts';
import { RenewedAnchors } from '../renewal/renewed-anchors.ts';
import { POSITION_MASK } from './occurrences.ts';
import type { PostingsCache } from './postings-cache.ts';
import { SegmentBounds } from './segment-bounds.ts';
import { SegmentFile } from './segment-file.ts';
import type { SegmentPart } from './segment-path.ts';
import type { SegmentHead } from './segment-writer.ts';
import { WordPairs } from './word-pairs.ts';

const ANCHORS = FIELDS.indexOf('anchors');
/** Ids and titles of some hundred documents. */
const READ_AHEAD = 16 * 1024;
/** Nobody asks for the number of terms of renewed anchors. */
const TERMS_UNCOUNTED = 0;
/** Postings of hundreds of terms, for merges. */
const MERGE_AHEAD = 64 * 1024;

/** What is read while the segment is searched. */
const READ_PARTS = ['postings', 'positions', 'strings'] as const;
type ReadPart = (typeof READ_PARTS)[number];

/** A part of the file of strings, at the beginning of memory that may be larger. */
interface HeldStrings {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/**
 * An open segment. Dictionary and columns are in memory, postings and positions are read when a term is asked for.
 * It can be read as long as anyone holds it, even after its files were removed.
 */
export class Segment {
  readonly name: string;
  readonly head: SegmentHead;
  readonly codes: CodeTable;
  readonly columns: DocumentColumns;
  readonly dictionary: TermSource;
  /** The terms in its files; where anchors were renewed, some of them are in other documents than these say. */
  readonly written: TermDictionary;
  /** Anchors that are others than those among its postings. */
  readonly renewed: RenewedAnchors | undefined;
  /** Of its common words; absent in small segments. */
  readonly pairs: WordPairs | undefined;
  readonly #files: Record<ReadPart, SegmentFile> & { readonly documents?: SegmentFile };
  readonly #cache: PostingsCache;
  readonly #stringsEnd: Uint32Array | Float64Array;
  readonly #sectionsAt: number;
  /** Weighs as it was weighed when the segment was written; made when it is asked for. */
  #bounds: SegmentBounds | undefined;
  #join: PostingJoin | undefined;
  readonly #windows: Partial<Record<ReadPart, ByteWindow>> = {};
  /** What is read next comes into the same memory: whoever asks makes strings of it at once. */
  #strings: HeldStrings = { start: 0, end: 0, bytes: Buffer.alloc(0) };
  #holders = 1;

  constructor(folder: string, name: string, cache: PostingsCache) {
    this.name = name;
    this.#cache = cache;
    const opened: SegmentFile[] = [];
    const open = (part: SegmentPart, wholeBytes?: number): SegmentFile => {
      const file = new SegmentFile(folder, name, part, wholeBytes);
      opened.push(file);
      return file;
    };
    try {
      // Of the documents file every section is kept by itself.
      const file = open('documents', 0);
      const headLength = new DataView(file.read(0, 4).buffer).getUint32(0, true);
      this.#sectionsAt = 4 + headLength;
      this.head = JSON.parse(Buffer.from(file.read(4, headLength)).toString('utf8'));
      const section = (part: string): Uint8Array => {
        const [at, length] = this.head.sections[part];
        return file.read(this.#sectionsAt + at, length);
      };
      const { isRenewed = false } = this.head;
      const ofCodes = isRenewed ? 'renewed' : 'code';
      this.codes = new CodeTable(section(`${ofCodes}-levels`), new Uint32Array(section(`${ofCodes}-uses`).buffer));
      this.columns = new DocumentColumns(section, this.head.forms);
      this.written = new TermDictionary(
        section('terms'),
        new Uint32Array(section('term-blocks').buffer),
        this.head.terms,
      );
      this.renewed = isRenewed ? this.#renewedAnchors(file, section) : undefined;
      this.dictionary =
        this.renewed === undefined ? this.written : new JoinedDictionary(this.written, this.renewed.dictionary);
      this.#stringsEnd = ends(new NumberColumn(this.head.forms.strings, section('strings')), this.head.documents);
      const { pairs } = this.head;
      const rows = pairs === undefined ? undefined : new Uint32Array(section('pair-rows').buffer);
      if (!isRenewed) file.close();
      this.#files = {
        ...{ postings: open('postings'), positions: open('positions'), strings: open('strings') },
        ...(isRenewed ? { documents: file } : {}),
      };
      if (pairs !== undefined && rows !== undefined)
        this.pairs = new WordPairs(pairs, rows, this.head.documents, this.#files.positions);
    } catch (error) {
      for (const file of opened) file.close();
      throw error;
    }
  }

  get documents(): number {
    return this.head.documents;
  }

  /** How long its file of strings is. */
  get stringBytes(): number {
    return this.#stringsEnd[this.documents - 1] ?? 0;
  }

  /** How long its file of columns is. */
  get headBytes(): number {
    const sections = Object.values(this.head.sections).map(([at, length]) => at + length);
    return this.#sectionsAt + Math.max(0, ...sections);
  }

  hold(): void {
    this.#holders++;
  }

  release(): void {
    if (--this.#holders > 0) return;
    this.#cache.forget(`${this.name}:`);
    for (const file of Object.values(this.#files)) file.close();
  }

  postings(term: string): TermPostings | undefined {
    const key = `${this.name}:${term}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const found = this.dictionary.find(term);
    return found === undefined ? undefined : this.#load(found, key);
  }

  /** Documents that hold the term, deleted ones included. */
  frequency(term: string): number {
    return this.#cache.get(`${this.name}:${term}`)?.documents ?? this.dictionary.find(term)?.documents ?? 0;
  }

  /** The postings of a term that was found already, for a merge: they are read with those of the terms after it, and not kept. */
  postingsOf(found: FoundTerm): TermPostings {
    return this.#load(found, undefined);
  }

  /** The same as they are in the files, whatever was renewed since. */
  writtenPostingsOf(found: FoundTerm): TermPostings {
    return this.#loadWritten(found, undefined);
  }

  /** No more terms are merged. */
  endMerge(): void {
    for (const part of READ_PARTS) delete this.#windows[part];
  }

  #boundsOfPostings(): SegmentBounds {
    this.#bounds ??= new SegmentBounds(this.#weigher(), this.codes, this.columns.lengths);
    return this.#bounds;
  }

  /** Weighs as the bounds of its postings do. */
  #weigher(): PostingWeigher {
    return new PostingWeigher(normTables(this.head.norms), this.codes, this.columns.lengths);
  }

  #renewedAnchors(file: SegmentFile, section: (part: string) => Uint8Array): RenewedAnchors {
    const blocks = new Uint32Array(section('renewed-term-blocks').buffer);
    const [listsAt] = this.head.sections['renewed-lists'];
    return new RenewedAnchors({
      documents: section('renewed-documents'),
      dictionary: new TermDictionary(section('renewed-terms'), blocks, TERMS_UNCOUNTED),
      read: (at, length) => file.read(this.#sectionsAt + listsAt + at, length),
    });
  }

  #load(found: FoundTerm, key: string | undefined): TermPostings {
    const { renewed } = found;
    return renewed === undefined ? this.#loadWritten(found, key) : this.#loadJoined(found, renewed, key);
  }

  /** Of a term that renewed anchors have, or those had whose place they take. */
  #loadJoined(found: FoundTerm, renewed: RenewedTerm, key: string | undefined): TermPostings {
    this.#join ??= new PostingJoin({
      documents: this.documents,
      codes: this.codes,
      weigher: this.#weigher(),
      anchorsAt: (document) => (this.renewed!.has(document) ? this.anchorsStart(document) : -1),
    });
    const { term } = found;
    const documents = renewed.written;
    const written =
      documents === 0 ? undefined : this.#loadWritten({ ...found, documents }, undefined, key === undefined);
    const joined = this.#join.join(term, written, this.renewed!.occurrences(term, renewed));
    const { postings, positions } = joined;
    const read = new TermPostings(postings, joined.documents, this.codes, {
      documents: this.documents,
      positionsLength: positions.length - PADDING,
      readPositions: (at, length) => positions.subarray(at, at + length + PADDING),
      bounds: this.#boundsOfPostings(),
      grown: (more) => {
        if (key !== undefined) this.#cache.enlarge(key, more);
      },
    });
    if (key !== undefined) this.#cache.set(key, read, postings.length + positions.length + read.blocks * 12 + 500);
    return read;
  }

  /** `isMerged`: what follows is asked for next. */
  #loadWritten(found: FoundTerm, key: string | undefined, isMerged = key === undefined): TermPostings {
    const read = (part: ReadPart, at: number, length: number, room?: Uint8Array): Uint8Array =>
      isMerged ? this.#readOn(part, at, length) : this.#files[part].read(at, length, PADDING, room);
    const bytes = read('postings', found.postingsAt, found.postingsLength);
    const postings = new TermPostings(bytes, found.documents, this.codes, {
      documents: this.documents,
      positionsLength: found.positionsLength,
      readPositions: (at, length, room) => read('positions', found.positionsAt + at, length, room),
      bounds: this.#boundsOfPostings(),
      grown: (more) => {
        if (key !== undefined) this.#cache.enlarge(key, more);
      },
    });
    if (key !== undefined) this.#cache.set(key, postings, found.postingsLength + postings.blocks * 12 + 500);
    return postings;
  }

  strings(document: number): { readonly id: string; readonly title: string } {
    const start = document === 0 ? 0 : this.#stringsEnd[document - 1];
    const bytes = this.#stringBytes(start, this.#stringsEnd[document]);
    const reader = new ByteReader(bytes);
    const length = reader.varint();
    return {
      id: bytes.toString('utf8', reader.at, reader.at + length),
      title: bytes.toString('utf8', reader.at + length, this.#stringsEnd[document] - start),
    };
  }

  /** Filters and merges go from document to document, so what follows is read along; hits are here and there. */
  #stringBytes(start: number, end: number): Buffer {
    const held = this.#strings;
    if (start < held.start || end > held.end) {
      const follows = start >= held.start && start <= held.end + READ_AHEAD / 16;
      const last = follows ? Math.min(Math.max(end, start + READ_AHEAD), this.stringBytes) : end;
      this.#readStrings(start, last - start);
    }
    const { start: from, bytes } = this.#strings;
    return bytes.subarray(start - from, end - from);
  }

  #readStrings(start: number, length: number): void {
    const file = this.#files.strings;
    if (file.isWhole) {
      const { buffer, byteOffset } = file.read(0, this.stringBytes);
      this.#strings = { start: 0, end: this.stringBytes, bytes: Buffer.from(buffer, byteOffset, this.stringBytes) };
      return;
    }
    const { bytes } = this.#strings;
    const room = bytes.length < length ? Buffer.allocUnsafeSlow(Math.max(length, READ_AHEAD)) : bytes;
    // Where reading fails nothing is held.
    this.#strings = { start: 0, end: 0, bytes: room };
    file.fill(room, start, length, length);
    this.#strings = { start, end: start + length, bytes: room };
  }

  /** The field that holds a position of a document, and where that field begins. */
  fieldAt(document: number, position: number): number {
    let start = 0;
    for (let field = 0; field < FIELDS.length; field++) {
      start += lengthOfByte(this.columns.lengths[field][document]);
      if (position < start) return field;
    }
    return FIELDS.length - 1;
  }

  /** The first position of the anchors of a document. */
  anchorsStart(document: number): number {
    let start = 0;
    for (let field = 0; field < ANCHORS; field++) start += lengthOfByte(this.columns.lengths[field][document]);
    return Math.min(start, POSITION_MASK + 1);
  }

  /** Documents with this id, replaced ones included. `hash`: for who looks into many segments. */
  find(id: string, hash: number = idHash(id)): readonly number[] {
    const found = this.columns.withHash(hash);
    return found.length === 0 ? found : found.filter((document) => this.strings(document).id === id);
  }

  #readOn(part: ReadPart, at: number, length: number): Uint8Array {
    const { bytes, start } = this.readOn(part, at, length);
    return bytes.subarray(at - start, at - start + length + PADDING);
  }

  /** Bytes of a file and those around them. Reads a stretch at a time: one who asks in the order of the file reads it with few calls. */
  readOn(part: ReadPart, at: number, length: number): ByteWindow {
    const held = this.#windows[part];
    if (held !== undefined && at >= held.start && at + length <= held.end) return held;
    const read = this.#windowAt(part, at, length);
    this.#windows[part] = read;
    return read;
  }

  #windowAt(part: ReadPart, at: number, length: number): ByteWindow {
    const file = this.#files[part];
    const { size } = file;
    if (size !== undefined && at + length <= size) return new ByteWindow(file.read(0, size, PADDING), 0, size);
    const bytes = new Uint8Array(Math.max(length, MERGE_AHEAD) + PADDING);
    return new ByteWindow(bytes, at, at + file.fill(bytes, at, length, bytes.length - PADDING));
  }
}

/** Where the strings of each document end, by their lengths; of files below 4 GB, which nearly all are, in half the memory. */
function ends(lengths: NumberColumn, documents: number): Uint32Array | Float64Array {
  let end = 0;
  for (let document = 0; document < documents; document++) end += lengths.at(document);
  const found = end < 2 ** 32 ? new Uint32Array(documents) : new Float64Array(documents);
  end = 0;
  for (let document = 0; document < documents; document++) {
    end += lengths.at(document);
    found[document] = end;
  }
  return found;
}
