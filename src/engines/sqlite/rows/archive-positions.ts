import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ArchiveLocation } from '../../../contracts/archive-location.ts';
import type { SettledBytes } from '../../../contracts/state/state-reader.ts';

/** How far the archive files are settled: those that a transaction went on with are written at its end, each once. */
export class ArchivePositions {
  readonly #write: StatementSync;
  readonly #ends = new Map<string, SettledBytes>();

  constructor(db: DatabaseSync) {
    this.#write = db.prepare(`INSERT INTO archive_file (name, file_end, index_end) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET file_end = max(file_end, excluded.file_end), index_end = max(index_end, excluded.index_end)`);
  }

  /** A page is settled that ends here. */
  reached({ file, fileEnd, indexEnd }: ArchiveLocation): void {
    const before = this.#ends.get(file);
    this.#ends.set(file, {
      fileEnd: Math.max(fileEnd, before?.fileEnd ?? 0),
      indexEnd: Math.max(indexEnd, before?.indexEnd ?? 0),
    });
  }

  write(): void {
    for (const [file, { fileEnd, indexEnd }] of this.#ends) this.#write.run(file, fileEnd, indexEnd);
    this.#ends.clear();
  }
}
