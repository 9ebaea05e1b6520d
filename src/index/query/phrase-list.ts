import type { QueryNode } from '../../contracts/search-index.ts';
import { FIELDS } from '../fields.ts';
import type { TermPostings } from '../format/term-postings.ts';
import { PostingReader } from './posting-reader.ts';
import type { LeafPlan } from './query-plan.ts';
import { END, ScoreCursor } from './score-cursor.ts';
import { type ScoredList, ScoredListBuilder } from './scored-list.ts';
import type { SearchedSegment } from './searched-segment.ts';

type Phrase = Extract<QueryNode, { kind: 'phrase' }>;

/** The documents of a segment that hold a phrase, scored as if the phrase were one word. */
export function phraseList(searched: SearchedSegment, phrase: Phrase, leaf: LeafPlan, k1: number): ScoredList {
  const { segment, weigher, boundFactor } = searched;
  const list = new ScoredListBuilder();
  const words = leaf.terms.flatMap((term, at) => {
    const postings = segment.postings(term);
    return postings === undefined ? [] : [{ postings, offset: phrase.offsets[at] }];
  });
  if (words.length === 0 || words.length < leaf.terms.length) return list.list();
  // The rarest first: most documents are ruled out by it and the next.
  words.sort((a, b) => a.postings.documents - b.postings.documents);
  const cursors = words.map(({ postings }) => ScoreCursor.ofTerm(postings, { weigher, weight: 1, k1, boundFactor }));
  const places = new PhrasePlaces(words);
  const only = phrase.field === undefined ? -1 : FIELDS.indexOf(phrase.field);
  const first = Math.min(...phrase.offsets);
  const last = Math.max(...phrase.offsets);
  const lead = cursors[0];
  for (let document = lead.document; document !== END; ) {
    let reached = document;
    for (let at = 1; at < cursors.length && reached === document; at++) reached = cursors[at].seek(document);
    if (reached !== document) {
      document = reached === END ? END : lead.seek(reached);
      continue;
    }
    let weight = 0;
    const found = places.find(document);
    for (let at = 0; at < found; at++) {
      const field = segment.fieldAt(document, places.starts[at] + first);
      // The last words of a field and the first of the next are no phrase.
      if (segment.fieldAt(document, places.starts[at] + last) !== field) continue;
      if (only < 0 || only === field) weight += weigher.worth(document, field, 1);
    }
    if (weight > 0) list.add(document, (leaf.weight * weight) / (weight + k1));
    document = lead.seek(document + 1);
  }
  return list.list();
}

/** Where a phrase begins in a document that holds all its words. */
class PhrasePlaces {
  readonly starts: number[] = [];
  readonly #readers: readonly PostingReader[];
  readonly #offsets: readonly number[];
  readonly #positions: number[] = [];

  constructor(words: readonly { readonly postings: TermPostings; readonly offset: number }[]) {
    this.#readers = words.map(({ postings }) => new PostingReader(postings));
    this.#offsets = words.map(({ offset }) => offset);
  }

  /** How many there are; the first so many of `starts` tell where. */
  find(document: number): number {
    const { starts } = this;
    let count = 0;
    for (let word = 0; word < this.#readers.length; word++) {
      const reader = this.#readers[word];
      reader.goTo(document);
      const offset = this.#offsets[word];
      if (word === 0) {
        count = reader.positions(starts);
        for (let at = 0; at < count; at++) starts[at] -= offset;
        continue;
      }
      const positions = this.#positions;
      const held = reader.positions(positions);
      let kept = 0;
      for (let i = 0, j = 0; i < count && j < held; ) {
        const step = starts[i] - (positions[j] - offset);
        if (step === 0) starts[kept++] = starts[i];
        if (step <= 0) i++;
        if (step >= 0) j++;
      }
      count = kept;
      if (count === 0) break;
    }
    return count;
  }
}
