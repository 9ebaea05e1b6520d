import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';
import type { FromShardThread, ShardThreadData } from './shard-thread.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './shard-thread.ts' : './shard-thread.js', import.meta.url);
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/;
const RESTART_MS = 1000;
const ANY = /^(?:0\.0\.0\.0|::)$/;

export interface ShardToServe {
  readonly folder: string;
  /** Name of the node. */
  readonly node: string;
  /** `host:port` to listen on; port 0 takes any free one. */
  readonly address: string;
  readonly token: string;
}

export interface ServedShard extends AsyncDisposable {
  /** Where other machines reach it, as `host:port`. */
  readonly address: string;
}

/** Lets other machines search the index of a node, in a thread of its own. */
export async function serveShard({ folder, node, address, token }: ShardToServe): Promise<ServedShard> {
  const { host, port } = readShardAddress(address);
  if (token === '' && !LOOPBACK.test(host))
    throw new OrbweaverError(
      'SETTING_INVALID',
      `Without a token nobody else may search the index of this node, at ${address}.`,
      {
        remedy: 'Give all nodes, and whoever searches, the same ORBWEAVER_SEARCH_TOKEN; or listen on 127.0.0.1.',
      },
    );
  const data: ShardThreadData = { ...{ folder, node, host, port, token }, id: randomUUID() };
  let thread = await startThread(data);
  if ('fault' in thread.said)
    throw new OrbweaverError('SETTING_INVALID', `Searches cannot be answered at ${address}: ${thread.said.fault}.`, {
      remedy: 'Name another address of this machine, or another port, with --search-address.',
    });
  const kept = { ...data, port: thread.said.port };
  let isClosing = false;
  const keep = async (): Promise<void> => {
    for (;;) {
      await thread.ended;
      while (!isClosing) {
        // Until it is back others leave this shard out, and say so.
        await setTimeout(RESTART_MS, undefined, { ref: false });
        if (isClosing) return;
        const again = await startThread(kept).catch(() => undefined);
        if (again === undefined || 'fault' in again.said) continue;
        thread = again;
        break;
      }
      if (isClosing) return;
    }
  };
  void keep();
  return {
    address: `${shownHost(host)}:${kept.port}`,
    async [Symbol.asyncDispose]() {
      isClosing = true;
      thread.worker.ref();
      thread.worker.postMessage('close');
      await thread.ended;
    },
  };
}

interface ShardThread {
  readonly worker: Worker;
  readonly said: FromShardThread;
  readonly ended: Promise<void>;
}

async function startThread(data: ShardThreadData): Promise<ShardThread> {
  const worker = new Worker(THREAD, { workerData: data });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const [said] = (await once(worker, 'message')) as [FromShardThread];
  // A fault of the thread ends nothing but the thread.
  worker.on('error', () => {});
  worker.unref();
  return { worker, said, ended };
}

export function readShardAddress(address: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([^:[\]/\s]+)):(\d{1,5})$/i.exec(address) ?? [];
  if (port !== undefined && Number(port) < 65_536) return { host: bracketed ?? plain, port: Number(port) };
  throw new OrbweaverError('SETTING_INVALID', `${address} is no address to answer searches at.`, {
    remedy: 'Write host and port, such as --search-address 10.0.0.5:8790.',
  });
}

/** An address that stands for all of a machine says nothing to others. */
function shownHost(host: string): string {
  if (!ANY.test(host)) return host.includes(':') ? `[${host}]` : host;
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
