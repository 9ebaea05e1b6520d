import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Fingerprint } from '../../../base/fingerprint.ts';
import type { HostId } from '../../../frontier/host-table.ts';
import type { SeenSet } from '../../../frontier/seen-set.ts';

/** Fingerprint, host, lane. */
export const SEEN_ENTRY_BYTES = 13;

/**
 * The log of URLs that came in: a row for those of a transaction, only ever appended to. It brings back the set of known URLs, and the
 * lengths of queues that grew since their host's own row was written; so an add touches no row but those of its URLs.
 */
export class SeenRows {
  readonly #insert: StatementSync;
  #entries = Buffer.alloc(64 * SEEN_ENTRY_BYTES);
  #length = 0;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare('INSERT INTO seen (batch, entries) VALUES (?, ?)');
  }

  get pending(): boolean {
    return this.#length > 0;
  }

  add(fp: Fingerprint, host: HostId, lane: number): void {
    if (this.#length + SEEN_ENTRY_BYTES > this.#entries.length) {
      this.#entries = Buffer.concat([this.#entries], this.#entries.length * 2);
    }
    this.#entries.writeBigUInt64LE(fp, this.#length);
    this.#entries.writeUInt32LE(host, this.#length + 8);
    this.#entries.writeUInt8(lane, this.#length + 12);
    this.#length += SEEN_ENTRY_BYTES;
  }

  write(batch: number): void {
    this.#insert.run(batch, this.#entries.subarray(0, this.#length));
    this.#length = 0;
  }

  static load(db: DatabaseSync, seen: SeenSet, entered: (host: HostId, lane: number, batch: number) => void): void {
    const rows = db.prepare('SELECT batch, entries FROM seen ORDER BY batch').iterate() as Iterable<unknown>;
    for (const row of rows) {
      const { batch, entries } = row as { batch: number; entries: Uint8Array };
      const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
      for (let at = 0; at + SEEN_ENTRY_BYTES <= entries.byteLength; at += SEEN_ENTRY_BYTES) {
        seen.addWords(view.getUint32(at, true), view.getUint32(at + 4, true));
        entered(view.getUint32(at + 8, true), view.getUint8(at + 12), batch);
      }
    }
  }
}
