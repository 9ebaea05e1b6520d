import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { OrbweaverError } from '../../base/errors.ts';
import { PADDING } from '../format/term-positions.ts';
import { type SegmentPart, segmentPath } from './segment-path.ts';

/**
 * Smaller files are read whole and closed at once. Most segments are small: an index that grows has two dozen of a few
 * pages, and each thread that searches holds all of them. Together they take some megabytes, whatever the size of the index.
 */
const WHOLE_BYTES = 128 * 1024;

/** One file of a segment, readable until it is closed even when its name is gone. */
export class SegmentFile {
  readonly #name: string;
  readonly #part: SegmentPart;
  /** The file is open where it is not in memory. */
  #fd: number | undefined;
  /** All bytes, and `PADDING` more. */
  readonly #whole: Uint8Array | undefined;

  /** `wholeBytes`: up to this size it is read whole. */
  constructor(folder: string, name: string, part: SegmentPart, wholeBytes = WHOLE_BYTES) {
    this.#name = name;
    this.#part = part;
    this.#fd = openSync(segmentPath(folder, name, part), 'r');
    try {
      const { size } = fstatSync(this.#fd);
      if (size > wholeBytes) return;
      this.#whole = this.read(0, size, PADDING);
      this.close();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Bytes that nobody may change, with `padding` (`PADDING` at most) of any value behind them. `room`: where they are read to, if it is
   * large enough.
   */
  read(at: number, length: number, padding = 0, room?: Uint8Array): Uint8Array {
    const whole = this.#whole;
    if (whole !== undefined) {
      if (at + length + PADDING > whole.length) throw this.#endsTooSoon();
      return whole.subarray(at, at + length + padding);
    }
    const hasRoom = room !== undefined && room.length >= length + padding;
    const bytes = hasRoom ? room.subarray(0, length + padding) : new Uint8Array(length + padding);
    this.fill(bytes, at, length, length);
    return bytes;
  }

  /** Reads at least so many bytes of a file that is open, and up to `most` where it has them. Returns how many. */
  fill(bytes: Uint8Array, at: number, least: number, most: number): number {
    if (this.#fd === undefined) throw new OrbweaverError('INTERNAL', `The ${this.#part} of ${this.#name} are closed.`);
    let done = 0;
    while (done < most) {
      const got = readSync(this.#fd, bytes, done, most - done, at + done);
      if (got === 0 && done < least) throw this.#endsTooSoon();
      if (got === 0) break;
      done += got;
    }
    return done;
  }

  /** Whether all of it is in memory, so that `read` costs nothing. */
  get isWhole(): boolean {
    return this.#whole !== undefined;
  }

  /** How long it is, where all of it is in memory. */
  get size(): number | undefined {
    return this.#whole === undefined ? undefined : this.#whole.length - PADDING;
  }

  /** Harmless when it is closed already. */
  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #endsTooSoon(): OrbweaverError {
    return new OrbweaverError('FOLDER_CORRUPT', `The ${this.#part} of index segment ${this.#name} end too soon.`);
  }
}
