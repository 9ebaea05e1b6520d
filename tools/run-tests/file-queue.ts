export interface QueuedFile {
  readonly path: string;
  /** Files of one group use the same modules. */
  readonly group: string;
  /** About how long it takes, in whatever unit. */
  readonly weight: number;
}

/**
 * Gives out files to several takers, heavy ones first: what takes long must not be begun last. Who has taken one of a group gets the
 * next of it, so that its modules are loaded and compiled in few processes; who finds none left goes where the most is left for each.
 */
export class FileQueue {
  readonly #groups: Map<string, QueuedFile[]>;
  readonly #takers = new Map<object, string>();

  constructor(files: readonly QueuedFile[]) {
    this.#groups = Map.groupBy(
      files.toSorted((a, b) => b.weight - a.weight),
      ({ group }) => group,
    );
  }

  get length(): number {
    return this.#groups.values().reduce((sum, { length }) => sum + length, 0);
  }

  /** Undefined when none is left. */
  take(taker: object): string | undefined {
    const last = this.#takers.get(taker);
    const group = last !== undefined && this.#left(last) > 0 ? last : this.#fullest(taker);
    if (group === undefined) return undefined;
    this.#takers.set(taker, group);
    return this.#groups.get(group)?.shift()?.path;
  }

  /** It takes no more. */
  leave(taker: object): void {
    this.#takers.delete(taker);
  }

  #fullest(taker: object): string | undefined {
    this.leave(taker);
    const takers = Map.groupBy(this.#takers.values(), (group) => group);
    const share = (group: string): number => this.#left(group) / (1 + (takers.get(group)?.length ?? 0));
    const [first] = [...this.#groups.keys()]
      .filter((group) => this.#left(group) > 0)
      .sort((a, b) => share(b) - share(a));
    return first;
  }

  #left(group: string): number {
    return this.#groups.get(group)?.reduce((sum, { weight }) => sum + weight, 0) ?? 0;
  }
}
