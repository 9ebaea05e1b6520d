import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { MessageBody } from '../../contracts/state/exchange.ts';
import type { Partitions } from '../../contracts/state/partitions.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { Neighbours } from '../sqlite/ownership.ts';
import { arrayLiteral } from './array-literal.ts';
import type { Step } from './connection.ts';
import { STEPS } from './statements.ts';

/** Links in one message. */
const MOST_LINKS = 1000;
/** Numbers that one millisecond has room for. */
const PER_MS = 1000;

/** Collects what a partition has to tell others, until it leaves with the transaction that it follows from. */
export class OutgoingMessages implements Neighbours {
  readonly #partition: number;
  readonly #partitions: Pick<Partitions, 'partitionOf'>;
  /** By the clock of the store. */
  readonly #now: () => number;
  #links = new Map<number, CrawlTask[]>();
  #robots: RobotsRecord[] = [];
  #lastNumber = 0;

  constructor(partition: number, partitions: Pick<Partitions, 'partitionOf'>, now: () => number) {
    this.#partition = partition;
    this.#partitions = partitions;
    this.#now = now;
  }

  isForeign(host: HostKey): boolean {
    return this.#partitions.partitionOf(host) !== this.#partition;
  }

  sendLinks(tasks: readonly CrawlTask[]): void {
    for (const task of tasks) {
      const to = this.#partitions.partitionOf(task.host);
      const others = this.#links.get(to);
      if (others === undefined) this.#links.set(to, [task]);
      else others.push(task);
    }
  }

  sendRobots(record: RobotsRecord): void {
    this.#robots.push(record);
  }

  /** What was collected since the last call, as a step of the transaction; none where there is nothing. */
  take(): Step[] {
    const messages = [...this.#messages()];
    this.#links = new Map();
    this.#robots = [];
    if (messages.length === 0) return [];
    return [
      [
        STEPS.send,
        this.#partition,
        arrayLiteral(messages.map(({ to }) => to)),
        arrayLiteral(messages.map(() => this.#nextNumber())),
        arrayLiteral(messages.map(({ body }) => JSON.stringify(body))),
      ],
    ];
  }

  *#messages(): Generator<{ to: number; body: MessageBody }> {
    for (const [to, tasks] of this.#links) {
      for (let at = 0; at < tasks.length; at += MOST_LINKS) {
        const some = tasks.slice(at, at + MOST_LINKS).map(({ fingerprint: _, ...task }) => task);
        yield { to, body: { kind: 'links', tasks: some } };
      }
    }
    for (const record of this.#robots) {
      const host = record.origin.slice(record.origin.indexOf('://') + 3) as HostKey;
      yield { to: this.#partitions.partitionOf(host), body: { kind: 'robots', record } };
    }
  }

  /** Rises with the time: a database that forgets its last commits does not see a number of theirs again. */
  #nextNumber(): number {
    this.#lastNumber = Math.max(this.#lastNumber + 1, Math.floor(this.#now()) * PER_MS);
    return this.#lastNumber;
  }
}
