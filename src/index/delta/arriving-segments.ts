import { readFileSync } from 'node:fs';
import { OrbweaverError } from '../../base/errors.ts';
import type { ExchangeBasis, IndexExchange } from '../index-exchange.ts';
import { faultOf } from '../store/check-segments.ts';
import { Deletions } from '../store/deletions.ts';
import type { Segment } from '../store/segment.ts';
import { SEGMENT_PARTS, type SegmentPart, segmentPath } from '../store/segment-path.ts';
import type { SectionsReader } from './delta-sections.ts';
import type { DeltaHead } from './make-delta.ts';
import { restampSegment, type Standing } from './restamp-segment.ts';

/** A segment of a delta, in the folder of the index under a name of its own; no manifest names it yet. */
export interface ArrivedSegment {
  readonly segment: Segment;
  /** Documents that do not count in the delta. */
  readonly deletions: Deletions;
  /** Documents that are not taken. */
  readonly dropped: Set<number>;
}

/** The files of an exchange: those that arrive, and those that are written again for ranks and clusters. */
export class ArrivingSegments {
  readonly #basis: ExchangeBasis;
  readonly #delta: SectionsReader<DeltaHead>;
  readonly #names: string[] = [];
  readonly #opened = new Set<Segment>();
  #arrived: ArrivedSegment[] = [];

  constructor(basis: ExchangeBasis, delta: SectionsReader<DeltaHead>) {
    this.#basis = basis;
    this.#delta = delta;
  }

  async extract(): Promise<readonly ArrivedSegment[]> {
    const { folder } = this.#basis;
    for (const [number, { documents, hasDeletions }] of this.#delta.head.segments.entries()) {
      const name = this.#newName();
      for (const part of SEGMENT_PARTS) await this.#write(name, part, this.#delta.section(`segment-${number}.${part}`));
      const segment = opening(number, () => this.#open(name));
      const fault = opening(number, () => faultOf(folder, segment));
      if (fault !== undefined) throw damaged(number, fault);
      if (segment.documents !== documents) throw damaged(number, 'it has another number of documents');
      const bits = hasDeletions ? this.#delta.whole(`segment-${number}.deleted`) : undefined;
      if (bits !== undefined && bits.length !== (documents + 7) >> 3) throw damaged(number, 'its deletions do not fit');
      const deletions = bits === undefined ? Deletions.none(documents) : new Deletions(bits);
      this.#arrived.push({ segment, deletions, dropped: new Set() });
    }
    return this.#arrived;
  }

  /** What the commit takes; segments whose ranks or clusters change are written again. */
  async finish(
    gone: ReadonlyMap<Segment, Set<number>>,
    standings: ReadonlyMap<Segment, ReadonlyMap<number, Standing>>,
    clusterHere: (cluster: number) => number,
  ): Promise<Omit<IndexExchange, 'place'>> {
    const goneNow = new Map<Segment, Set<number>>(gone);
    const replaced = new Map<Segment, Segment>();
    for (const [segment, changes] of standings) {
      const now = await this.#restamp(segment, (document, before) => changes.get(document) ?? before);
      replaced.set(segment, now);
      const documents = goneNow.get(segment);
      goneNow.delete(segment);
      if (documents !== undefined) goneNow.set(now, documents);
    }
    const arrived: { segment: Segment; deletions: Deletions }[] = [];
    for (const { segment, deletions, dropped } of this.#arrived) {
      const isSame = hasSameClusters(segment, clusterHere);
      const renumber = (_: number, { rank, cluster }: Standing): Standing => ({ rank, cluster: clusterHere(cluster) });
      const now = isSame ? segment : await this.#restamp(segment, renumber);
      if (!isSame) this.#forget(segment);
      arrived.push({ segment: now, deletions: deletions.with(dropped) });
    }
    return { replaced, arrived, gone: goneNow };
  }

  /** Removes what was written; the index is as it was. */
  discard(): void {
    for (const segment of this.#opened) segment.release();
    this.#opened.clear();
    for (const name of this.#names) this.#remove(name);
  }

  async #restamp(segment: Segment, standingOf: (document: number, before: Standing) => Standing): Promise<Segment> {
    const { disk, folder } = this.#basis;
    const name = this.#newName();
    const documents = readFileSync(segmentPath(folder, segment.name, 'documents'));
    await restampSegment({ disk, folder, segment, documents, name, standingOf });
    return this.#open(name);
  }

  async #write(name: string, part: SegmentPart, frames: Iterable<Uint8Array>): Promise<void> {
    const { disk, folder } = this.#basis;
    const file = disk.create(segmentPath(folder, name, part));
    try {
      for (const frame of frames) file.append(frame);
      await file.sync();
    } finally {
      file.close();
    }
  }

  #open(name: string): Segment {
    const segment = this.#basis.open(name);
    this.#opened.add(segment);
    return segment;
  }

  /** It lives on under another name. */
  #forget(segment: Segment): void {
    this.#opened.delete(segment);
    segment.release();
    this.#remove(segment.name);
  }

  #newName(): string {
    const name = this.#basis.newName();
    this.#names.push(name);
    return name;
  }

  #remove(name: string): void {
    const { disk, folder } = this.#basis;
    for (const part of SEGMENT_PARTS) disk.remove(segmentPath(folder, name, part));
  }
}

function hasSameClusters(segment: Segment, clusterHere: (cluster: number) => number): boolean {
  const column = segment.columns.column('cluster');
  for (let document = 0; document < segment.documents; document++) {
    const cluster = column.at(document);
    if (clusterHere(cluster) !== cluster) return false;
  }
  return true;
}

/** Bytes that are no segment make anything fail. */
function opening<T>(number: number, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError)
      throw damaged(number, error.message);
    throw error;
  }
}

function damaged(number: number, why: string): OrbweaverError {
  return new OrbweaverError('INPUT_INVALID', `Segment ${number} of the delta cannot be used: ${why}.`, {
    remedy: 'Make a whole one: orbweaver index --dir FOLDER --delta FILE --whole',
  });
}
