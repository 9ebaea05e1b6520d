const MOST = 100_000;
const MOST_KEPT = 20_000;
/** Between the names of several mirrors; no origin holds one. */
const BLANK = ' ';

interface StandInsSnapshot {
  /** Per set of mirrors the pages they wait for. */
  readonly awaited?: readonly (readonly [mirrors: string, pages: string])[];
  readonly lacking?: string;
}

/**
 * Pages of originals that are asked for in place of the same page of a mirror, and pages that an original was found not
 * to give: those are asked for on the mirror after all. Pages are told by the fingerprints of their URLs on the original.
 * Bounded: the oldest are forgotten.
 */
export class StandIns {
  readonly #most: number;
  /** The mirrors on which a page was not asked for. */
  readonly #awaited = new Map<bigint, string>();
  readonly #lacking = new Set<bigint>();

  constructor(most = MOST) {
    this.#most = most;
  }

  get awaiting(): boolean {
    return this.#awaited.size > 0;
  }

  /** Whether the original was asked for the page and did not give it. */
  lacks(page: bigint): boolean {
    return this.#lacking.has(page);
  }

  /** The page is asked for in place of that of a mirror. */
  standsFor(page: bigint, mirror: string): void {
    const before = this.#awaited.get(page);
    if (before === undefined) {
      if (this.#awaited.size >= this.#most) this.#awaited.delete(oldest(this.#awaited));
      this.#awaited.set(page, mirror);
    } else if (!before.split(BLANK).includes(mirror)) this.#awaited.set(page, before + BLANK + mirror);
  }

  gave(page: bigint): void {
    this.#awaited.delete(page);
    this.#lacking.delete(page);
  }

  /** The mirrors for which the page stands. */
  mirrorsOf(page: bigint): readonly string[] {
    return this.#awaited.get(page)?.split(BLANK) ?? [];
  }

  /** The original does not give the page: it stands for nothing any more. */
  lacked(page: bigint): void {
    this.#awaited.delete(page);
    if (!this.#lacking.has(page) && this.#lacking.size >= this.#most) this.#lacking.delete(oldest(this.#lacking));
    this.#lacking.add(page);
  }

  /** Plain JSON; the latest of each. */
  snapshot(): unknown {
    const groups = Map.groupBy(latest(this.#awaited), ([, mirrors]) => mirrors);
    const awaited = Array.from(groups, ([mirrors, entries]) => [mirrors, toText(entries.map(([page]) => page))]);
    return { awaited, lacking: toText(latest(this.#lacking)) };
  }

  restore(snapshot: unknown): void {
    this.#awaited.clear();
    this.#lacking.clear();
    const { awaited = [], lacking = '' } = (snapshot ?? {}) as StandInsSnapshot;
    for (const [mirrors, pages] of awaited) for (const page of fromText(pages)) this.#awaited.set(page, mirrors);
    for (const page of fromText(lacking)) this.#lacking.add(page);
  }
}

/** Maps and sets keep the order in which things came. */
function oldest(kept: ReadonlyMap<bigint, unknown> | ReadonlySet<bigint>): bigint {
  return kept.keys().next().value as bigint;
}

function latest<T>(kept: Iterable<T> & { readonly size: number }): T[] {
  return [...kept].slice(-MOST_KEPT);
}

function toText(pages: readonly bigint[]): string {
  return Buffer.from(BigUint64Array.from(pages).buffer).toString('base64');
}

function fromText(text: string): BigUint64Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return new BigUint64Array(bytes.buffer, 0, bytes.length >> 3);
}
