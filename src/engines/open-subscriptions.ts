import type { Subscriptions } from '../contracts/state/subscriptions.ts';
import { SqliteSubscriptions } from './sqlite/sqlite-subscriptions.ts';

/** Opens the subscriptions of a crawl folder; made where there are none. */
export function openSubscriptions(folder: string): Subscriptions {
  return new SqliteSubscriptions(folder);
}
