import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Visits to a row of the table. */
const PART = 32768;

/** Visits that later ones of the same page have replaced: one bit for each visit there ever was. */
export class ReplacedVisits {
  readonly #read: StatementSync;
  readonly #write: StatementSync | undefined;
  #parts: (Uint8Array | undefined)[] = [];
  readonly #changed = new Set<number>();

  constructor(db: DatabaseSync, readOnly: boolean) {
    this.#read = db.prepare('SELECT part, bits FROM replaced');
    this.#write = readOnly
      ? undefined
      : db.prepare(
          'INSERT INTO replaced (part, bits) VALUES (?, ?) ON CONFLICT (part) DO UPDATE SET bits = excluded.bits',
        );
    this.load();
  }

  load(): void {
    this.#parts = [];
    for (const row of this.#read.iterate() as Iterable<{ part: number; bits: Uint8Array }>) {
      this.#parts[row.part] = Uint8Array.from(row.bits);
    }
  }

  has(visit: number): boolean {
    const part = this.#parts[Math.floor(visit / PART)];
    return part !== undefined && (part[(visit % PART) >>> 3] & (1 << (visit & 7))) !== 0;
  }

  add(visit: number): void {
    const number = Math.floor(visit / PART);
    const part = this.#parts[number] ?? new Uint8Array(PART / 8);
    this.#parts[number] = part;
    part[(visit % PART) >>> 3] |= 1 << (visit & 7);
    this.#changed.add(number);
  }

  /** Whether there may be one from the first to the last of these. */
  anyIn(first: number, last: number): boolean {
    for (let part = Math.floor(first / PART); part <= Math.floor(last / PART); part++) {
      if (this.#parts[part] !== undefined) return true;
    }
    return false;
  }

  /** Part of a transaction. */
  save(): void {
    for (const part of this.#changed) this.#write!.run(part, this.#parts[part]!);
    this.#changed.clear();
  }
}
