import { binaryArray, type ColumnValue } from './binary-array.ts';
import { isTransient, type Step, type StepRunner, type StepValue, storeError } from './connection.ts';
import { FENCE, FENCED_CONSTRAINT, ROW_WRITES, type RowWrites, STEPS, type Statement } from './statements.ts';
import type { TableChanges } from './working-copy.ts';

/** A transaction whose connection was lost is sent again after twice the wait each time: about as long as a lease lasts, or a restart. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2000;
const MOST_WAITED_MS = 30_000;

/** Rows of one statement. A whole round that is planned at once is millions. */
const MOST_ROWS = 5000;

/**
 * 'durable': whatever a crash of the server undoes. 'forgettable': a server that is told to (`synchronous_commit`) may forget it in a crash.
 * 'gathered': the same, and it may wait for what others bring. 'along': durable, and it waits with what was gathered, where there is something.
 */
export type FlushHaste = 'durable' | 'forgettable' | 'gathered' | 'along';

export interface WriterParts {
  readonly store: StepRunner;
  readonly sleep: (ms: number) => Promise<void>;
  readonly partition: number;
  readonly epoch: number;
  /** Transactions of the partition so far. */
  readonly commits: number;
  /** `isLast`: nothing comes after them. */
  readonly takeChanges: (isLast: boolean) => PartitionChanges;
  readonly onCommit?: (commits: number, tables: readonly TableChanges[]) => void;
  /** The next owner will know that these hosts may be asked, whatever a crash of the server undoes. */
  readonly onNamed?: (hosts: readonly number[]) => void;
  /** Resolves when what is gathered is to leave; absent: at once. */
  readonly gathering?: () => Promise<void>;
  /** Nothing can be written any more. */
  readonly onLost: () => void;
}

/** What has changed since it was last asked for. */
export interface PartitionChanges {
  readonly tables: readonly TableChanges[];
  readonly messages: readonly Step[];
  /** All hosts that are being asked by now, or may be before the next changes. */
  readonly busy: readonly number[];
}

/**
 * Carries the changes of a partition to PostgreSQL, one transaction after the other. Changes that come while one is on its way
 * go together with the next. After a transaction that was refused the working copy is ahead: the partition is lost to this node.
 */
export class PartitionWriter {
  readonly #parts: WriterParts;
  #commits: number;
  #isLost = false;
  /** The last transaction ends with these. */
  #farewell: readonly Step[] | undefined;
  #fault: Error | undefined;
  #sending: Promise<unknown> = Promise.resolve();
  #next: Promise<boolean> | undefined;
  #isNextDurable = false;
  /** Ends the wait of the next one for what others bring. */
  #hurry: () => void = () => {};

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#commits = parts.commits;
  }

  /** Nothing may be changed any more. */
  get isLost(): boolean {
    return this.#isLost || this.#farewell !== undefined;
  }

  /** What is not written yet, and these steps with it. Nothing comes after them. */
  async finish(steps: readonly Step[]): Promise<void> {
    if (this.#isLost) return;
    this.#farewell ??= steps;
    await this.flush();
    this.#isLost = true;
  }

  /** Everything that was changed up to now is committed: true. False where the partition has another owner by now. */
  flush(haste: FlushHaste = 'durable'): Promise<boolean> {
    this.#isNextDurable ||= haste === 'durable' || haste === 'along';
    if (haste === 'durable' || haste === 'forgettable') this.#hurry();
    if (this.#next !== undefined) return this.#next;
    const before = haste === 'gathered' ? this.#gathered() : this.#sending;
    const next: Promise<boolean> = before.then(
      () => this.#flushNow(next),
      () => this.#flushNow(next),
    );
    this.#next = next;
    this.#sending = next;
    return next;
  }

  /** What was gathered leaves at once. */
  hurry(): void {
    this.#hurry();
  }

  /** Until what is gathered is to leave, or something cannot wait for it, and until all before is sent. */
  async #gathered(): Promise<void> {
    const { gathering } = this.#parts;
    const sending = this.#sending;
    if (gathering !== undefined) {
      const hurried = new Promise<void>((resolve) => {
        this.#hurry = resolve;
      });
      await Promise.race([gathering(), hurried]);
    }
    await sending;
  }

  async #flushNow(mine: Promise<boolean>): Promise<boolean> {
    if (this.#next === mine) this.#next = undefined;
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#isLost) return false;
    const isDurable = this.#isNextDurable;
    this.#isNextDurable = false;
    const { tables, messages, busy } = this.#parts.takeChanges(this.#farewell !== undefined);
    const { partition, epoch, store } = this.#parts;
    const fence: Step = [FENCE, partition, epoch, this.#commits, binaryArray('integer', busy)];
    const steps = [
      fence,
      ...tables.flatMap((changes) => rowSteps(partition, changes)),
      ...messages,
      ...(this.#farewell ?? []),
    ];
    try {
      const isApplied = await this.#send(steps, !isDurable);
      if (isApplied && (isDurable || store.isForgetful === false)) this.#parts.onNamed?.(busy);
      if (isApplied) this.#committed(tables);
      else this.#lose();
      return isApplied;
    } catch (error) {
      this.#lose();
      this.#fault = storeError(error);
      throw this.#fault;
    }
  }

  #committed(tables: readonly TableChanges[]): void {
    this.#commits++;
    this.#parts.onCommit?.(this.#commits, tables);
  }

  #lose(): void {
    this.#isLost = true;
    this.#parts.onLost();
  }

  /** False where the fence stood in the way. */
  async #send(steps: readonly Step[], isForgettable: boolean): Promise<boolean> {
    const { store, sleep } = this.#parts;
    let waited = 0;
    let isFenced = false;
    for (let tries = 1; ; tries++) {
      try {
        // An earlier try may have been committed without an answer.
        if (isFenced) return await this.#isCommitted();
        await store.transact(steps, isForgettable);
        return true;
      } catch (error) {
        if ((error as { constraint?: string }).constraint === FENCED_CONSTRAINT) {
          if (tries === 1) return false;
          isFenced = true;
          continue;
        }
        if (waited >= MOST_WAITED_MS || !isTransient(error)) throw error;
        const wait = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
        waited += wait;
        await sleep(wait);
      }
    }
  }

  async #isCommitted(): Promise<boolean> {
    const { store, partition, epoch } = this.#parts;
    const [[owner]] = await store.run([[STEPS.ownerOf, partition]]);
    return Number(owner?.epoch) === epoch && Number(owner?.commits) === this.#commits + 1;
  }
}

function rowSteps(partition: number, { table, inserted, updated, removed }: TableChanges): Step[] {
  const { insert, update, remove } = ROW_WRITES.get(table.name) as RowWrites;
  const stepsOf = (statement: Statement, rows: readonly (readonly ColumnValue[])[]): Step[] =>
    slices(rows).map((some) => [
      statement,
      partition,
      ...table.columns.map(({ type }, at) =>
        binaryArray(
          type,
          some.map((row) => row[at]),
        ),
      ),
    ]);
  return [
    ...removed.map((key): Step => [remove, partition, ...(key as readonly StepValue[])]),
    ...stepsOf(update, updated),
    ...stepsOf(insert, inserted),
  ];
}

function slices<T>(rows: readonly T[]): T[][] {
  const count = Math.ceil(rows.length / MOST_ROWS);
  return Array.from({ length: count }, (_, at) => rows.slice(at * MOST_ROWS, (at + 1) * MOST_ROWS));
}
