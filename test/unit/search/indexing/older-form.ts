import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestName, newestManifest } from '../../../../src/index/store/manifest.ts';
import { indexFolder } from '../../../../src/search/indexing/index-folder.ts';

/** Lets the index of a folder look like one that an earlier version wrote. */
export function giveOlderForm(folder: string, format = 1): void {
  const place = indexFolder(folder);
  const manifest = join(place, manifestName(newestManifest(place)));
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), format }));
}
