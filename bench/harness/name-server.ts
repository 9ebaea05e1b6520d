/** A name server on loopback for a measured crawl: every name has the address 127.0.0.1, told after `latencyMs`. */
import { fork } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { answerQuery } from '../../src/simulate/server/name-server.ts';

export interface NameServer extends AsyncDisposable {
  /** `ip:port`, as the setting dns-servers takes it. */
  readonly address: string;
}

/** In a process of its own: a busy crawl must not make it slow. */
export async function startNameServer(latencyMs: number): Promise<NameServer> {
  const child = fork(new URL(import.meta.url), [String(latencyMs)], { execArgv: [] });
  const exited = once(child, 'exit');
  const [port] = await once(child, 'message');
  return {
    address: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

if (import.meta.main) {
  const latencyMs = Number(process.argv[2]);
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const answer = answerQuery(query, () => '127.0.0.1');
    if (answer !== undefined) setTimeout(() => socket.send(answer, from.port, from.address), latencyMs);
  });
  socket.bind(0, '127.0.0.1', () => process.send?.((socket.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit());
}
