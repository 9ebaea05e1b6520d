import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OrbweaverError } from '../../../base/errors.ts';
import { EMPTY_LEDGER, Ledger } from '../../../index/delta/ledger.ts';
import type { IndexDisk } from '../../../index/store/index-disk.ts';
import { type FedSource, masterPlaceOf } from './master-place.ts';

const OURS = /^source-\d+\.ledger-\d+$/;

/** The ledgers of a master, as files beside its segments. Only those count that the last commit names. */
export class SourceLedgers {
  readonly #folder: string;
  readonly #disk: IndexDisk;

  constructor(folder: string, disk: IndexDisk) {
    this.#folder = folder;
    this.#disk = disk;
  }

  read(source: FedSource | undefined): Ledger {
    if (source === undefined) return EMPTY_LEDGER;
    const ledger = Ledger.decode(readFileSync(join(this.#folder, source.ledger)));
    if (ledger !== undefined) return ledger;
    throw new OrbweaverError('FOLDER_CORRUPT', `The ledger of ${source.folder} in ${this.#folder} is damaged.`, {
      remedy: `Delete ${this.#folder} and feed the master again: orbweaver index --dir MASTER --from FOLDER`,
    });
  }

  /** Durable when it resolves. Returns the name of the file. */
  async write(disk: IndexDisk, source: number, number: number, ledger: Ledger): Promise<string> {
    const name = `source-${source}.ledger-${number}`;
    const file = disk.create(join(this.#folder, name));
    try {
      file.append(ledger.encode());
      await file.sync();
    } finally {
      file.close();
    }
    return name;
  }

  /** Removes those that the commit does not name. */
  sweep(place: unknown): void {
    const named = new Set(masterPlaceOf(place)?.sources.map(({ ledger }) => ledger));
    for (const name of this.#disk.list(this.#folder))
      if (OURS.test(name) && !named.has(name)) this.#disk.remove(join(this.#folder, name));
  }
}
