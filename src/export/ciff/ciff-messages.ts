import { ByteWriter } from '../../base/byte-writer.ts';

/** What the file says of itself before anything else. */
export interface CiffHeader {
  readonly postingsLists: number;
  readonly documents: number;
  /** Lengths of all documents. */
  readonly totalTerms: number;
  readonly description: string;
}

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const VERSION = 1;

/**
 * The messages of the Common Index File Format, version 1, each behind its length: a Header, the PostingsLists in the order of their
 * terms, the DocRecords in the order of their numbers.
 */
export class CiffMessages {
  readonly #message = new ByteWriter();
  readonly #part = new ByteWriter();
  readonly #framed = new ByteWriter();
  readonly #list = new ByteWriter();
  #last = 0;
  #documents = 0;
  #occurrences = 0;

  header({ postingsLists, documents, totalTerms, description }: CiffHeader): Uint8Array {
    const message = this.#begin();
    number(message, 1, VERSION);
    number(message, 2, postingsLists);
    number(message, 3, documents);
    number(message, 4, postingsLists);
    number(message, 5, documents);
    number(message, 6, totalTerms);
    tag(message, 7, FIXED_64);
    const average = new Uint8Array(8);
    new DataView(average.buffer).setFloat64(0, documents === 0 ? 0 : totalTerms / documents, true);
    message.bytes(average);
    text(message, 8, description);
    return this.#frame(message);
  }

  /** Documents come in the order of their numbers. */
  addPosting(document: number, frequency: number): void {
    const part = this.#part;
    part.clear();
    // The first number as it is, then how far each is from the one before.
    number(part, 1, document - this.#last);
    number(part, 2, frequency);
    tag(this.#list, 4, BYTES);
    this.#list.varint(part.length);
    this.#list.add(part);
    this.#last = document;
    this.#documents++;
    this.#occurrences += frequency;
  }

  /** Of the postings added since the last; undefined where there are none. */
  postingsList(term: string): Uint8Array | undefined {
    if (this.#documents === 0) return undefined;
    const message = this.#begin();
    text(message, 1, term);
    number(message, 2, this.#documents);
    number(message, 3, this.#occurrences);
    message.bytes(this.#list.written);
    this.#list.clear();
    this.#last = 0;
    this.#documents = 0;
    this.#occurrences = 0;
    return this.#frame(message);
  }

  document(document: number, id: string, length: number): Uint8Array {
    const message = this.#begin();
    number(message, 1, document);
    text(message, 2, id);
    number(message, 3, length);
    return this.#frame(message);
  }

  #begin(): ByteWriter {
    this.#message.clear();
    return this.#message;
  }

  #frame(message: ByteWriter): Uint8Array {
    this.#framed.clear();
    this.#framed.varint(message.length);
    this.#framed.bytes(message.written);
    return this.#framed.written.slice();
  }
}

function tag(message: ByteWriter, field: number, kind: number): void {
  message.varint((field << 3) | kind);
}

/** Nothing is written for zero, which is what a reader takes for nothing. */
function number(message: ByteWriter, field: number, value: number): void {
  if (value === 0) return;
  tag(message, field, VARINT);
  message.varint(value);
}

function text(message: ByteWriter, field: number, value: string): void {
  const bytes = Buffer.from(value);
  tag(message, field, BYTES);
  message.varint(bytes.length);
  message.bytes(bytes);
}
