import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import { ExternalGarbage } from '../../base/external-garbage.ts';
import { BlockCache } from './block-cache.ts';
import { BlockReader, BlockWriter } from './target-block.ts';

/** Blocks that a run may have. */
const RUN_SPAN = 2 ** 24;
/** Bytes of blocks that are kept in memory: every page that is added looks into one of each run, mostly of the small ones that are new. */
const KEPT_BYTES = 8 << 20;

/** Links of some consecutive visits, by target. */
export interface LinkRun {
  readonly id: number;
  readonly level: number;
  readonly fromVisit: number;
  readonly toVisit: number;
  readonly links: number;
  /** First fingerprint of each block: upper half, lower half. */
  readonly first: Uint32Array;
}

interface RunRow {
  readonly id: number;
  readonly level: number;
  readonly from_visit: number;
  readonly to_visit: number;
  readonly links: number;
  readonly first: Uint8Array;
}

/** The runs on disk. They cover the visits without overlap; oldest first. */
export class LinkRuns {
  readonly #readRuns: StatementSync;
  readonly #readBlock: StatementSync;
  readonly #writes:
    | { block: StatementSync; run: StatementSync; noRun: StatementSync; noBlocks: StatementSync }
    | undefined;
  readonly #kept: BlockCache;
  /** Merges and ranks read all blocks. */
  readonly #garbage = new ExternalGarbage();
  #runs: LinkRun[] = [];
  #nextId = 1;

  constructor(db: DatabaseSync, readOnly: boolean) {
    this.#kept = new BlockCache(readOnly ? 0 : KEPT_BYTES);
    this.#readRuns = db.prepare('SELECT * FROM run ORDER BY from_visit');
    this.#readBlock = db.prepare('SELECT data FROM block WHERE id = ?');
    this.load();
    if (readOnly) return;
    this.#writes = {
      block: db.prepare('INSERT INTO block (id, data) VALUES (?, ?)'),
      run: db.prepare('INSERT INTO run (id, level, from_visit, to_visit, links, first) VALUES (?, ?, ?, ?, ?, ?)'),
      noRun: db.prepare('DELETE FROM run WHERE id = ?'),
      noBlocks: db.prepare('DELETE FROM block WHERE id >= ? AND id < ?'),
    };
    this.#nextId = this.#clearAway(db) + 1;
  }

  get all(): readonly LinkRun[] {
    return this.#runs;
  }

  load(): void {
    this.#runs = (this.#readRuns.all() as unknown as RunRow[]).map((row) => ({
      id: row.id,
      level: row.level,
      fromVisit: row.from_visit,
      toVisit: row.to_visit,
      links: row.links,
      first: new Uint32Array(Uint8Array.from(row.first).buffer),
    }));
  }

  /** The pieces of one target in one run. */
  *pieces(run: LinkRun, hi: number, lo: number): Generator<BlockReader> {
    for (let block = firstBlock(run.first, hi, lo); block < run.first.length / 2; block++) {
      const reader = new BlockReader(this.#lookInto(run, block));
      while (reader.nextFrom(hi, lo)) {
        if (reader.hi !== hi || reader.lo !== lo) return;
        yield reader;
      }
    }
  }

  /** For who reads one after the other: what is kept for those who look into them stays. */
  block(run: LinkRun, number: number): BlockReader {
    return new BlockReader(this.#kept.peek(blockId(run, number)) ?? this.#read(run, number));
  }

  #lookInto(run: LinkRun, number: number): Buffer {
    const id = blockId(run, number);
    const kept = this.#kept.get(id);
    if (kept !== undefined) return kept;
    const block = this.#read(run, number);
    this.#kept.add(id, block);
    return block;
  }

  #read(run: LinkRun, number: number): Buffer {
    const row = this.#readBlock.get(blockId(run, number)) as { data: Uint8Array } | undefined;
    if (row === undefined)
      throw new OrbweaverError('FOLDER_CORRUPT', `Block ${number} of run ${run.id} of the links is missing.`, {
        remedy: 'Remove the folder index/links: the links are gathered again from the archive.',
      });
    const { data } = row;
    this.#garbage.add(data.length);
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  }

  /** A run that is being written: its blocks are there, but nothing counts before `publish`. */
  begin(): RunDraft {
    return new RunDraft(this.#nextId++, (id, data) => {
      this.#writes!.block.run(id, data);
      this.#kept.add(id, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    });
  }

  /** Puts a written run in the place of others, which are the neighbours whose visits it covers, or at the end. */
  publish(run: LinkRun, instead: readonly LinkRun[]): void {
    const { id, level, fromVisit, toVisit, links, first } = run;
    this.#writes!.run.run(
      id,
      level,
      fromVisit,
      toVisit,
      links,
      new Uint8Array(first.buffer, first.byteOffset, first.byteLength),
    );
    for (const old of instead) {
      this.#writes!.noRun.run(old.id);
      this.#writes!.noBlocks.run(old.id * RUN_SPAN, (old.id + 1) * RUN_SPAN);
      for (let block = 0; block < old.first.length / 2; block++) this.#kept.drop(blockId(old, block));
    }
    this.#runs = [...this.#runs.filter((other) => !instead.includes(other)), run].sort(
      (a, b) => a.fromVisit - b.fromVisit,
    );
  }

  /** Blocks of runs that were never published: a merge that a crash or the end of the process has cut off. */
  #clearAway(db: DatabaseSync): number {
    const known = new Set(this.#runs.map(({ id }) => id));
    const next = db.prepare('SELECT min(id) AS id FROM block WHERE id >= ?');
    let last = Math.max(0, ...known);
    for (let from = 0; ; ) {
      const { id } = next.get(from) as { id: number | null };
      if (id === null) return last;
      const run = Math.floor(id / RUN_SPAN);
      if (!known.has(run)) this.#writes!.noBlocks.run(run * RUN_SPAN, (run + 1) * RUN_SPAN);
      last = Math.max(last, run);
      from = (run + 1) * RUN_SPAN;
    }
  }
}

export class RunDraft {
  readonly id: number;
  readonly writer: BlockWriter;
  #first = new Uint32Array(64);
  #blocks = 0;
  bytes = 0;

  constructor(id: number, write: (id: number, data: Uint8Array) => void) {
    this.id = id;
    this.writer = new BlockWriter((hi, lo, block) => {
      write(id * RUN_SPAN + this.#blocks, block);
      if (2 * this.#blocks === this.#first.length) {
        const larger = new Uint32Array(2 * this.#first.length);
        larger.set(this.#first);
        this.#first = larger;
      }
      this.#first[2 * this.#blocks] = hi;
      this.#first[2 * this.#blocks + 1] = lo;
      this.#blocks++;
      this.bytes += block.length;
    });
  }

  /** After the last `writer.flush`. */
  finish(level: number, fromVisit: number, toVisit: number, links: number): LinkRun {
    return { id: this.id, level, fromVisit, toVisit, links, first: this.#first.slice(0, 2 * this.#blocks) };
  }
}

function blockId(run: Pick<LinkRun, 'id'>, number: number): number {
  return run.id * RUN_SPAN + number;
}

/** The last block that begins before the fingerprint: its links may begin there. */
function firstBlock(first: Uint32Array, hi: number, lo: number): number {
  let low = 0;
  let high = first.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (first[2 * middle] < hi || (first[2 * middle] === hi && first[2 * middle + 1] < lo)) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
