import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { OrbweaverError } from '../../base/errors.ts';
import { DuplicatePairs } from '../../dedupe/near/duplicate-pairs.ts';
import type { Spill } from '../../dedupe/near/shingle-shelf.ts';

type Id = string | number;

export interface DuplicatePairsRequest {
  /** Least Jaccard coefficient of a pair, from 0.3 to 1. */
  readonly threshold: number;
  /** Words of a shingle; 5 where it is not given. */
  readonly shingle?: number;
  readonly documents: AsyncIterable<{ readonly id: Id; readonly text: string }>;
  readonly output: Writable;
}

/** Shingles kept in memory; those of more documents lie in a temporary file. */
const MEMORY_BYTES = 1 << 30;

/** Documents `{id, text}`, one on a line. */
export async function* documentLines(input: Readable): AsyncGenerator<{ readonly id: Id; readonly text: string }> {
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() !== '') yield documentOf(number === 1 ? line.replace(/^\uFEFF/, '') : line, number);
  }
}

/** Prints the pairs that are alike as `{a, b, jaccard}`, the likest first. */
export async function printDuplicatePairs(request: DuplicatePairsRequest): Promise<void> {
  const { threshold, shingle, documents, output } = request;
  if (!(threshold >= 0.3 && threshold <= 1)) {
    throw new OrbweaverError('USAGE', `The threshold is a number from 0.3 to 1, not ${threshold}.`);
  }
  const spill = new SpillFile();
  try {
    const batch = new DuplicatePairs<Id>({
      ...{ threshold, shelf: { memoryBytes: MEMORY_BYTES, spill } },
      ...(shingle === undefined ? {} : { shingle }),
    });
    for await (const { id, text } of documents) batch.add(id, text);
    for (const { a, b, jaccard } of batch.pairs()) {
      const text = `${JSON.stringify({ a, b, jaccard: Math.round(jaccard * 1e6) / 1e6 })}\n`;
      if (!output.write(text)) await new Promise<void>((resolve) => output.once('drain', () => resolve()));
    }
  } finally {
    spill.close();
  }
}

function documentOf(line: string, number: number): { id: Id; text: string } {
  const fail = (what: string, cause?: unknown): never => {
    const remedy = 'Each line is one JSON object such as {"id": "a1", "text": "the text of the document"}.';
    throw new OrbweaverError('INPUT_INVALID', `Line ${number}: ${what}.`, { remedy, cause });
  };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    fail('this is not valid JSON', error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('this is not a JSON object');
  const { id, text } = value as Record<string, unknown>;
  if (typeof id !== 'string' && typeof id !== 'number') return fail('"id" must be a string or a number');
  if (typeof text !== 'string') return fail('"text" must be a string');
  return { id, text };
}

/** A temporary file that exists only when it is needed. */
class SpillFile implements Spill {
  #folder: string | undefined;
  #file: number | undefined;
  #size = 0;

  append(bytes: Uint8Array): number {
    if (this.#file === undefined) {
      this.#folder = mkdtempSync(join(tmpdir(), 'orbweaver-duplicates-'));
      this.#file = openSync(join(this.#folder, 'shingles'), 'w+');
    }
    const place = this.#size;
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#file, bytes, done, bytes.length - done, place + done);
    this.#size += bytes.length;
    return place;
  }

  read(place: number, bytes: Uint8Array): void {
    if (this.#file === undefined) throw new OrbweaverError('INTERNAL', 'Nothing was spilled.');
    for (let done = 0; done < bytes.length; ) {
      const count = readSync(this.#file, bytes, done, bytes.length - done, place + done);
      if (count === 0) throw new OrbweaverError('STORAGE_FAILED', 'The temporary file of shingles is cut short.');
      done += count;
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#file = undefined;
  }
}
