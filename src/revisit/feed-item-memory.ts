/** What a feed showed of an item: what it is and says, as a number, and its date (seconds; 0 where it has none). */
export interface ShownItem {
  readonly mark: number;
  readonly date: number;
}

/** Items of each feed, 8 bytes each, as base64. Plain data. */
export type FeedItemsSnapshot = readonly (readonly [feed: string, items: string])[];

/** Feeds whose items are remembered; one that is forgotten counts as never read. */
const MOST_FEEDS = 4000;
/** This many items of a feed are remembered at most: whoever judges more would judge some of them again each time. */
export const MOST_ITEMS = 500;
/** Items that have left a feed are remembered up to this many: some feeds show theirs in turns. */
const MIN_MEMORY = 100;

/** Which items of feeds were seen, and in which state: so that nobody's word is taken twice for the same news. */
export class FeedItemMemory {
  readonly #feeds: Map<string, string>;

  constructor(kept: FeedItemsSnapshot = []) {
    this.#feeds = new Map(kept);
  }

  knows(feed: string): boolean {
    return this.#feeds.has(feed);
  }

  /** Dates (seconds) of the items that were shown, by their marks. */
  itemsOf(feed: string): ReadonlyMap<number, number> {
    const kept = this.#feeds.get(feed);
    if (kept === undefined) return new Map();
    const bytes = Buffer.from(kept, 'base64');
    const items = new Map<number, number>();
    for (let at = 0; at + 8 <= bytes.length; at += 8) items.set(bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4));
    return items;
  }

  /**
   * Adds what was shown, the newest first; the oldest beyond the limit are forgotten. `isWhole`: it is all that the feed shows
   * now, and tells how much is worth remembering; a single item that was sent says nothing of that.
   */
  add(feed: string, shown: readonly ShownItem[], isWhole = true): void {
    const items = new Map(this.itemsOf(feed));
    for (const { mark, date } of shown.toReversed()) {
      // What is shown again moves to the end: it is the last to be forgotten.
      items.delete(mark);
      items.set(mark, date);
    }
    const most = isWhole ? Math.min(MOST_ITEMS, Math.max(MIN_MEMORY, 2 * shown.length)) : MOST_ITEMS;
    const kept = [...items].slice(-most);
    const bytes = Buffer.alloc(8 * kept.length);
    for (const [at, [mark, date]] of kept.entries()) {
      bytes.writeUInt32LE(mark, 8 * at);
      bytes.writeUInt32LE(date, 8 * at + 4);
    }
    this.#feeds.delete(feed);
    this.#feeds.set(feed, bytes.toString('base64'));
    if (this.#feeds.size > MOST_FEEDS) this.#feeds.delete(this.#feeds.keys().next().value as string);
  }

  toJSON(): FeedItemsSnapshot {
    return [...this.#feeds];
  }
}

/** A date in whole seconds, as it is kept; 0 for one that cannot be kept. */
export function secondsOf(date: number | undefined): number {
  if (date === undefined || !(date > 0)) return 0;
  return Math.min(0xffff_ffff, Math.floor(date / 1000));
}
