import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { Fetcher } from '../../contracts/fetcher.ts';
import type { BodyMemory } from '../../fetch/body/body-memory.ts';
import type { Plugins } from '../../plugins/plugins.ts';
import { openArchiveNetwork } from '../foreign/archive-network.ts';
import { isReplay } from '../foreign/replay-settings.ts';
import { type Network, openNetwork } from './open-network.ts';

/** Where the pages of a crawl come from. */
export type Source = Omit<Network, 'dns'>;

export interface SourceOptions {
  readonly folder: string;
  readonly settings: Settings;
  readonly version: string;
  readonly clock: Clock;
  readonly memory?: BodyMemory;
  readonly schemes?: Plugins['fetchers'];
  /** Who reads files of this machine. */
  readonly files?: Fetcher;
}

/** The network; of a crawl that is answered from archives, these and nothing else. */
export function openSource({ folder, settings, version, clock, memory, schemes, files }: SourceOptions): Source {
  if (isReplay(settings)) return openArchiveNetwork(folder, settings, clock);
  return openNetwork(settings, version, clock, memory, schemes, files);
}
