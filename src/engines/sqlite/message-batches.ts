import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { MessageBody } from '../../contracts/state/exchange.ts';
import type { Partitions } from '../../contracts/state/partitions.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { Neighbours } from './ownership.ts';

/** Links in one message. */
const MOST_LINKS = 1000;

/** What a partition has to tell others, put together until it leaves with the transaction that it follows from. */
export class MessageBatches implements Neighbours {
  readonly #partition: number;
  readonly #partitions: Pick<Partitions, 'partitionOf'>;
  #links = new Map<number, CrawlTask[]>();
  #robots: RobotsRecord[] = [];

  constructor(partition: number, partitions: Pick<Partitions, 'partitionOf'>) {
    this.#partition = partition;
    this.#partitions = partitions;
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

  /** What was put together since the last call: for each partition as few messages as can be. */
  take(): { readonly to: number; readonly body: MessageBody }[] {
    const messages = [...this.#messages()];
    this.#links = new Map();
    this.#robots = [];
    return messages;
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
}
