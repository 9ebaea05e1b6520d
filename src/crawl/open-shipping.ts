import { ArchiveShipper, type UnshippedFiles } from '../archive/shipping/archive-shipper.ts';
import { openObjectStore, requireCredentials } from '../archive/shipping/open-object-store.ts';
import { ShippedMarkers } from '../archive/shipping/shipped-markers.ts';
import type { Clock } from '../base/clock.ts';
import { parseArchiveStore } from '../base/settings/archive-store.ts';
import type { Settings } from '../base/settings/schema.ts';
import type { CrawlEvents } from '../contracts/events.ts';
import type { ShippedFiles } from '../contracts/shipped-file.ts';
import type { OwnedPartition } from '../contracts/state/owned-partition.ts';
import { archiveFolder } from './crawl-folder.ts';
import type { OpenedNode } from './nodes/open-node.ts';
import type { EventHub } from './report/event-hub.ts';

export interface ShippingToOpen {
  readonly folder: string;
  readonly settings: Settings;
  readonly state: OwnedPartition;
  /** Of a crawl in a database: where others read what was shipped. */
  readonly shipped?: ShippedFiles;
  readonly node?: Pick<OpenedNode, 'id' | 'settledFiles' | 'membership'>;
  readonly events: EventHub<CrawlEvents>;
  readonly clock: Clock;
  readonly random: () => number;
}

export interface OpenedShipping extends AsyncDisposable {
  /** Ships what is left when the crawl, or the part of this node in it, is over. */
  finish(): Promise<UnshippedFiles>;
}

/** A store that is away for longer is left to the next run. */
const PATIENCE_MS = 30_000;
const ARCHIVE_KEYS = 'archive-keys';

/** Begins to ship archive files beside the crawl; undefined where they stay in the folder. */
export async function openShipping(toOpen: ShippingToOpen): Promise<OpenedShipping | undefined> {
  const { folder, settings, state, shipped, node, events, clock, random } = toOpen;
  const address = parseArchiveStore(settings.archiveStore);
  if (address === undefined) return undefined;
  await requireCredentials();
  const markers = new ShippedMarkers(archiveFolder(folder));
  const shipper = new ArchiveShipper({
    folder: archiveFolder(folder),
    openStore: (signal, at) => openObjectStore(at, { signal }),
    address: settings.archiveStore,
    prefix: `${address.prefix}${node?.id ?? ownKeys(state, random)}/`,
    settled: async () => (node === undefined ? state.archiveFiles() : await node.settledFiles()),
    shipped: shipped === undefined ? [markers] : [markers, shipped],
    deletes: settings.archiveLocal === 'delete',
    ...{ clock, random },
    onTrouble: (message) => events.emit('warning', { code: 'ARCHIVE_STORE', message }),
  });
  await shipper.start();
  return {
    async finish() {
      // Others need not wait for the last file of this node.
      await node?.membership.leave();
      return await shipper.finish(PATIENCE_MS);
    },
    [Symbol.asyncDispose]: () => shipper[Symbol.asyncDispose](),
  };
}

/** Two crawls that are shipped to one place have keys apart. */
function ownKeys(state: OwnedPartition, random: () => number): string {
  const known = state.read<string>(ARCHIVE_KEYS);
  if (known !== undefined) return known;
  const keys = `crawl-${[0, 1]
    .map(() =>
      Math.floor(random() * 36 ** 8)
        .toString(36)
        .padStart(8, '0'),
    )
    .join('')}`;
  state.write(ARCHIVE_KEYS, keys);
  return keys;
}
