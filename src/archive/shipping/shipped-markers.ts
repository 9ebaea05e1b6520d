import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShippedFile, ShippedFiles } from '../../contracts/shipped-file.ts';
import { parseArchiveFileName } from '../archive-file-name.ts';

const ENDING = '.shipped';

/** Beside an archive file: where it was shipped to. Stays where the file itself is deleted. */
export function markerOf(file: string): string {
  return file.replace(/\.warc\.gz$/, ENDING);
}

/** The archive file that a marker speaks of; undefined for anything else. */
export function fileOfMarker(name: string): string | undefined {
  if (!name.endsWith(ENDING)) return undefined;
  const file = name.replace(/\.shipped$/, '.warc.gz');
  return parseArchiveFileName(file) === undefined ? undefined : file;
}

/** Which files of an archive folder were shipped: a small file beside each. */
export class ShippedMarkers implements ShippedFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(file: string): Promise<ShippedFile | undefined> {
    const text = await readFile(join(this.#folder, markerOf(file)), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
      throw error;
    });
    return text === undefined ? undefined : (JSON.parse(text) as ShippedFile);
  }

  /** Whole or not at all, and there after a power failure as well: the file it speaks of may be deleted next. */
  async write(file: string, shipped: ShippedFile): Promise<void> {
    const path = join(this.#folder, markerOf(file));
    await rm(`${path}.tmp`, { force: true });
    {
      await using draft = await open(`${path}.tmp`, 'wx');
      await draft.writeFile(`${JSON.stringify(shipped)}\n`);
      await draft.sync();
    }
    await rename(`${path}.tmp`, path);
    await using folder = await open(this.#folder, 'r');
    await folder.sync();
  }

  async remove(file: string): Promise<void> {
    await rm(join(this.#folder, markerOf(file)), { force: true });
  }
}
