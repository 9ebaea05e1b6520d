import { rename, rm } from 'node:fs/promises';
import { diskError } from '../../base/disk-error.ts';
import type { ExportMark, ExportOutput } from '../../contracts/export.ts';
import { CheckpointClock } from './checkpoint-clock.ts';
import type { Compression } from './compression.ts';
import { PartFile } from './part-file.ts';
import { type PartNames, partNames } from './part-names.ts';
import { readPartState, removePartState, writePartState } from './part-state.ts';

export interface OutputToOpen {
  readonly path: string;
  /** Of the command: what another one has left is not gone on with. */
  readonly signature: string;
  readonly checkpointBytes: number;
  readonly compression?: Compression;
  /** Whatever was left is thrown away. */
  readonly restart?: boolean;
}

const DATA = 'data';

/** An export into a file, which gets its name when it is whole. */
export class FileOutput implements ExportOutput {
  /** Where the run that was cut off had come to. */
  readonly from: ExportMark | undefined;
  readonly #path: string;
  readonly #names: PartNames;
  readonly #signature: string;
  readonly #file: PartFile;
  readonly #clock: CheckpointClock;

  private constructor({ path, signature, checkpointBytes }: OutputToOpen, file: PartFile, from?: ExportMark) {
    this.#path = path;
    this.#names = partNames(path);
    this.#signature = signature;
    this.#file = file;
    this.#clock = new CheckpointClock(checkpointBytes);
    this.from = from;
  }

  static async open(output: OutputToOpen): Promise<FileOutput> {
    const { path, signature, restart, compression } = output;
    const names = partNames(path);
    const state = restart === true ? undefined : await readPartState(names.state);
    if (state?.signature === signature && state.files[DATA] !== undefined) {
      const file = await PartFile.open(names.data, state.files[DATA], compression);
      if (file !== undefined) return new FileOutput(output, file, state.mark);
    }
    await removePartState(names.state);
    const file = await PartFile.open(names.data, undefined, compression);
    return new FileOutput(output, file!);
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  get isDue(): boolean {
    return this.#clock.isDue;
  }

  async write(piece: Uint8Array | string): Promise<void> {
    const before = this.#file.bytes;
    await this.#file.write(piece);
    this.#clock.add(this.#file.bytes - before);
  }

  async checkpoint(mark: ExportMark): Promise<void> {
    this.#clock.restart();
    const length = await this.#file.sync();
    await writePartState(this.#names.state, { signature: this.#signature, mark, files: { [DATA]: length } });
  }

  /** The export is whole: it gets its name. Answers its length. */
  async finish(): Promise<number> {
    await this.#file.sync();
    const { stored } = await this.#file.close();
    await rename(this.#names.data, this.#path).catch((cause: unknown) => {
      throw diskError(cause, `the export ${this.#path}`);
    });
    await removePartState(this.#names.state);
    return stored;
  }

  /** What was left counts up to the last checkpoint. Where there was none, nothing is left. */
  async abandon(): Promise<void> {
    await this.#file.abandon();
    if ((await readPartState(this.#names.state)) === undefined) await rm(this.#names.data, { force: true });
  }
}
