import type { Writable } from 'node:stream';
import type { ExportOutput } from '../../contracts/export.ts';
import { BlockWriter } from './block-writer.ts';
import { CheckpointClock } from './checkpoint-clock.ts';
import type { Compression } from './compression.ts';

/** An export into a stream such as standard output: no faster than it is read. Nobody can go on with it. */
export class StreamOutput implements ExportOutput {
  readonly #blocks: BlockWriter;
  readonly #clock: CheckpointClock;

  constructor(stream: Writable, checkpointBytes: number, compression: Compression | undefined) {
    this.#blocks = new BlockWriter((block) => written(stream, block), compression);
    this.#clock = new CheckpointClock(checkpointBytes);
  }

  get bytes(): number {
    return this.#blocks.bytes;
  }

  get isDue(): boolean {
    return this.#clock.isDue;
  }

  async write(piece: Uint8Array | string): Promise<void> {
    const before = this.#blocks.bytes;
    await this.#blocks.write(piece);
    this.#clock.add(this.#blocks.bytes - before);
  }

  /** Blocks end where those of a file end: the bytes are the same. */
  async checkpoint(): Promise<void> {
    this.#clock.restart();
    await this.#blocks.flush();
  }

  async finish(): Promise<void> {
    await this.#blocks.flush();
  }
}

/** An error of the stream is told to whoever listens to it; here it would only be waited for in vain. */
async function written(stream: Writable, block: Uint8Array): Promise<void> {
  if (stream.write(block)) return;
  await new Promise<void>((resolve, reject) => {
    const settle = (): void => {
      stream.off('drain', settle).off('close', settle).off('error', fail);
      resolve();
    };
    const fail = (error: Error): void => {
      stream.off('drain', settle).off('close', settle);
      reject(error);
    };
    stream.once('drain', settle).once('close', settle).once('error', fail);
  });
}
