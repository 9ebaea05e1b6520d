import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import { PushConsumer, type PushConsumerParts } from './push-consumer.ts';
import { PushInbox } from './push-inbox.ts';

interface PushSources extends Pick<PushConsumerParts, 'order' | 'clock'> {
  readonly folder: string;
  readonly state: OwnedPartition;
}

/** Reads on from where the folder remembers. */
export function openPushConsumer(
  { folder, state, order, clock }: PushSources,
  heard: Pick<PushConsumerParts, 'filter' | 'urlOptions' | 'scheduler'>,
): PushConsumer {
  const inbox = new PushInbox(folder, state.read<number>('push') ?? 0, (place) => state.write('push', place));
  return new PushConsumer({ ...heard, inbox, frontier: state.frontier, order, clock });
}
