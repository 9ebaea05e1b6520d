import { randomUUID } from 'node:crypto';
import { ShardExchange } from './shard-exchange.ts';
import { ShardService } from './shard-service.ts';
import { type RemoteShard, ShardSet } from './shard-set.ts';

/** Shards on other machines, and how they are asked. */
export interface RemoteShards {
  readonly shards: readonly RemoteShard[];
  readonly token: string;
  /** Who has not answered by then is left out. */
  readonly timeoutMs: number;
}

export interface OpenedShards extends Disposable {
  readonly set: ShardSet;
}

/** Opens folders of this machine and shards of others to be searched as one. */
export function openShards(folders: readonly string[], { shards, ...how }: RemoteShards): OpenedShards {
  const opened = new DisposableStack();
  const local = folders.map((folder) => opened.use(new ShardService(folder, randomUUID())));
  const exchange = opened.use(new ShardExchange(how));
  const set = new ShardSet({ local, remote: shards, exchange, now: () => performance.now() });
  return { set, [Symbol.dispose]: () => opened[Symbol.dispose]() };
}
