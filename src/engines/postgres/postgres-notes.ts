import { fingerprint } from '../../base/fingerprint.ts';
import type { Versioned, VersionedNotes } from '../../contracts/state/notes.ts';
import { type StepRunner, storeError } from './connection.ts';
import { STEPS } from './statements.ts';

/** Values of the whole crawl, each in the partition of its scope and name. */
export class PostgresNotes implements VersionedNotes {
  readonly #store: StepRunner;
  readonly #count: number;

  constructor(store: StepRunner, count: number) {
    this.#store = store;
    this.#count = count;
  }

  async read<T>(scope: string, name: string): Promise<Versioned<T> | undefined> {
    const [[row]] = await this.#run(() => this.#store.run([[STEPS.readNote, this.#partOf(scope, name), scope, name]]));
    return row === undefined ? undefined : { value: JSON.parse(String(row.value)), version: Number(row.version) };
  }

  async write(scope: string, name: string, value: unknown, version: number): Promise<boolean> {
    const key = [this.#partOf(scope, name), scope, name, JSON.stringify(value)] as const;
    const [rows] = await this.#run(() =>
      this.#store.run([version === 0 ? [STEPS.addNote, ...key] : [STEPS.replaceNote, ...key, version]]),
    );
    return rows.length > 0;
  }

  async #run<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw storeError(error);
    }
  }

  #partOf(scope: string, name: string): number {
    return Number(fingerprint(JSON.stringify([scope, name])) % BigInt(this.#count));
  }
}
