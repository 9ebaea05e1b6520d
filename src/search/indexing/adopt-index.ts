import { join } from 'node:path';
import { type IndexDisk, nodeIndexDisk } from '../../index/store/index-disk.ts';
import {
  type IndexOrigin,
  type ManifestSegment,
  newestManifest,
  readManifest,
  writeManifest,
} from '../../index/store/manifest.ts';
import { SEGMENT_PARTS, segmentPath } from '../../index/store/segment-path.ts';

const SEGMENT_FILE = /^segment-(\d+)\./;

/**
 * Makes the index of one folder that of another, at once: its segments get names that are free there, and only the
 * manifest, written last, makes them count. Until then the index is the old one; readers go over by themselves, and the
 * next writer sweeps what is left of the old. It stays the index that it was, as those know it that are fed from it, in another
 * generation. The caller is the only writer of both.
 */
export async function adoptIndex(from: string, to: string, disk: IndexDisk = nodeIndexDisk): Promise<void> {
  const made = readManifest(from, newestManifest(from));
  const number = newestManifest(to) + 1;
  let free = 1;
  for (const name of disk.list(to)) free = Math.max(free, Number(SEGMENT_FILE.exec(name)?.[1] ?? 0) + 1);
  const segments: ManifestSegment[] = [];
  for (const { name, deletions } of made.segments) {
    const here = `segment-${free++}`;
    for (const part of SEGMENT_PARTS) disk.rename(segmentPath(from, name, part), segmentPath(to, here, part));
    if (deletions === undefined) segments.push({ name: here });
    else {
      const gone = `${here}.deleted-${number}`;
      disk.rename(join(from, deletions), join(to, gone));
      segments.push({ name: here, deletions: gone });
    }
  }
  const origin = made.origin && { ...made.origin, id: originOf(to)?.id ?? made.origin.id, generation: number };
  const manifest = { number, segments, nextName: free, place: made.place };
  await writeManifest(disk, to, origin === undefined ? manifest : { ...manifest, origin });
}

/** Which index it was; undefined where it cannot be read, which is why it is rebuilt. */
function originOf(folder: string): IndexOrigin | undefined {
  try {
    return readManifest(folder, newestManifest(folder)).origin;
  } catch {
    return undefined;
  }
}
