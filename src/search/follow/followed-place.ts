interface KeptPlace {
  readonly archive?: Readonly<Record<string, unknown>>;
}

/** How far each archive file has been taken into the index; part of the commits of the index and of the links. */
export class FollowedPlace {
  readonly #files = new Map<string, number>();

  /** What the last commits were told; of several the one that is farther back counts. */
  constructor(...kept: readonly unknown[]) {
    const places = kept.map((place) => (place as KeptPlace | undefined | null)?.archive ?? {});
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

  toCommit(): { readonly archive: Readonly<Record<string, number>> } {
    return { archive: Object.fromEntries(this.#files) };
  }
}
