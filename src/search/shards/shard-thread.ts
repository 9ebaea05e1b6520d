/** The body of the thread that answers other machines beside a node. Started by search/shards/serve-shard.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';
import { ShardServer } from './shard-server.ts';
import { ShardService } from './shard-service.ts';

export interface ShardThreadData {
  readonly folder: string;
  readonly id: string;
  readonly node: string;
  readonly host: string;
  readonly port: number;
  readonly token: string;
}

export type FromShardThread = { readonly port: number } | { readonly fault: string };

const port = parentPort;
if (port === null) throw new OrbweaverError('INTERNAL', 'The shard thread was started as a program.');
const { folder, id, node, ...where } = workerData as ShardThreadData;
const service = new ShardService(folder, id);
try {
  const server = await ShardServer.start({ service, node: () => node, ...where });
  port.on('message', () => {
    void server[Symbol.asyncDispose]().finally(() => {
      service[Symbol.dispose]();
      port.close();
    });
  });
  port.postMessage({ port: server.port } satisfies FromShardThread);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  port.postMessage({ fault: code ?? message } satisfies FromShardThread);
  service[Symbol.dispose]();
  port.close();
}
