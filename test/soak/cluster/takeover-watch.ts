import { PostgresConnection } from '../../../src/engines/postgres/connection.ts';

const LOOK_EVERY_MS = 50;

interface Orphan {
  readonly since: number;
  readonly epoch: number;
  fault: string;
}

/** Looks at who owns the partitions, and measures how long those of a node that was hit were without an owner at work. */
export class TakeoverWatch implements AsyncDisposable {
  readonly times = new Map<string, number[]>();
  readonly #connection: PostgresConnection;
  readonly #orphans = new Map<number, Orphan>();
  readonly #owners = new Map<number, { readonly node: string | null; readonly epoch: number }>();
  readonly #loop: Promise<void>;
  #isOver = false;

  constructor(url: string, schema: string) {
    this.#connection = new PostgresConnection({ url, schema });
    this.#loop = this.#run();
  }

  /** From now on its partitions wait for somebody. */
  hit(node: string, fault: string): void {
    for (const [part, { node: owner, epoch }] of this.#owners)
      if (owner === node) this.#orphans.set(part, { since: Date.now(), epoch, fault });
  }

  /** Something else keeps those that wait from an owner: they are counted by themselves. */
  disturb(): void {
    for (const orphan of this.#orphans.values()) orphan.fault = 'hit beside other faults';
  }

  /** It works again: what it still has was not taken over. */
  healed(node: string): void {
    for (const [part, { epoch }] of this.#orphans)
      if (this.#owners.get(part)?.node === node && this.#owners.get(part)?.epoch === epoch) this.#orphans.delete(part);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#loop;
    await this.#connection[Symbol.asyncDispose]();
  }

  async #run(): Promise<void> {
    const text = 'SELECT part, epoch, node FROM owner';
    while (!this.#isOver) {
      // The database may be down: looked at again.
      const [rows] = await this.#connection.run([[{ name: '', text }]]).catch(() => [[]]);
      for (const row of rows) this.#see(Number(row.part), row.node as string | null, Number(row.epoch));
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  #see(part: number, node: string | null, epoch: number): void {
    this.#owners.set(part, { node, epoch });
    const orphan = this.#orphans.get(part);
    if (orphan === undefined || node === null || epoch === orphan.epoch) return;
    this.#orphans.delete(part);
    const times = this.times.get(orphan.fault) ?? [];
    times.push(Date.now() - orphan.since);
    this.times.set(orphan.fault, times);
  }
}
