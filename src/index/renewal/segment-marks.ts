import type { Segment } from '../store/segment.ts';

/** How new the anchors of documents are: a mark for each segment, of the time at which it held those of all its documents. */
export class SegmentMarks {
  readonly #marks = new WeakMap<Segment, number>();
  /** The newest. */
  #now: number | undefined;
  /** Of documents that are not committed yet: the one when the first of them may have been added. */
  #uncommitted: number | undefined;

  of(segment: Segment): number | undefined {
    return this.#marks.get(segment);
  }

  isSince(segment: Segment, mark: number): boolean {
    const own = this.#marks.get(segment);
    return own !== undefined && own >= mark;
  }

  set(segment: Segment, mark: number | undefined): void {
    if (mark !== undefined) this.#marks.set(segment, mark);
  }

  /** `isCommitted`: all that was added by now. */
  begin(mark: number, isCommitted: boolean): void {
    this.#now = mark;
    if (isCommitted) this.#uncommitted = mark;
  }

  /** Of segments with what was added since this was called last. */
  commit(fresh: readonly Segment[]): void {
    for (const segment of fresh) this.set(segment, this.#uncommitted);
    this.#uncommitted = this.#now;
  }

  /** A segment with the documents of others, as they are there. */
  merge(inputs: readonly Segment[], merged: Segment): void {
    const marks = inputs.map((input) => this.#marks.get(input)).filter((mark) => mark !== undefined);
    if (marks.length === inputs.length) this.set(merged, Math.min(...marks));
  }
}
