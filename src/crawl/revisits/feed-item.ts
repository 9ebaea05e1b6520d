import { fingerprint } from '../../base/fingerprint.ts';
import type { FeedEntry } from '../../extract/feed/feed.ts';

/** What a feed says of an item besides its address. */
export interface FeedItem {
  /** What tells the item, as it is now, from others and from what it was; its date aside. */
  readonly mark: number;
  /** When it was last updated, ms. */
  readonly date?: number;
}

/** What a feed says of an item, where links have their rel. */
export function writeFeedItem({ id, link, title, updated, published }: FeedEntry): string {
  const mark = fingerprint(`${id ?? ''}\n${link ?? ''}\n${title?.value ?? ''}`) & 0xffff_ffffn;
  const date = updated?.at ?? published?.at;
  return `item:${mark.toString(36)}${date === undefined || date < 0 ? '' : `;date:${Math.floor(date)}`}`;
}

/** Undefined where the rel is not that of an item. */
export function readFeedItem(rel: string): FeedItem | undefined {
  const match = /^item:([0-9a-z]{1,8})(?:;date:(\d{1,16}))?$/.exec(rel);
  if (match === null) return undefined;
  return { mark: Number.parseInt(match[1], 36) >>> 0, ...(match[2] === undefined ? {} : { date: Number(match[2]) }) };
}
