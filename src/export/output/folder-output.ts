import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskError } from '../../base/disk-error.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { ExportFolder, ExportFolderFile, ExportMark } from '../../contracts/export.ts';
import { CheckpointClock } from './checkpoint-clock.ts';
import type { OutputToOpen } from './file-output.ts';
import { type FileLength, PartFile } from './part-file.ts';
import { type PartNames, partNames } from './part-names.ts';
import { readPartState, removePartState, writePartState } from './part-state.ts';

/** An export into a folder, which gets its name when it is whole. */
export class FolderOutput implements ExportFolder {
  readonly from: ExportMark | undefined;
  readonly #path: string;
  readonly #names: PartNames;
  readonly #signature: string;
  readonly #clock: CheckpointClock;
  readonly #open = new Map<string, PartFile>();
  /** Open at the checkpoint that this run goes on from, and not opened yet. */
  readonly #left: Map<string, FileLength>;
  #stored = 0;

  private constructor(
    { path, signature, checkpointBytes }: OutputToOpen,
    from?: ExportMark,
    left: Readonly<Record<string, FileLength>> = {},
  ) {
    this.#path = path;
    this.#names = partNames(path);
    this.#signature = signature;
    this.#clock = new CheckpointClock(checkpointBytes);
    this.#left = new Map(Object.entries(left));
    this.from = from;
  }

  static async open(output: OutputToOpen): Promise<FolderOutput> {
    const { path, signature, restart } = output;
    const names = partNames(path);
    try {
      const state = restart === true ? undefined : await readPartState(names.state);
      if (state?.signature === signature && (await isCut(names.data, state.files)))
        return new FolderOutput(output, state.mark, state.files);
      await removePartState(names.state);
      await rm(names.data, { recursive: true, force: true });
      await mkdir(names.data, { recursive: true });
      return new FolderOutput(output);
    } catch (cause) {
      throw diskError(cause, `the export ${path}`);
    }
  }

  get isDue(): boolean {
    return this.#clock.isDue;
  }

  /** Of the files that this run has closed. */
  get stored(): number {
    return this.#stored;
  }

  async file(path: string): Promise<ExportFolderFile> {
    const full = this.#inside(path);
    if (this.#open.has(path)) throw new OrbweaverError('INTERNAL', `${path} is open already.`);
    await mkdir(dirname(full), { recursive: true }).catch((cause: unknown) => {
      throw diskError(cause, `the export ${this.#path}`);
    });
    const file = await PartFile.open(full, this.#left.get(path));
    this.#left.delete(path);
    if (file === undefined) throw new OrbweaverError('STORAGE_FAILED', `${full} was changed while it was written.`);
    this.#open.set(path, file);
    const clock = this.#clock;
    return {
      get bytes() {
        return file.bytes;
      },
      write: async (piece) => {
        const before = file.bytes;
        await file.write(piece);
        clock.add(file.bytes - before);
      },
      close: async () => {
        this.#open.delete(path);
        this.#stored += (await file.close()).stored;
      },
    };
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(this.#inside(from), this.#inside(to));
  }

  async checkpoint(mark: ExportMark): Promise<void> {
    this.#clock.restart();
    const files: Record<string, FileLength> = Object.fromEntries(this.#left);
    for (const [path, file] of this.#open) files[path] = await file.sync();
    await writePartState(this.#names.state, { signature: this.#signature, mark, files });
  }

  async finish(): Promise<number> {
    for (const path of this.#open.keys()) throw new OrbweaverError('INTERNAL', `${path} was not closed.`);
    // An empty folder may be there already; one with anything in it is left alone.
    await rmdir(this.#path).catch(() => {});
    await rename(this.#names.data, this.#path).catch((cause: unknown) => {
      throw diskError(cause, `the export ${this.#path}`);
    });
    await removePartState(this.#names.state);
    return this.#stored;
  }

  async abandon(): Promise<void> {
    for (const file of this.#open.values()) await file.abandon();
    if ((await readPartState(this.#names.state)) === undefined)
      await rm(this.#names.data, { recursive: true, force: true });
  }

  /** Names come from URLs of strangers: none may lead out of the folder. */
  #inside(path: string): string {
    const parts = path.split('/');
    const isSafe = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\0\\]/.test(part));
    if (!isSafe) throw new OrbweaverError('INTERNAL', `${JSON.stringify(path)} is no path inside an export.`);
    return join(this.#names.data, ...parts);
  }
}

/** Cuts files to what counts of them. False where one is missing or shorter. */
async function isCut(folder: string, files: Readonly<Record<string, FileLength>>): Promise<boolean> {
  for (const [path, length] of Object.entries(files)) {
    const file = await PartFile.open(join(folder, path), length);
    if (file === undefined) return false;
    await file.close();
  }
  return true;
}
