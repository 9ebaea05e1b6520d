import { AGAIN, entryLength, entryVisit } from './link-entry.ts';
import type { LinkRun, LinkRuns, RunDraft } from './link-runs.ts';
import type { ReplacedVisits } from './replaced-visits.ts';
import type { BlockReader } from './target-block.ts';

/** This many runs of a level become one of the next. */
export const MERGED_AT_ONCE = 8;

/** Runs hold links of replaced visits until they are merged. From so many on that is looked after. */
const LEFT_OVERS = 100_000;

/** Neighbours that should become one run: the lowest level with enough of them; all, where less than half still counts. */
export function runsToMerge(runs: readonly LinkRun[], links: number): readonly LinkRun[] {
  const held = runs.reduce((sum, run) => sum + run.links, 0);
  if (held > 2 * links + LEFT_OVERS) return runs;
  const levels = [...new Set(runs.map(({ level }) => level))].sort((a, b) => a - b);
  for (const level of levels) {
    const same = runs.filter((run) => run.level === level);
    if (same.length >= MERGED_AT_ONCE) return same;
  }
  return [];
}

/**
 * Runs below this level hold links that were not counted yet. Counted when they leave it, the links of many commits to one target
 * are one number.
 */
const COUNTED_LEVEL = 2;

/** Told of every target in runs that were not counted yet: this many links that it had not before. */
export type GainListener = (hi: number, lo: number, links: number) => void;

/** Merges runs a slice at a time, so that a long merge does not hold up the crawl. Drops links of replaced visits. */
export class RunMerge {
  readonly #runs: LinkRuns;
  readonly #inputs: readonly LinkRun[];
  readonly #cursors: RunCursor[];
  readonly #replaced: ReplacedVisits;
  readonly #draft: RunDraft;
  readonly #gained: GainListener;
  readonly #level: number;
  #links = 0;

  /** `inputs` are neighbours, oldest first. */
  constructor(runs: LinkRuns, inputs: readonly LinkRun[], replaced: ReplacedVisits, gained: GainListener) {
    this.#runs = runs;
    this.#inputs = inputs;
    this.#cursors = inputs.map((run) => new RunCursor(runs, run, replaced)).filter(({ isAtEnd }) => !isAtEnd);
    this.#replaced = replaced;
    this.#level = Math.max(...inputs.map((run) => run.level)) + 1;
    this.#draft = runs.begin();
    this.#gained = gained;
  }

  /** Writes about this many bytes, within a transaction; true when the new run has taken the place of the old ones. */
  step(bytes: number): boolean {
    const end = this.#draft.bytes + bytes;
    while (this.#cursors.length > 0 && this.#draft.bytes < end) this.#takeTarget();
    if (this.#cursors.length > 0) return false;
    this.#draft.writer.flush();
    const [oldest, newest] = [this.#inputs[0], this.#inputs[this.#inputs.length - 1]];
    this.#runs.publish(this.#draft.finish(this.#level, oldest.fromVisit, newest.toVisit, this.#links), this.#inputs);
    return true;
  }

  #takeTarget(): void {
    let first = this.#cursors[0].reader;
    for (const { reader } of this.#cursors) {
      if (reader.hi < first.hi || (reader.hi === first.hi && reader.lo < first.lo)) first = reader;
    }
    const { hi, lo } = first;
    let gained = 0;
    let ended = false;
    for (const cursor of this.#cursors) {
      while (!cursor.isAtEnd && cursor.reader.hi === hi && cursor.reader.lo === lo) {
        if (this.#level >= COUNTED_LEVEL && cursor.run.level < COUNTED_LEVEL) gained += newLinks(cursor.reader);
        this.#takePiece(cursor);
        cursor.advance();
        ended ||= cursor.isAtEnd;
      }
    }
    if (gained > 0) this.#gained(hi, lo, gained);
    if (!ended) return;
    const left = this.#cursors.filter(({ isAtEnd }) => !isAtEnd);
    this.#cursors.splice(0, this.#cursors.length, ...left);
  }

  #takePiece({ reader, hasReplaced }: RunCursor): void {
    const { hi, lo, bytes, start, end } = reader;
    const { writer } = this.#draft;
    if (!hasReplaced) {
      writer.put(hi, lo, reader.count, bytes, start, end);
      this.#links += reader.count;
      return;
    }
    for (let at = start; at < end; ) {
      const next = at + entryLength(bytes, at);
      if (!this.#replaced.has(entryVisit(bytes, at))) {
        writer.put(hi, lo, 1, bytes, at, next);
        this.#links++;
      }
      at = next;
    }
  }
}

class RunCursor {
  readonly run: LinkRun;
  /** False: every link of it is still good, and whole pieces can be copied. */
  readonly hasReplaced: boolean;
  readonly #runs: LinkRuns;
  #block = 0;
  reader!: BlockReader;
  isAtEnd = false;

  constructor(runs: LinkRuns, run: LinkRun, replaced: ReplacedVisits) {
    this.#runs = runs;
    this.run = run;
    this.hasReplaced = replaced.anyIn(run.fromVisit, run.toVisit);
    this.#openBlock();
  }

  advance(): void {
    if (this.reader.next()) return;
    this.#block++;
    this.#openBlock();
  }

  #openBlock(): void {
    if (2 * this.#block >= this.run.first.length) {
      this.isAtEnd = true;
      return;
    }
    this.reader = this.#runs.block(this.run, this.#block);
    this.reader.next();
  }
}

function newLinks({ bytes, start, end }: BlockReader): number {
  let count = 0;
  for (let at = start; at < end; at += entryLength(bytes, at)) if ((bytes[at + 8] & AGAIN) === 0) count++;
  return count;
}
