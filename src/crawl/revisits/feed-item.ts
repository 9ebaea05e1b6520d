import { fingerprint } from '../../base/fingerprint.ts';
import type { FeedEntry } from '../../extract/feed/feed.ts';

/** What a feed says of an item besides its address. */
export interface FeedItem {
  /** What tells the item, as it is now, from others and from what it was; its date aside. */
  readonly mark: number;
  /** When it was last updated, ms. */
  readonly date?: number;
}

export function feedItemOf({ id, link, title, updated, published }: FeedEntry): FeedItem {
  const mark = Number(fingerprint(`${id ?? ''}\n${link ?? ''}\n${title?.value ?? ''}`) & 0xffff_ffffn);
  const date = updated?.at ?? published?.at;
  return date === undefined || date < 0 ? { mark } : { mark, date: Math.floor(date) };
}
