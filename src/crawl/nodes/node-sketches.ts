import type { ContentSketch } from '../../contracts/content/content-sketch.ts';
import type { SketchKeeper } from '../../contracts/state/sketch-keeper.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { documentIn, documentNumber, documentPlace } from '../../frontier/partition-of.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { NodePartitions } from './node-partitions.ts';

/** The sketches of the partitions that a node has. Pages of other nodes are compared with nothing here. */
export class NodeSketches implements SketchKeeper {
  readonly #partitions: NodePartitions;
  /** The last number in each partition, by what it was opened as. */
  readonly #last = new WeakMap<object, number>();

  constructor(partitions: NodePartitions) {
    this.#partitions = partitions;
  }

  next(url: CanonicalUrl): number {
    const number = this.#partitions.numberOf(hostKeyOf(url));
    const attached = this.#partitions.get(number);
    // Its partition is lost: what is made of the page is never written.
    if (attached === undefined) return number;
    const last = this.#last.get(attached) ?? attached.partition.sketches.last();
    const next = documentNumber(documentPlace(last) + 1, number);
    this.#last.set(attached, next);
    return next;
  }

  contentSketch(document: number): ContentSketch | undefined {
    return this.#of(document)?.contentSketch(document);
  }

  left(document: number): ContentSketch | undefined {
    return this.#of(document)?.left(document);
  }

  urlOf(document: number): CanonicalUrl | undefined {
    return this.#of(document)?.urlOf(document);
  }

  nearTo(document: number): number | undefined {
    return this.#of(document)?.nearTo(document);
  }

  members(document: number): readonly number[] {
    return this.#partitions.all.flatMap(({ partition }) => partition.sketches.members(document));
  }

  /** Of the partitions that it has by now. */
  any(): ContentSketch | undefined {
    for (const { partition } of this.#partitions.all) {
      const found = partition.sketches.any();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  last(): number {
    return 0;
  }

  *all(): Generator<readonly [document: number, contentSketch: ContentSketch]> {
    for (const { partition } of this.#partitions.all) yield* partition.sketches.all();
  }

  #of(document: number): SketchKeeper | undefined {
    return this.#partitions.get(documentIn(document))?.partition.sketches;
  }
}
