import { Inflate } from 'fflate';
import type { ConversionBudget } from '../conversion-budget.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';

/** How the reading of one part ended. `damaged`: what came before the damage was handed out. */
export type PartReading = 'whole' | 'stopped' | 'missing' | 'damaged' | 'encrypted' | 'exhausted';

/** Compressed bytes handed to the inflater at a time; they become at most 1,032 times as many. */
const STEP = 16 * 1024;
const SALVAGE_STEP = 256;
/** XML of honest documents packs some 10 to 100 times; above this size a denser part is a bomb. */
const BOMB_RATIO = 250;
const BOMB_BYTES = 16 * 1024 * 1024;

/** The parts of a zip archive, unpacked within the budget, one step of one part in memory; no archives inside archives. */
export class ZipArchive {
  readonly #bytes: Uint8Array;
  readonly #budget: ConversionBudget;
  readonly #entries = new Map<string, ZipEntry>();

  constructor(bytes: Uint8Array, budget: ConversionBudget) {
    this.#bytes = bytes;
    this.#budget = budget;
    for (const entry of readZipDirectory(bytes)) {
      const name = entry.name.toLowerCase();
      if (!this.#entries.has(name)) this.#entries.set(name, entry);
    }
  }

  get names(): string[] {
    return Array.from(this.#entries.values(), (entry) => entry.name);
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /** Hands the unpacked bytes to `sink` until it answers false. Names are compared without case, as Office does. */
  read(name: string, sink: (bytes: Uint8Array) => boolean): PartReading {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) return 'missing';
    if (entry.encrypted) return 'encrypted';
    if (!this.#budget.hasTime()) return 'exhausted';
    if (entry.overlaps) {
      this.#budget.reportBomb();
      return 'exhausted';
    }
    if (entry.method === 0) return this.#readStored(entry, sink);
    if (entry.method !== 8) return 'damaged';
    if (entry.unpacked > this.#budget.limits.maxUnpacked && entry.unpacked > entry.packed * BOMB_RATIO) {
      this.#budget.reportBomb();
      return 'exhausted';
    }
    return this.#inflate(entry, sink);
  }

  #readStored(entry: ZipEntry, sink: (bytes: Uint8Array) => boolean): PartReading {
    const end = Math.min(entry.start + entry.packed, this.#bytes.length);
    for (let at = entry.start; at < end; at += STEP) {
      const piece = this.#bytes.subarray(at, Math.min(at + STEP, end));
      if (!this.#budget.unpack(piece.length)) return 'exhausted';
      if (!sink(piece)) return 'stopped';
    }
    return 'whole';
  }

  #inflate(entry: ZipEntry, sink: (bytes: Uint8Array) => boolean): PartReading {
    const part = this.#bytes.subarray(entry.start, entry.start + entry.packed);
    const [reading, handedOut] = this.#inflateInSteps(part, STEP, 0, sink);
    if (reading !== 'damaged') return reading;
    // The step in which the damage lies gave nothing. Smaller steps come closer to it.
    return this.#inflateInSteps(part, SALVAGE_STEP, handedOut, sink)[0];
  }

  /** Inflates from the start, handing out what comes after the first `skip` bytes; answers also how many came. */
  #inflateInSteps(
    part: Uint8Array,
    step: number,
    skip: number,
    sink: (bytes: Uint8Array) => boolean,
  ): [PartReading, number] {
    let unpacked = 0;
    let piece: Uint8Array = part.subarray(0, 0);
    const inflate = new Inflate((output) => {
      piece = output;
    });
    for (let at = 0; at < part.length; at += step) {
      try {
        // Never marked as the last one: a part that was cut short gives what it has.
        inflate.push(part.subarray(at, at + step), false);
      } catch {
        return ['damaged', unpacked];
      }
      if (piece.length === 0) continue;
      const fresh = piece.subarray(Math.min(piece.length, Math.max(0, skip - unpacked)));
      unpacked += piece.length;
      if (unpacked > BOMB_BYTES && unpacked > (at + step) * BOMB_RATIO) this.#budget.reportBomb();
      if (!this.#budget.unpack(fresh.length)) return ['exhausted', unpacked];
      if (fresh.length > 0 && !sink(fresh)) return ['stopped', unpacked];
    }
    return ['whole', unpacked];
  }
}
