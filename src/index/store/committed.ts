import { join } from 'node:path';
import { damagedIndex, readingIndex } from './damaged-index.ts';
import type { Deletions } from './deletions.ts';
import type { IndexDisk } from './index-disk.ts';
import {
  type IndexOrigin,
  type Manifest,
  manifestName,
  newestManifest,
  readManifest,
  writeManifest,
} from './manifest.ts';
import type { PostingsCache } from './postings-cache.ts';
import type { Segment } from './segment.ts';
import { SEGMENT_PARTS } from './segment-path.ts';
import { openState, type SegmentState, stateOf } from './segment-state.ts';

const OURS = /^(?:manifest-\d+\.json(?:\.new)?|segment-\d+\.(?:postings|positions|strings|documents|deleted-\d+))$/;
/** A reader that comes between the choice of a manifest and the removal of its files looks again this many times. */
const ATTEMPTS = 20;

/** The state on disk that a manifest names, with its segments open. */
export class Committed {
  readonly #folder: string;
  readonly #disk: IndexDisk;
  readonly #cache: PostingsCache;
  readonly #newOrigin: (() => IndexOrigin) | undefined;
  #manifest: Manifest = { number: 0, segments: [], nextName: 1, place: undefined };
  #states: readonly SegmentState[] = [];

  /** `newOrigin`: of an index that has none yet, for those who write. */
  constructor(folder: string, disk: IndexDisk, cache: PostingsCache, newOrigin?: () => IndexOrigin) {
    this.#folder = folder;
    this.#newOrigin = newOrigin;
    this.#disk = disk;
    this.#cache = cache;
  }

  get states(): readonly SegmentState[] {
    return this.#states;
  }

  get place(): unknown {
    return this.#manifest.place;
  }

  get origin(): IndexOrigin | undefined {
    return this.#manifest.origin;
  }

  get nextName(): number {
    return this.#manifest.nextName;
  }

  /** Goes on to the newest manifest; true where there was a newer one. */
  refresh(): boolean {
    for (let attempt = 1; ; attempt++) {
      const newest = newestManifest(this.#folder);
      if (newest <= this.#manifest.number) return false;
      try {
        readingIndex(() => this.#open(readManifest(this.#folder, newest)));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        if (attempt === ATTEMPTS) throw damagedIndex(error);
      }
    }
  }

  /** Removes files that no manifest names: a crash left them. */
  sweep(): void {
    const named = this.#fileNames();
    for (const name of this.#disk.list(this.#folder)) {
      if (OURS.test(name) && !named.has(name)) this.#disk.remove(join(this.#folder, name));
    }
  }

  /** Makes segments, without the documents that are gone, the state of the index. The segments are durable already. */
  async publish(
    segments: readonly { readonly segment: Segment; readonly deletions: Deletions }[],
    gone: ReadonlyMap<Segment, Iterable<number>>,
    nextName: number,
    place: unknown,
  ): Promise<void> {
    const number = this.#manifest.number + 1;
    const before = this.#fileNames();
    const known = new Map(this.#states.map((state) => [state.segment, state]));
    const states: SegmentState[] = [];
    for (const { segment, deletions } of segments) {
      const state = known.get(segment);
      const documents = gone.get(segment);
      const next = documents === undefined ? deletions : deletions.with(documents);
      // Of a segment that has nothing left nothing stays.
      if (next.count >= segment.documents) continue;
      if (state !== undefined && next.count === state.deletions.count) states.push(state);
      else if (next.count === 0) states.push(stateOf(segment, next, undefined));
      else {
        states.push(stateOf(segment, next, await this.#writeDeletions(segment, next, number)));
      }
    }
    const origin = this.#manifest.origin ?? this.#newOrigin?.();
    const manifest: Manifest = {
      number,
      segments: states.map(({ segment, deletionsFile }) =>
        deletionsFile === undefined ? { name: segment.name } : { name: segment.name, deletions: deletionsFile },
      ),
      nextName,
      place,
      ...(origin === undefined ? {} : { origin }),
    };
    await writeManifest(this.#disk, this.#folder, manifest);
    const kept = new Set(states.map(({ segment }) => segment));
    const held = new Set([...known.keys(), ...segments.map(({ segment }) => segment)]);
    this.#manifest = manifest;
    this.#states = states;
    for (const segment of held) if (!kept.has(segment)) segment.release();
    const named = this.#fileNames();
    for (const segment of held) for (const part of SEGMENT_PARTS) before.add(`${segment.name}.${part}`);
    for (const name of before) if (!named.has(name)) this.#disk.remove(join(this.#folder, name));
  }

  close(): void {
    for (const { segment } of this.#states) segment.release();
    this.#states = [];
  }

  #open(manifest: Manifest): void {
    const known = new Map(this.#states.map((state) => [state.segment.name, state]));
    const opened: SegmentState[] = [];
    try {
      for (const named of manifest.segments) {
        const state = known.get(named.name);
        if (state !== undefined && state.deletionsFile === named.deletions) {
          state.segment.hold();
          opened.push(state);
        } else opened.push(openState(this.#folder, named, this.#cache, state?.segment));
      }
    } catch (error) {
      for (const { segment } of opened) segment.release();
      throw error;
    }
    for (const { segment } of this.#states) segment.release();
    this.#manifest = manifest;
    this.#states = opened;
  }

  async #writeDeletions(segment: Segment, deletions: Deletions, number: number): Promise<string> {
    const name = `${segment.name}.deleted-${number}`;
    const file = this.#disk.create(join(this.#folder, name));
    try {
      file.append(deletions.bits);
      await file.sync();
    } finally {
      file.close();
    }
    return name;
  }

  #fileNames(): Set<string> {
    const names = new Set<string>([manifestName(this.#manifest.number)]);
    for (const { name, deletions } of this.#manifest.segments) {
      for (const part of SEGMENT_PARTS) names.add(`${name}.${part}`);
      if (deletions !== undefined) names.add(deletions);
    }
    return names;
  }
}
