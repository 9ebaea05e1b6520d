/** The body of the thread that talks to other machines while a search waits. Started by search/shards/shard-exchange.ts. */

import { type MessagePort, workerData } from 'node:worker_threads';
import { Agent, request } from '../../base/node-http.ts';
import { SHARD_PATH } from './shard-protocol.ts';

export interface ExchangeThreadData {
  readonly port: MessagePort;
  /** First raised when something was sent to the port; then set where the thread has ended. */
  readonly signal: Int32Array<SharedArrayBuffer>;
  readonly token: string;
  readonly timeoutMs: number;
}

/** Questions that belong together: one reply, when all were answered or given up. */
export interface Sent {
  readonly number: number;
  readonly requests: readonly { readonly address: string; readonly body: string }[];
}

/** What came of a question: a reply, or why there is none. */
export type Received = { readonly status: number; readonly body: string } | { readonly fault: string };

export interface ReceivedAll {
  readonly number: number;
  readonly replies: readonly Received[];
}

const MOST_BYTES = 256 * 1024 * 1024;
const MOST_SOCKETS = 8;

const { port, signal, token, timeoutMs } = workerData as ExchangeThreadData;
const agent = new Agent({ keepAlive: true, maxSockets: MOST_SOCKETS });

// Whoever waits has no turns of the event loop, in which the end of a thread is told.
process.on('exit', () => {
  Atomics.store(signal, 1, 1);
  Atomics.notify(signal, 0);
});

port.on('message', (sent: Sent) => {
  void Promise.all(sent.requests.map(({ address, body }) => askSafely(address, body))).then((replies) => {
    port.postMessage({ number: sent.number, replies } satisfies ReceivedAll);
    Atomics.add(signal, 0, 1);
    Atomics.notify(signal, 0);
  });
});

/** An address that is none is refused before anything is sent. */
function askSafely(address: string, body: string): Promise<Received> {
  return ask(address, body).catch((error: NodeJS.ErrnoException) => ({ fault: error.code ?? error.message }));
}

function ask(address: string, body: string): Promise<Received> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    };
    const sent = request(`http://${address}${SHARD_PATH}`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_BYTES) sent.destroy(new Error('its answer is too long'));
        else chunks.push(chunk);
      });
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      });
      response.on('error', failed);
    });
    const failed = (error: NodeJS.ErrnoException): void => {
      clearTimeout(timer);
      resolve({ fault: error.code ?? error.message });
    };
    const timer = setTimeout(() => {
      resolve({ fault: `no answer within ${timeoutMs / 1000} s` });
      sent.destroy();
    }, timeoutMs);
    sent.on('error', failed);
    sent.end(body);
  });
}
