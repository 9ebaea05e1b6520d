import type { RefreshDocument } from '../../contracts/search-index.ts';
import type { Analyze } from '../analyze.ts';
import { type DocumentChanges, documentChanges, type MergeInput } from '../store/document-changes.ts';
import { TermNumbers } from '../store/term-numbers.ts';
import { WordArrays } from '../store/word-arrays.ts';
import { KnownTexts } from '../store/words/known-texts.ts';
import { PreparedAnchors } from './prepared-anchors.ts';
import { SegmentMarks } from './segment-marks.ts';

/** Asks what is said of the documents of segments today, and holds what was prepared of that. */
export class AskedChanges {
  /** Undefined: nobody is asked. */
  refresh: RefreshDocument | undefined;
  readonly marks: SegmentMarks = new SegmentMarks();
  readonly prepared: PreparedAnchors = new PreparedAnchors();
  readonly #analyze: Analyze;
  #anchorTerms = new TermNumbers();
  readonly #knownTexts = new KnownTexts();
  /** Undefined while a merge uses them. */
  #anchorWords: WordArrays | undefined;

  constructor(analyze: Analyze) {
    this.#analyze = analyze;
  }

  /** `work` with what has changed of documents; undefined where nobody is asked, or it `isOver` before all were. */
  async with<T>(
    inputs: readonly MergeInput[],
    isAsked: boolean,
    isOver: () => boolean,
    work: (changes: DocumentChanges | undefined) => Promise<T>,
  ): Promise<T> {
    for (const { segment } of inputs) segment.hold();
    const arrays = this.#anchorWords ?? new WordArrays();
    this.#anchorWords = undefined;
    this.#anchorTerms = this.#anchorTerms.forNext();
    const { marks, prepared } = this;
    // An index that is still empty has none.
    const first = inputs.at(0);
    const numbers = (first && prepared.of(first.segment))?.words.numbers ?? this.#anchorTerms;
    try {
      const refresh = isAsked ? this.refresh : undefined;
      const asking = { isOver, arrays, numbers, knownTexts: this.#knownTexts, marks, prepared };
      return await work(refresh && (await documentChanges(inputs, this.#analyze, refresh, asking)));
    } finally {
      this.#anchorWords = arrays.forNext();
      for (const { segment } of inputs) segment.release();
    }
  }

  /** Holds the anchors of today. Where a document is gone, or there are too many words, the refresh has to ask again. */
  async prepare(input: MergeInput, mark: number, isOver: () => boolean): Promise<void> {
    const { segment } = input;
    await this.with([input], true, isOver, async (changes) => {
      if (changes === undefined || !changes.isComplete || !changes.isRenewal) return;
      this.prepared.set(segment, { mark, changes: changes.allOf(segment), words: changes.anchors.held() });
    });
  }
}
