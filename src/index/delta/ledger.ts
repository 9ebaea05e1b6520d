import { createHash } from 'node:crypto';

/** What became of a document that a source has sent. */
export const DOCUMENT_STATES = {
  /** It is the copy that the index holds. */
  held: 0,
  /** Another source has a copy that was visited later. */
  superseded: 1,
  /** It was superseded by one that is gone: it is to be sent again. */
  wanted: 2,
} as const;
export type DocumentState = (typeof DOCUMENT_STATES)[keyof typeof DOCUMENT_STATES];

/** A document of a source, as far as it takes to see whether it has changed. */
export interface LedgerEntry {
  /** `idHash` of its id: finds it in a segment. */
  readonly hash: number;
  /** A longer hash of its id: tells it from others. */
  readonly mark: bigint;
  /** Another one where words, title or facts have changed. */
  readonly version: bigint;
  /** Another one where its rank or cluster has changed. */
  readonly standing: number;
  readonly state: DocumentState;
}

const MAGIC = 'orbledg1';
const HEAD = 12;

/**
 * Which documents of a source were sent, in the order of their hashes: both ends know a document by its place in it. The
 * states are those of the receiver; sources have all documents as held.
 */
export class Ledger {
  readonly size: number;
  readonly hashes: Uint32Array;
  readonly marks: BigUint64Array;
  readonly versions: BigUint64Array;
  readonly standings: Uint32Array;
  readonly states: Uint8Array;

  private constructor(size: number) {
    this.size = size;
    this.hashes = new Uint32Array(size);
    this.marks = new BigUint64Array(size);
    this.versions = new BigUint64Array(size);
    this.standings = new Uint32Array(size);
    this.states = new Uint8Array(size);
  }

  static of(entries: readonly LedgerEntry[]): Ledger {
    const sorted = [...entries].sort((a, b) => a.hash - b.hash || (a.mark < b.mark ? -1 : a.mark > b.mark ? 1 : 0));
    const ledger = new Ledger(sorted.length);
    for (const [at, { hash, mark, version, standing, state }] of sorted.entries()) {
      ledger.hashes[at] = hash;
      ledger.marks[at] = mark;
      ledger.versions[at] = version;
      ledger.standings[at] = standing;
      ledger.states[at] = state;
    }
    return ledger;
  }

  entry(at: number): LedgerEntry {
    return {
      hash: this.hashes[at],
      mark: this.marks[at],
      version: this.versions[at],
      standing: this.standings[at],
      state: this.states[at] as DocumentState,
    };
  }

  /** The place of a document; -1 where it is not in it. */
  find(hash: number, mark: bigint): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.hashes[middle] < hash) low = middle + 1;
      else high = middle;
    }
    for (; low < this.size && this.hashes[low] === hash; low++) if (this.marks[low] === mark) return low;
    return -1;
  }

  /** Of the documents and their versions, whatever the receiver has made of them. */
  get digest(): string {
    const hash = createHash('sha256');
    for (const column of [this.hashes, this.marks, this.versions, this.standings])
      hash.update(new Uint8Array(column.buffer));
    return hash.digest('hex');
  }

  encode(): Uint8Array {
    const columns = [this.hashes, this.marks, this.versions, this.standings, this.states];
    const head = Buffer.alloc(HEAD);
    head.write(MAGIC, 'latin1');
    head.writeUInt32LE(this.size, MAGIC.length);
    const body = Buffer.concat([head, ...columns.map((column) => new Uint8Array(column.buffer))]);
    return Buffer.concat([body, createHash('sha256').update(body).digest()]);
  }

  /** Undefined where the bytes are no ledger, or are damaged. */
  static decode(bytes: Uint8Array): Ledger | undefined {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (whole.length < HEAD + 32 || whole.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
    const body = whole.subarray(0, -32);
    if (!createHash('sha256').update(body).digest().equals(whole.subarray(-32))) return undefined;
    const ledger = new Ledger(whole.readUInt32LE(MAGIC.length));
    let at = HEAD;
    for (const column of [ledger.hashes, ledger.marks, ledger.versions, ledger.standings, ledger.states]) {
      new Uint8Array(column.buffer).set(body.subarray(at, at + column.byteLength));
      at += column.byteLength;
    }
    return at === body.length ? ledger : undefined;
  }
}

export const EMPTY_LEDGER: Ledger = Ledger.of([]);
