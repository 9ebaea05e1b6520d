import { ByteWriter } from '../../base/byte-writer.ts';
import { CodeTable } from '../format/code-table.ts';
import { PostingWriter } from '../format/posting-writer.ts';
import { PADDING } from '../format/term-positions.ts';
import type { TermPostings } from '../format/term-postings.ts';
import type { PostingWeigher } from '../query/score-model.ts';
import { AnchorPostings } from '../store/anchor-postings.ts';
import { BlockMerge, type MergedInput } from '../store/block-merge.ts';
import type { SortedOccurrences } from '../store/occurrences.ts';

/** The postings of a term as a merge would write them. */
export interface JoinedPostings {
  readonly documents: number;
  /** These and the positions carry `PADDING` bytes more. */
  readonly postings: Uint8Array;
  readonly positions: Uint8Array;
}

export interface PostingJoinParts {
  readonly documents: number;
  readonly codes: CodeTable;
  readonly weigher: PostingWeigher;
  /** Where the anchors of a document that is renewed begin, -1 of others. */
  readonly anchorsAt: (document: number) => number;
}

/** Puts renewed anchors in the place of those among the postings of a segment, term by term: as a merge of it alone would. */
export class PostingJoin {
  readonly #input: MergedInput;
  /** Of its own, because uses are counted there. */
  readonly #codes: CodeTable;
  readonly #postings = new ByteWriter();
  readonly #positions = new ByteWriter();
  readonly #writer: PostingWriter;
  readonly #blocks: BlockMerge;

  constructor({ documents, codes, weigher, anchorsAt }: PostingJoinParts) {
    this.#codes = new CodeTable(codes.levels, codes.uses.slice());
    this.#writer = new PostingWriter(this.#postings, this.#positions, this.#codes, weigher);
    this.#blocks = new BlockMerge(this.#writer, this.#codes);
    this.#input = {
      numbers: Int32Array.from({ length: documents }, (_, document) => document),
      first: 0,
      isWhole: true,
      anchorsAt: Int32Array.from({ length: documents }, (_, document) => anchorsAt(document)),
      codes: Uint32Array.from({ length: codes.size }, (_, code) => code),
    };
  }

  /** `written`: the postings in the file, where there are some. */
  join(term: string, written: TermPostings | undefined, said: SortedOccurrences): JoinedPostings {
    const { size } = this.#codes;
    const anchors = new AnchorPostings(said, this.#writer, this.#codes);
    anchors.beginTerm(term);
    const places = written?.positions(true);
    if (written !== undefined && places !== undefined)
      for (let block = 0; block < written.blocks; block++)
        this.#blocks.take(written, places, block, this.#input, anchors);
    anchors.writeBefore(this.#input.numbers.length);
    const { documents } = this.#writer.endTerm();
    const joined = { documents, postings: taken(this.#postings), positions: taken(this.#positions) };
    if (this.#codes.size !== size) throw new RangeError('Renewed anchors do not fit the postings of their segment.');
    return joined;
  }
}

/** What was written, and `PADDING` bytes more; the writer is empty then. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(writer.length + PADDING);
  bytes.set(writer.written);
  writer.clear();
  return bytes;
}
