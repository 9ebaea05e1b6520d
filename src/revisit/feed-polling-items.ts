import { fingerprint } from '../base/fingerprint.ts';

/** What tells one item of a feed from the others. */
export interface FeedItemStamp {
  /** guid, id, or what stands in for it. */
  readonly id?: string;
  readonly url?: string;
  readonly title?: string;
  /** ms. */
  readonly published?: number;
  readonly updated?: number;
}

/** Marks of the items a feed has shown, oldest first: identity and state. Plain data. */
export type SeenItems = readonly (readonly [identity: string, state: string])[];

export interface FreshItem<T> {
  readonly item: T;
  /** 'updated': known, but it says that it has changed. */
  readonly why: 'new' | 'updated';
}

/** Items that have left a feed are remembered up to this many: some feeds show theirs in turns. */
const MIN_MEMORY = 200;

/**
 * Which items of a feed are news, in the order in which they should be crawled: new ones before updated ones, the newest
 * first. An item shown twice counts once.
 */
export function freshItems<T extends FeedItemStamp>(
  seen: SeenItems,
  items: readonly T[],
): { readonly fresh: readonly FreshItem<T>[]; readonly seen: SeenItems } {
  const known = new Map(seen);
  const shown = new Map<string, string>();
  const fresh: FreshItem<T>[] = [];
  for (const item of items) {
    const identity = identityOf(item);
    if (identity === undefined || shown.has(identity)) continue;
    const state = stateOf(item);
    shown.set(identity, state);
    const before = known.get(identity);
    if (before === undefined) fresh.push({ item, why: 'new' });
    else if (before !== state) fresh.push({ item, why: 'updated' });
    known.delete(identity);
  }
  fresh.sort((a, b) => Number(a.why === 'updated') - Number(b.why === 'updated') || timeOf(b.item) - timeOf(a.item));
  const room = Math.max(0, MIN_MEMORY - shown.size);
  const gone = room === 0 ? [] : [...known].slice(-room);
  return { fresh, seen: [...gone, ...shown] };
}

/** The id where there is one; feeds without ids are known by their links, and those without links by their titles. */
function identityOf(item: FeedItemStamp): string | undefined {
  const identity = item.id || item.url || item.title;
  return identity ? fingerprint(identity).toString(36) : undefined;
}

function stateOf(item: FeedItemStamp): string {
  return fingerprint(`${item.updated ?? ''}\n${item.url ?? ''}\n${item.title ?? ''}`).toString(36);
}

function timeOf(item: FeedItemStamp): number {
  const time = item.published ?? item.updated ?? 0;
  return Number.isFinite(time) ? time : 0;
}
