import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cdxjOf } from '../../archive/archive-file-name.ts';
import type { ExportAbout } from '../../contracts/export.ts';
import { openPagesReader } from '../../engines/open-reader.ts';
import { hasState } from '../../engines/state-folder.ts';

/** Of the record of the last run, what matters here. */
interface RunOfFolder {
  readonly duplicatesOf?: readonly string[];
}

/** The archive folders of a crawl, then those of earlier crawls that its revisit records may refer to. */
export function archiveFolders({ folders }: Pick<ExportAbout, 'folders'>): string[] {
  const earlier = folders.flatMap((folder) => {
    if (!hasState(folder)) return [];
    using state = openPagesReader(folder);
    return state.read<RunOfFolder>('run')?.duplicatesOf ?? [];
  });
  return [...new Set([...folders, ...earlier])].map((folder) => join(folder, 'archive'));
}

/** Every line of the indexes of a crawl, as far as it is settled, in the order of writing; without their line feeds. */
export async function* indexLines({ folders }: Pick<ExportAbout, 'folders'>): AsyncGenerator<string> {
  for (const folder of folders) {
    if (!hasState(folder)) continue;
    using state = openPagesReader(folder);
    for (const [file, { indexEnd }] of state.archiveFiles()) {
      const path = join(folder, 'archive', cdxjOf(file));
      if (indexEnd === 0 || !existsSync(path)) continue;
      const lines = createInterface({ input: createReadStream(path, { end: indexEnd - 1 }) });
      for await (const line of lines) if (line !== '') yield line;
    }
  }
}
