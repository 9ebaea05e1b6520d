import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { DIRECTORY_PATH, directoryFields } from '../../fetch/signing/key-directory.ts';
import { type Reply, send } from '../http/reply.ts';
import { botFiles } from './bot-files.ts';
import type { BotIdentity } from './bot-identity.ts';

const AUTHORITY = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** Serves the site that tells of a crawler. The key directory is signed anew for each request, for the host that was asked. */
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

  #reply({ method, url = '', headers }: IncomingMessage): Reply {
    if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'Only GET and HEAD are answered here.');
    const path = url.split('?', 1)[0];
    const reply = this.#replies.get(path === '/' ? '/index.html' : path);
    if (reply === undefined) return refusal(404, 'There is no such page here.');
    return path === DIRECTORY_PATH ? { ...reply, headers: this.#signed(reply.headers, headers.host) } : reply;
  }

  #signed(headers: Reply['headers'], host = ''): Reply['headers'] {
    const { key } = this.#identity;
    const authority = host.toLowerCase();
    if (key === undefined || !AUTHORITY.test(authority)) return headers;
    // A stored answer must not outlive its signature.
    const fields = directoryFields(key, authority, this.#clock.now());
    return { ...headers, ...fields, 'cache-control': 'public, max-age=60' };
  }
}

function refusal(status: number, text: string): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}
