import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DocumentRefresh, RefreshDocument } from '../../contracts/search-index.ts';
import type { Analyze } from '../analyze.ts';
import { FIELDS } from '../fields.ts';
import { anchorSum } from '../format/anchor-sum.ts';
import { byteOfLength, lengthOfByte } from '../format/quantise.ts';
import type { Deletions } from './deletions.ts';
import { Occurrences, POSITION_MASK } from './occurrences.ts';
import type { Segment } from './segment.ts';

const ANCHORS = FIELDS.indexOf('anchors');
/** After so many documents others have a turn. */
const SLICE = 50;
/** Words of anchors that are held at most (16 bytes each); the anchors of further documents wait for the next merge. */
const MOST_WORDS = 4_000_000;

export interface MergeInput {
  readonly segment: Segment;
  readonly deletions: Deletions;
}

/** A document whose facts, and perhaps anchors, are others than its segment holds. */
export interface DocumentChange {
  readonly rank: number;
  readonly cluster: number;
  /** Absent where the anchors are the same. */
  readonly anchors?: { readonly sum: number; readonly lengthByte: number };
}

/** What has changed beside the words of documents that are merged: what a merge applies while it writes them anyway. */
export class DocumentChanges {
  /** Documents that are changed or gone. */
  count = 0;
  /** False where there were too many to be taken at once. */
  isComplete = true;
  /** The new anchors; the number of a document is the one it gets by the merge. */
  readonly anchors: Occurrences;
  readonly #changes = new Map<Segment, Map<number, DocumentChange | 'gone'>>();

  constructor(analyze: Analyze) {
    this.anchors = new Occurrences(analyze);
  }

  of(segment: Segment, document: number): DocumentChange | 'gone' | undefined {
    return this.#changes.get(segment)?.get(document);
  }

  /** The document as it is today, in its turn among those that the merge keeps. */
  note(segment: Segment, document: number, refresh: DocumentRefresh | 'gone' | undefined): void {
    if (refresh === 'gone') {
      this.#set(segment, document, refresh);
      return;
    }
    const isLate = this.anchors.count >= MOST_WORDS;
    if (isLate && refresh !== undefined) this.isComplete = false;
    else if (refresh !== undefined) this.#compare(segment, document, refresh);
    this.anchors.endDocument();
  }

  #compare(segment: Segment, document: number, { anchors, rank, cluster }: DocumentRefresh): void {
    const { columns } = segment;
    const sum = anchorSum(anchors);
    if (sum !== columns.number('anchorSum', document)) {
      const language = String(columns.fact('language', document));
      const used = this.anchors.addAnchors(anchors, language, anchorsStart(segment, document));
      this.#set(segment, document, { rank, cluster, anchors: { sum, lengthByte: byteOfLength(used) } });
    } else if (rank !== columns.number('rank', document) || cluster !== columns.number('cluster', document))
      this.#set(segment, document, { rank, cluster });
  }

  #set(segment: Segment, document: number, change: DocumentChange | 'gone'): void {
    const changes = this.#changes.get(segment);
    if (changes === undefined) this.#changes.set(segment, new Map([[document, change]]));
    else changes.set(document, change);
    this.count++;
  }
}

/** Asks for every document of the segments, in the order of the merge. Undefined where it `isOver` before. */
export async function documentChanges(
  inputs: readonly MergeInput[],
  analyze: Analyze,
  refresh: RefreshDocument,
  isOver: () => boolean,
): Promise<DocumentChanges | undefined> {
  const changes = new DocumentChanges(analyze);
  let asked = 0;
  for (const { segment, deletions } of inputs) {
    for (let document = 0; document < segment.documents; document++) {
      if (deletions.has(document)) continue;
      if (asked++ % SLICE === 0) await nextTurn();
      if (isOver()) return undefined;
      const told = await refresh(segment.strings(document).id, segment.columns.facts(document));
      changes.note(segment, document, told);
    }
  }
  return changes;
}

/** The first position of the anchors of a document. */
export function anchorsStart(segment: Segment, document: number): number {
  let start = 0;
  for (let field = 0; field < ANCHORS; field++) start += lengthOfByte(segment.columns.lengths[field][document]);
  return Math.min(start, POSITION_MASK + 1);
}
