import type { Partitions } from '../../contracts/state/partitions.ts';
import { MessageBatches } from '../sqlite/message-batches.ts';
import { binaryArray } from './binary-array.ts';
import type { Step } from './connection.ts';
import { STEPS } from './statements.ts';

/** Numbers that one millisecond has room for. */
const PER_MS = 1000;

/** What a partition has to tell others, as a step of the transaction that it leaves with. */
export class OutgoingMessages {
  readonly batches: MessageBatches;
  readonly #partition: number;
  /** By the clock of the store. */
  readonly #now: () => number;
  #lastNumber = 0;

  constructor(partition: number, partitions: Pick<Partitions, 'partitionOf'>, now: () => number) {
    this.batches = new MessageBatches(partition, partitions);
    this.#partition = partition;
    this.#now = now;
  }

  /** What was collected since the last call; none where there is nothing. */
  take(): Step[] {
    const messages = this.batches.take();
    if (messages.length === 0) return [];
    return [
      [
        STEPS.send,
        this.#partition,
        binaryArray(
          'integer',
          messages.map(({ to }) => to),
        ),
        binaryArray(
          'bigint',
          messages.map(() => this.#nextNumber()),
        ),
        binaryArray(
          'text',
          messages.map(({ body }) => JSON.stringify(body)),
        ),
      ],
    ];
  }

  /** Rises with the time: a database that forgets its last commits does not see a number of theirs again. */
  #nextNumber(): number {
    this.#lastNumber = Math.max(this.#lastNumber + 1, Math.floor(this.#now()) * PER_MS);
    return this.#lastNumber;
  }
}
