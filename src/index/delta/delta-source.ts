import { closeSync, openSync, readSync } from 'node:fs';
import { Committed } from '../store/committed.ts';
import { nodeIndexDisk } from '../store/index-disk.ts';
import type { IndexOrigin } from '../store/manifest.ts';
import { PostingsCache } from '../store/postings-cache.ts';
import type { Segment } from '../store/segment.ts';
import { SEGMENT_PARTS, type SegmentPart, segmentPath } from '../store/segment-path.ts';
import type { SegmentState } from '../store/segment-state.ts';

/** A writer that merges meanwhile removes files; then there is a newer state. */
const ATTEMPTS = 20;
const PIECE = 1 << 20;

/** The committed state of an index, with its files open: they are read to the end though their names go away meanwhile. */
export class DeltaSource implements Disposable {
  readonly #committed: Committed;
  #files = new Map<Segment, ReadonlyMap<SegmentPart, number>>();

  /** Throws as opening an index for reading does. */
  constructor(folder: string) {
    this.#committed = new Committed(folder, nodeIndexDisk, new PostingsCache(0));
    for (let attempt = 1; ; attempt++) {
      this.#committed.refresh();
      try {
        for (const { segment } of this.#committed.states) this.#files.set(segment, openParts(folder, segment.name));
        return;
      } catch (error) {
        this.#closeFiles();
        if ((error as NodeJS.ErrnoException).code === 'ENOENT' && attempt < ATTEMPTS) continue;
        this.#committed.close();
        throw error;
      }
    }
  }

  get states(): readonly SegmentState[] {
    return this.#committed.states;
  }

  get origin(): IndexOrigin | undefined {
    return this.#committed.origin;
  }

  get place(): unknown {
    return this.#committed.place;
  }

  /** A file of a segment, piece by piece. */
  pieces(segment: Segment, part: SegmentPart): Iterable<Uint8Array> {
    return piecesOf(this.#files.get(segment)?.get(part) ?? -1);
  }

  [Symbol.dispose](): void {
    this.#closeFiles();
    this.#committed.close();
  }

  #closeFiles(): void {
    for (const parts of this.#files.values()) for (const fd of parts.values()) closeSync(fd);
    this.#files = new Map();
  }
}

/** The file of a segment in a folder, piece by piece. */
export function* piecesOfPart(folder: string, name: string, part: SegmentPart): Generator<Uint8Array, void, undefined> {
  const fd = openSync(segmentPath(folder, name, part), 'r');
  try {
    yield* piecesOf(fd);
  } finally {
    closeSync(fd);
  }
}

function openParts(folder: string, name: string): Map<SegmentPart, number> {
  const opened = new Map<SegmentPart, number>();
  try {
    for (const part of SEGMENT_PARTS) opened.set(part, openSync(segmentPath(folder, name, part), 'r'));
    return opened;
  } catch (error) {
    for (const fd of opened.values()) closeSync(fd);
    throw error;
  }
}

function* piecesOf(fd: number): Generator<Uint8Array, void, undefined> {
  for (let at = 0; ; ) {
    const piece = Buffer.alloc(PIECE);
    const got = readSync(fd, piece, 0, PIECE, at);
    if (got === 0) return;
    at += got;
    yield piece.subarray(0, got);
  }
}
