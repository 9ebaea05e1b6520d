import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DocumentRefresh, RefreshDocument } from '../../contracts/search-index.ts';
import type { Analyze } from '../analyze.ts';
import { anchorSum } from '../format/anchor-sum.ts';
import { byteOfLength } from '../format/quantise.ts';
import type { DocumentChange } from '../renewal/document-change.ts';
import type { PreparedAnchors, PreparedSegment } from '../renewal/prepared-anchors.ts';
import type { SegmentMarks } from '../renewal/segment-marks.ts';
import type { Deletions } from './deletions.ts';
import { Occurrences } from './occurrences.ts';
import type { Segment } from './segment.ts';
import type { TermNumbers } from './term-numbers.ts';
import type { WordArrays } from './word-arrays.ts';
import type { KnownTexts } from './words/known-texts.ts';

/** After so many documents others have a turn. */
const SLICE = 50;
/** Words of anchors that are held at most (16 bytes each); the anchors of further documents wait for the next merge. */
const MOST_WORDS = 4_000_000;

export interface MergeInput {
  readonly segment: Segment;
  readonly deletions: Deletions;
}

/** What has changed beside the words of documents that are merged: what a merge applies while it writes them anyway. */
export class DocumentChanges {
  /** Documents that are changed or gone. */
  count = 0;
  /** False where there were too many to be taken at once. */
  isComplete = true;
  /** No document is gone. */
  isRenewal = true;
  /** Some document has other anchors. */
  hasAnchors = false;
  /** The new anchors; the number of a document is the one it gets by the merge. */
  readonly anchors: Occurrences;
  readonly #knownTexts: KnownTexts;
  readonly #changes = new Map<Segment, Map<number, DocumentChange | 'gone'>>();

  constructor(analyze: Analyze, numbers: TermNumbers, arrays: WordArrays, knownTexts: KnownTexts) {
    this.#knownTexts = knownTexts;
    this.anchors = new Occurrences(analyze, arrays, numbers);
  }

  /** Only ranks and clusters have changed. */
  get isOfFacts(): boolean {
    return this.isRenewal && this.isComplete && !this.hasAnchors;
  }

  /** Of a segment of whose documents none is gone. */
  allOf(segment: Segment): ReadonlyMap<number, DocumentChange> {
    return (this.#changes.get(segment) ?? new Map()) as ReadonlyMap<number, DocumentChange>;
  }

  of(segment: Segment, document: number): DocumentChange | 'gone' | undefined {
    return this.#changes.get(segment)?.get(document);
  }

  /** The document as it is today, in its turn among those that the merge keeps. */
  note(
    segment: Segment,
    document: number,
    refresh: DocumentRefresh | 'gone' | undefined,
    prepared?: PreparedSegment,
  ): void {
    if (refresh === 'gone') {
      this.#set(segment, document, refresh);
      this.count++;
      this.isRenewal = false;
      return;
    }
    const isLate = this.anchors.count >= MOST_WORDS;
    if (isLate && refresh !== undefined) this.isComplete = false;
    else if (refresh !== undefined) this.#compare(segment, document, refresh, prepared);
    this.anchors.endDocument();
  }

  /** `prepared`: where its anchors are the same, these are what it is that they are the same as. */
  #compare(segment: Segment, document: number, refresh: DocumentRefresh, prepared: PreparedSegment | undefined): void {
    const { columns } = segment;
    const { rank, cluster, hasSameAnchors = false } = refresh;
    const held = hasSameAnchors ? prepared?.changes.get(document)?.anchors : undefined;
    if (held !== undefined) {
      this.count++;
      this.hasAnchors = true;
      this.anchors.addHeld(prepared!.words, document);
      this.#set(segment, document, { rank, cluster, anchors: held });
      return;
    }
    const anchors = hasSameAnchors ? undefined : refresh.anchors;
    const sum = anchors === undefined ? 0 : anchorSum(anchors);
    const isOther = anchors !== undefined && sum !== columns.number('anchorSum', document);
    const isChanged =
      isOther || rank !== columns.number('rank', document) || cluster !== columns.number('cluster', document);
    if (isChanged) this.count++;
    this.hasAnchors ||= isOther;
    if (isOther) {
      const language = String(columns.fact('language', document));
      const used = this.anchors.addAnchors(anchors, language, segment.anchorsStart(document), this.#knownTexts);
      this.#set(segment, document, { rank, cluster, anchors: { sum, lengthByte: byteOfLength(used) } });
    } else if (isChanged) this.#set(segment, document, { rank, cluster });
  }

  #set(segment: Segment, document: number, change: DocumentChange | 'gone'): void {
    const changes = this.#changes.get(segment);
    if (changes === undefined) this.#changes.set(segment, new Map([[document, change]]));
    else changes.set(document, change);
  }
}

export interface ChangesOptions {
  readonly isOver: () => boolean;
  /** Of terms of anchors. */
  readonly numbers: TermNumbers;
  /** For words of anchors; nobody else's until the changes are written. */
  readonly arrays: WordArrays;
  /** Texts of anchors that were read before. */
  readonly knownTexts: KnownTexts;
  readonly marks: SegmentMarks;
  readonly prepared: PreparedAnchors;
}

/** Asks for every document of the segments, in the order of the merge. Undefined where it `isOver` before. */
export async function documentChanges(
  inputs: readonly MergeInput[],
  analyze: Analyze,
  refresh: RefreshDocument,
  { isOver, numbers, arrays, knownTexts, marks, prepared }: ChangesOptions,
): Promise<DocumentChanges | undefined> {
  const changes = new DocumentChanges(analyze, numbers, arrays, knownTexts);
  return (await askAll(inputs, changes, refresh, { isOver, marks, prepared })) ? changes : undefined;
}

/** False where it `isOver` before. */
async function askAll(
  inputs: readonly MergeInput[],
  changes: DocumentChanges,
  refresh: RefreshDocument,
  { isOver, marks, prepared }: Pick<ChangesOptions, 'isOver' | 'marks' | 'prepared'>,
): Promise<boolean> {
  let asked = 0;
  for (const { segment, deletions } of inputs) {
    const held = prepared.of(segment);
    const mark = held?.mark ?? marks.of(segment);
    for (let document = 0; document < segment.documents; document++) {
      if (deletions.has(document)) continue;
      if (asked++ % SLICE === 0) await nextTurn();
      if (isOver()) return false;
      const told = await refresh(segment.strings(document).id, segment.columns.facts(document), mark);
      changes.note(segment, document, told, held);
    }
  }
  return !isOver();
}
