import { FIELDS } from '../../fields.ts';
import type { CodeTable } from '../../format/code-table.ts';
import type { SegmentWriter } from '../segment-writer.ts';
import type { TermNumbers } from '../term-numbers.ts';
import type { PostingCodes } from './posting-codes.ts';
import {
  ENTRIES,
  ENTRY_BYTES,
  LENGTHS_BYTES,
  MOST_ENTRIES,
  NEXT_POSTING,
  NORMS,
  POSITIONS_END,
  POSTINGS_END,
  TERM,
} from './posting-layout.ts';
import type { PostingMemory } from './posting-memory.ts';

/** Bytes that are written before they are handed on: room for most terms. */
const POSTING_ROOM = 1 << 16;
const POSITION_ROOM = 1 << 18;

/** The postings of gathered documents in the order of the dictionary. */
export class GatheredPostings {
  readonly table: CodeTable;
  readonly #memory: PostingMemory;
  readonly #numbers: TermNumbers;
  readonly #terms: number;

  /** Orders them; may be done again. */
  constructor(memory: PostingMemory, codes: PostingCodes, numbers: TermNumbers) {
    this.#memory = memory;
    this.#numbers = numbers;
    const { inOrder } = numbers;
    memory.ensure('terms', inOrder.length * TERM.bytes);
    memory.ensure('order', inOrder.length * 4);
    memory.ensure('sorted', memory.numbers[NEXT_POSTING / 4] * 4);
    codes.clear();
    memory.numbers.set(inOrder, memory.begin('order') / 4);
    this.#terms = memory.kernels.orderPostings(inOrder.length);
    this.table = codes.last();
  }

  /** `norms` as `normTables` has them; `lengths`: a byte for each document, of each field. */
  write(writer: SegmentWriter, norms: readonly Float64Array[], lengths: readonly Uint8Array[]): void {
    const memory = this.#memory;
    memory.ensure('lengths', lengths[0].length * LENGTHS_BYTES);
    memory.ensure('postingBytes', POSTING_ROOM);
    memory.ensure('positionBytes', POSITION_ROOM);
    for (let field = 0; field < FIELDS.length; field++) {
      memory.doubles.set(norms[field], NORMS / 8 + field * norms[field].length);
      putLengths(lengths[field], memory.bytes, memory.begin('lengths') + field);
    }
    for (let rank = 0; rank < this.#terms; ) rank = this.#writeFrom(rank, writer);
  }

  /** Writes some terms; returns the place of the next one. */
  #writeFrom(rank: number, writer: SegmentWriter): number {
    const memory = this.#memory;
    const postingsAt = memory.begin('postingBytes');
    const positionsAt = memory.begin('positionBytes');
    const end = memory.kernels.writeTerms(
      rank,
      Math.min(this.#terms, rank + MOST_ENTRIES),
      postingsAt + memory.size('postingBytes'),
      positionsAt + memory.size('positionBytes'),
    );
    if (end === rank) {
      memory.ensure('postingBytes', 2 * memory.size('postingBytes'));
      memory.ensure('positionBytes', 2 * memory.size('positionBytes'));
      return rank;
    }
    const { bytes, numbers } = memory;
    writer.addCoded(
      bytes.subarray(postingsAt, numbers[POSTINGS_END / 4]),
      bytes.subarray(positionsAt, numbers[POSITIONS_END / 4]),
    );
    const order = memory.begin('order') / 4;
    for (let at = rank, entry = ENTRIES / 4; at < end; at++, entry += ENTRY_BYTES / 4)
      writer.endCoded(
        this.#numbers.encoded(numbers[order + at]),
        numbers[entry],
        numbers[entry + 1],
        numbers[entry + 2],
        numbers[entry + 3] !== 0,
      );
    return end;
  }
}

function putLengths(lengths: Uint8Array, bytes: Uint8Array, from: number): void {
  for (let document = 0, at = from; document < lengths.length; document++, at += LENGTHS_BYTES)
    bytes[at] = lengths[document];
}
