import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';
import type { IndexDisk } from './index-disk.ts';

/** Of the files of an index. Those of 6 look the same, but their terms beyond ASCII may be out of order, so that they are not found. */
export const INDEX_FORMAT = 7;
/** Read as it is: it has no renewed anchors. */
const FORMAT_BEFORE = 5;
const NAME = /^manifest-(\d+)\.json$/;

export interface ManifestSegment {
  readonly name: string;
  /** File of the deleted documents; absent when there are none. */
  readonly deletions?: string;
}

/** Which index this is, for others that are fed from it. */
export interface IndexOrigin {
  /** Stays when the index is rebuilt. */
  readonly id: string;
  /** Another one for every rebuild. */
  readonly generation: number;
  /** What `analysisPrint` makes of the analysis that the index was begun with. */
  readonly analysis: string;
}

/** A state of the index: whatever it does not name is not part of it. */
export interface Manifest {
  readonly number: number;
  readonly segments: readonly ManifestSegment[];
  /** The number the next segment gets. */
  readonly nextName: number;
  readonly place: unknown;
  /** Absent until the first commit, and in indexes of earlier versions until the next one. */
  readonly origin?: IndexOrigin;
}

/** Of a form that has to be made anew. */
export function isOutdated(format: number): boolean {
  return format < INDEX_FORMAT && format !== FORMAT_BEFORE;
}

export function manifestName(number: number): string {
  return `manifest-${number}.json`;
}

/** The number of the newest manifest; 0 where there is none. */
export function newestManifest(folder: string): number {
  let newest = 0;
  for (const name of listIfThere(folder)) {
    const match = NAME.exec(name);
    if (match !== null) newest = Math.max(newest, Number(match[1]));
  }
  return newest;
}

export function readManifest(folder: string, number: number): Manifest {
  if (number === 0) return { number: 0, segments: [], nextName: 1, place: undefined };
  const read = JSON.parse(readFileSync(join(folder, manifestName(number)), 'utf8')) as Manifest & { format: number };
  if (isOutdated(read.format)) {
    throw new OrbweaverError('INDEX_OUTDATED', `The search index in ${folder} has an older form.`, {
      remedy: 'To rebuild it from what is stored: orbweaver index --rebuild',
    });
  }
  if (read.format > INDEX_FORMAT) {
    throw new OrbweaverError('FOLDER_NEWER_VERSION', `The index in ${folder} was written by a newer version.`);
  }
  return read;
}

/** All or nothing: the name appears only when what it names, and it itself, would survive a power failure. */
export async function writeManifest(disk: IndexDisk, folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, manifestName(manifest.number));
  const file = disk.create(`${path}.new`);
  try {
    file.append(Buffer.from(JSON.stringify({ format: INDEX_FORMAT, ...manifest })));
    await file.sync();
  } finally {
    file.close();
  }
  // The names of the segments must not be lost where that of the manifest lasts.
  disk.syncFolder(folder);
  disk.rename(`${path}.new`, path);
  disk.syncFolder(folder);
}

function listIfThere(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
