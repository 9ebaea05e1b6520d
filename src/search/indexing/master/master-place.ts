import { hostname } from 'node:os';
import { OrbweaverError } from '../../../base/errors.ts';
import { newestManifest, readManifest } from '../../../index/store/manifest.ts';
import { indexFolder } from '../index-folder.ts';

/** An index that a master is fed from, as far as it was taken. */
export interface FedSource {
  /** Among the sources of the master, from 0; never given to another. */
  readonly number: number;
  /** Of its index, which keeps it when it is rebuilt. */
  readonly id: string;
  readonly generation: number;
  /** The crawl folder, and the machine that it was on. */
  readonly folder: string;
  readonly machine: string;
  /** File of its ledger, in the folder of the index. */
  readonly ledger: string;
  /** That it has, whether the copy of another source counts or not. */
  readonly documents: number;
  /** When the state was read that was taken last, ms. */
  readonly at: number;
}

/** The place of a master index: how far each source was taken. Part of the commit that takes it. */
export interface MasterPlace {
  readonly sources: readonly FedSource[];
  /** The number that the next ledger file gets. */
  readonly nextLedger: number;
}

/** What the commit of an index says of its sources; undefined where it is no master. */
export function masterPlaceOf(place: unknown): MasterPlace | undefined {
  return (place as { readonly master?: MasterPlace } | undefined | null)?.master;
}

/** The sources of the master index of a folder; undefined where there is none. */
export function readMaster(folder: string): MasterPlace | undefined {
  const place = indexFolder(folder);
  for (;;) {
    try {
      const newest = newestManifest(place);
      return newest === 0 ? undefined : masterPlaceOf(readManifest(place, newest).place);
    } catch (error) {
      // An older form, or what is no folder, is no master, and whoever opens it tells of it; one that is gone was followed by another.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
    }
  }
}

/** A path of another machine says nothing here. */
export function isOnThisMachine({ machine }: Pick<FedSource, 'machine'>): boolean {
  return machine === hostname();
}

/** A master index is fed by others: nothing else writes to it. */
export function refuseMaster(folder: string, master = readMaster(folder)): void {
  if (master === undefined) return;
  throw new OrbweaverError(
    'USAGE',
    `The index in ${folder} is a master index, which is fed by those of other folders.`,
    {
      remedy: 'To feed it: orbweaver index --dir MASTER --from FOLDER. For a crawl, name another folder with --dir.',
    },
  );
}
