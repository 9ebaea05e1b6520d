import type { ShippedFile, ShippedFiles } from '../../contracts/shipped-file.ts';
import type { VersionedNotes } from '../../contracts/state/notes.ts';

const SCOPE = 'archive';

/** Which archive files of a crawl in a database were shipped: a note for each, for readers on other machines. */
export class ShippedNotes implements ShippedFiles {
  readonly #notes: VersionedNotes;

  constructor(notes: VersionedNotes) {
    this.#notes = notes;
  }

  async read(file: string): Promise<ShippedFile | undefined> {
    return (await this.#notes.read<ShippedFile | null>(SCOPE, file))?.value ?? undefined;
  }

  async write(file: string, shipped: ShippedFile): Promise<void> {
    await this.#replace(file, shipped);
  }

  async remove(file: string): Promise<void> {
    if ((await this.read(file)) !== undefined) await this.#replace(file, null);
  }

  async #replace(file: string, value: ShippedFile | null): Promise<void> {
    for (;;) {
      const before = await this.#notes.read(SCOPE, file);
      if (await this.#notes.write(SCOPE, file, value, before?.version ?? 0)) return;
    }
  }
}
