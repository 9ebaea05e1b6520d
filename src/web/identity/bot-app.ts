import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { DIRECTORY_PATH, directoryFields } from '../../fetch/signing/key-directory.ts';
import { type Reply, send } from '../http/reply.ts';
import { botFiles } from './bot-files.ts';
import type { BotIdentity } from './bot-identity.ts';

/**
 * Serves the site that tells of a crawler. The key directory is signed for each request, as an answer of the host that `signature-agent` names,
 * whatever the request names: otherwise anybody could get a proof that the key belongs to a host of theirs.
 */
export class BotApp {
  readonly #identity: BotIdentity;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #replies: ReadonlyMap<string, Reply>;

  constructor(identity: BotIdentity, clock: Pick<Clock, 'now'>) {
    this.#identity = identity;
    this.#clock = clock;
    const replies = botFiles(identity, clock.now()).map(({ path, type, text }): [string, Reply] => [
      path,
      { status: 200, headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' }, body: text },
    ]);
    this.#replies = new Map(replies);
  }

  /** Answers one request; never throws, whatever was asked. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    send(this.#reply(request), response);
  }

  #reply({ method, url = '' }: IncomingMessage): Reply {
    if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'Only GET and HEAD are answered here.');
    const path = url.split('?', 1)[0];
    const reply = this.#replies.get(path === '/' ? '/index.html' : path);
    if (reply === undefined) return refusal(404, 'There is no such page here.');
    return path === DIRECTORY_PATH ? { ...reply, headers: this.#signed(reply.headers) } : reply;
  }

  #signed(headers: Reply['headers']): Reply['headers'] {
    const { key, authority } = this.#identity;
    if (key === undefined || authority === undefined) return headers;
    // A stored answer must not outlive its signature.
    const fields = directoryFields(key, authority, this.#clock.now());
    return { ...headers, ...fields, 'cache-control': 'public, max-age=60' };
  }
}

function refusal(status: number, text: string): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}
