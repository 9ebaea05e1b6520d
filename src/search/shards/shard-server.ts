import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '../../base/node-http.ts';
import { readShardRequest } from './read-shard-request.ts';
import { SHARD_PATH, SHARD_PROTOCOL, type ShardReply, type ShardRequest } from './shard-protocol.ts';
import type { ShardService } from './shard-service.ts';
import { BadShardMessage } from './shard-values.ts';

export interface ShardServerParts {
  readonly service: ShardService;
  /** Of the node whose index it is. */
  readonly node: () => string;
  readonly host: string;
  readonly port: number;
  /** Askers must have it; '' where only this machine can ask. */
  readonly token: string;
}

/** The usual Host headers of those who ask on this machine. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)(?::\d{1,5})?$/i;
/** The terms that the prefixes of a long query stand for are most of it. */
const MOST_BYTES = 32 * 1024 * 1024;
const REQUEST_MS = 10_000;
/** Askers keep their connections. */
const KEEP_ALIVE_MS = 60_000;

/** Answers other machines that search the index of a node as a part of a larger one. */
export class ShardServer implements AsyncDisposable {
  readonly #parts: ShardServerParts;
  readonly #server: Server;

  private constructor(parts: ShardServerParts) {
    this.#parts = parts;
    this.#server = createServer({ requestTimeout: REQUEST_MS, noDelay: true }, (request, response) => {
      void this.#serve(request, response);
    });
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS;
  }

  static async start(parts: ShardServerParts): Promise<ShardServer> {
    const made = new ShardServer(parts);
    made.#server.listen(parts.port, parts.host);
    await once(made.#server, 'listening');
    return made;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const [status, reply] = await this.#reply(request);
      const body = JSON.stringify(reply);
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(refused(why)));
    } finally {
      // Whatever was not read of a request that is refused.
      if (!request.complete) request.destroy();
    }
  }

  async #reply(request: IncomingMessage): Promise<[status: number, ShardReply]> {
    // A page in a browser on this machine can let its own name point here (DNS rebinding); the Host header tells that name.
    if (this.#parts.token === '' && !LOOPBACK.test(request.headers.host ?? ''))
      return [404, refused('it was meant for another')];
    if (!this.#isAllowed(request)) return [401, refused('the token is another')];
    // A page in a browser on this machine can send neither without being asked first, which is refused.
    const isJson = request.headers['content-type'] === 'application/json';
    if (request.method !== 'POST' || request.url !== SHARD_PATH || !isJson) return [404, refused('it is no question')];
    const text = await bodyOf(request);
    if (text === undefined) return [413, refused('it is too long')];
    try {
      const asked = readShardRequest(text);
      if (asked.protocol !== SHARD_PROTOCOL) return [409, refused('this node has another version')];
      return [200, await this.#answer(asked)];
    } catch (error) {
      if (error instanceof BadShardMessage) return [400, refused(error.message)];
      throw error;
    }
  }

  async #answer({ version = '', question }: ShardRequest): Promise<ShardReply> {
    const { service, node } = this.#parts;
    if (question === undefined) return { kind: 'state', node: node(), state: service.state() };
    if (question.kind === 'texts') return { kind: 'answer', answer: await service.texts(question) };
    if (question.kind === 'description') return { kind: 'answer', answer: await service.description(question) };
    const answer = service.answer(version, question);
    return answer === undefined ? { kind: 'moved' } : { kind: 'answer', answer };
  }

  #isAllowed({ headers }: IncomingMessage): boolean {
    const { token } = this.#parts;
    return token === '' || timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
  }
}

function refused(why: string): ShardReply {
  return { kind: 'refused', why, protocol: SHARD_PROTOCOL };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Undefined where it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
