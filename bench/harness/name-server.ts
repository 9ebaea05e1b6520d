/** A name server on loopback for a measured crawl: every name has the address 127.0.0.1, told after `latencyMs`. */
import { type ChildProcess, fork } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface NameServer extends AsyncDisposable {
  /** `ip:port`, as the setting dns-servers takes it. */
  readonly address: string;
}

/** In a process of its own: a busy crawl must not make it slow. */
export async function startNameServer(latencyMs: number): Promise<NameServer> {
  const child: ChildProcess = fork(new URL(import.meta.url), [String(latencyMs)], { execArgv: [] });
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

const HEAD_BYTES = 12;
const TYPE_A = 1;

/** The answer to a query: its own head and question, and for an A question one record. */
function answerTo(query: Buffer): Buffer {
  let end = HEAD_BYTES;
  while (query[end] !== 0) end += query[end] + 1;
  end += 5;
  const isA = query.readUInt16BE(end - 4) === TYPE_A;
  const answer = Buffer.alloc(end + (isA ? 16 : 0));
  query.copy(answer, 0, 0, end);
  answer.writeUInt16BE(0x8180, 2);
  answer.writeUInt16BE(isA ? 1 : 0, 6);
  answer.writeUInt32BE(0, 8);
  // A pointer to the name in the question, type A, class IN, TTL 300, four octets.
  if (isA) answer.set([0xc0, 0x0c, 0, TYPE_A, 0, 1, 0, 0, 1, 0x2c, 0, 4, 127, 0, 0, 1], end);
  return answer;
}

if (import.meta.main) {
  const latencyMs = Number(process.argv[2]);
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    setTimeout(() => socket.send(answerTo(query), from.port, from.address), latencyMs);
  });
  socket.bind(0, '127.0.0.1', () => process.send?.((socket.address() as AddressInfo).port));
}
