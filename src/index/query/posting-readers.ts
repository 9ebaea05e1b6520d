import { PostingReader } from './posting-reader.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** One reader for each term of each segment, for all that look closer at the same documents: what one unpacks the next finds. */
export class PostingReaders {
  readonly #readers = new Map<SearchedSegment, Map<string, PostingReader | undefined>>();

  /** Undefined where no document of the segment holds the term. */
  of(searched: SearchedSegment, term: string): PostingReader | undefined {
    let ofSegment = this.#readers.get(searched);
    if (ofSegment === undefined) {
      ofSegment = new Map();
      this.#readers.set(searched, ofSegment);
    }
    if (ofSegment.has(term)) return ofSegment.get(term);
    const postings = searched.segment.postings(term);
    const reader = postings === undefined ? undefined : new PostingReader(postings);
    ofSegment.set(term, reader);
    return reader;
  }

  /** Of those terms that are held. */
  ofAll(searched: SearchedSegment, terms: readonly string[]): PostingReader[] {
    return terms.flatMap((term) => this.of(searched, term) ?? []);
  }
}
