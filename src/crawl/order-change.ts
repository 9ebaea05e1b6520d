import type { Settings } from '../base/settings/schema.ts';
import type { EarlierRuns } from '../contracts/crawl-order.ts';
import { lanesOf, orderOf } from './settings-to-parts.ts';

/** The order by which waiting URLs got their places; a crawl folder remembers it. */
export interface OrderSnapshot {
  readonly order: string;
  readonly lanes: number;
  readonly boosts: Readonly<Record<string, number>>;
}

export function keptOrder(settings: Settings): OrderSnapshot {
  return { order: orderOf(settings), lanes: lanesOf(settings), boosts: { ...settings.boost } };
}

/** Undefined where nothing is known of an earlier order, or where it was the same. */
export function orderChange(before: OrderSnapshot | undefined, settings: Settings): EarlierRuns['changed'] {
  if (before === undefined) return undefined;
  const now = keptOrder(settings);
  const isPlain = ['breadth-first', 'depth-first', 'random'].includes(now.order);
  if (before.order !== now.order || (isPlain && before.lanes !== now.lanes)) return 'order';
  return written(before.boosts) === written(now.boosts) ? undefined : 'boosts';
}

function written(boosts: OrderSnapshot['boosts']): string {
  return JSON.stringify(Object.entries(boosts).sort(([one], [other]) => (one < other ? -1 : 1)));
}
