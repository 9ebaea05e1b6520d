interface PlaceSnapshot {
  readonly archive?: Readonly<Record<string, unknown>>;
  readonly excluded?: readonly string[];
}

/** What the commits are told. */
export interface CommittedPlace {
  readonly archive: Readonly<Record<string, number>>;
  readonly excluded?: readonly string[];
}

/** How far each archive file has been taken into the index, and which pages were left out; part of the commits of the index and of the links. */
export class FollowedPlace {
  readonly #files = new Map<string, number>();
  /** Patterns of pages that were left out of the index. */
  excluded: readonly string[];

  /** What the last commits were told; of several the one that is farther back counts. */
  constructor(...kept: readonly unknown[]) {
    this.excluded = (kept[0] as PlaceSnapshot | undefined | null)?.excluded ?? [];
    const places = kept.map((place) => (place as PlaceSnapshot | undefined | null)?.archive ?? {});
    for (const file of Object.keys(places[0] ?? {})) {
      const ends = places.map((place) => place[file]);
      if (ends.every((end) => typeof end === 'number')) this.#files.set(file, Math.min(...ends));
    }
  }

  of(file: string): number {
    return this.#files.get(file) ?? 0;
  }

  advance(file: string, to: number): void {
    this.#files.set(file, to);
  }

  toCommit(): CommittedPlace {
    const { excluded } = this;
    return { archive: Object.fromEntries(this.#files), ...(excluded.length === 0 ? {} : { excluded }) };
  }
}
