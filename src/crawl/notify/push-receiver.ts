import type { Clock } from '../../base/clock.ts';
import type { PushNotice, PushRequest, PushResponse } from '../../contracts/push.ts';
import type { GuardedPost } from '../../fetch/guarded-post.ts';
import type { HubAnswer, HubRequest } from '../../seeds/push/hub-request.ts';
import type { IndexNowInbox } from '../../seeds/push/indexnow-inbox.ts';
import type { WebSubSubscriber } from '../../seeds/push/websub-subscriber.ts';
import { isInboxFull, leaveWords, type PushedWord } from './push-inbox.ts';

/** The ways in which others may tell us of changes. */
export type PushKind = 'indexnow' | 'websub';

export interface PushReceiverParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly indexNow?: IndexNowInbox;
  readonly webSub?: WebSubSubscriber;
  readonly post: GuardedPost;
  /** Told of faults of our own. */
  readonly onTrouble: (trouble: unknown) => void;
}

const LOOK_EVERY_MS = 2000;
const REQUESTS_AT_ONCE = 8;

/**
 * Where pushes arrive: each is answered by its protocol, and what may be believed of it is left for the crawl of the folder,
 * which need not run now, nor in this process. Nobody is told yes before that is written.
 */
export class PushReceiver {
  readonly #parts: PushReceiverParts;
  readonly #ended = new AbortController();
  #working: Promise<void> | undefined;

  constructor(parts: PushReceiverParts) {
    this.#parts = parts;
  }

  takes(kind: PushKind): boolean {
    return (kind === 'indexnow' ? this.#parts.indexNow : this.#parts.webSub) !== undefined;
  }

  async handle(kind: PushKind, request: PushRequest): Promise<PushResponse> {
    const { folder, indexNow, webSub } = this.#parts;
    // What hubs ask must be answered all the same: it leaves nothing to be kept.
    const bringsNews = kind === 'indexnow' || request.method === 'POST';
    if (bringsNews && isInboxFull(folder)) return busy('More was told than could be looked at yet.');
    const response = await (kind === 'indexnow' ? indexNow : webSub)?.handle(request);
    if (response === undefined) return { status: 404, headers: {}, body: '' };
    if (response.notice !== undefined) await this.#keep(response.notice);
    return response;
  }

  /** For submissions whose key took its time. */
  keepLate(notice: PushNotice): void {
    this.#keep(notice).catch(this.#parts.onTrouble);
  }

  /** Asks hubs for what is wanted, as long as this desk is open: only then can they call back. */
  start(): void {
    if (this.#parts.webSub !== undefined) this.#working ??= this.#askHubs(this.#parts.webSub);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#parts.post.close();
    await this.#working;
  }

  async #keep(notice: PushNotice): Promise<void> {
    const { folder, clock } = this.#parts;
    const words = await wordsOf(notice);
    if (words.length > 0) await leaveWords(folder, words, clock.now());
  }

  async #askHubs(webSub: WebSubSubscriber): Promise<void> {
    const { clock, onTrouble } = this.#parts;
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        const requests = await webSub.due(REQUESTS_AT_ONCE);
        await Promise.all(
          requests.map(async (request) => webSub.answered(request.subscription, await this.#send(request))),
        );
      } catch (error) {
        onTrouble(error);
      }
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  }

  async #send({ url, headers, body }: HubRequest): Promise<HubAnswer> {
    const answer = await this.#parts.post.post(url, headers, body);
    if (answer.kind === 'failed') return answer;
    const location = answer.header('location');
    const seconds = Number(answer.header('retry-after') ?? Number.NaN);
    return {
      kind: 'response',
      status: answer.status,
      body: answer.body,
      ...(location === undefined ? {} : { location }),
      ...(seconds >= 0 ? { retryAfterMs: seconds * 1000 } : {}),
    };
  }
}

/** What a notice says of pages. Content that anybody may have sent is no more than a hint to look at its topic. */
async function wordsOf(notice: PushNotice): Promise<PushedWord[]> {
  if (notice.kind === 'submitted') return notice.urls.map(({ url }) => ({ url, by: 'site' }));
  if (notice.kind !== 'content') return [];
  const { topic, signed, body, mediaType } = notice;
  if (!signed) return [{ url: topic, poll: true }];
  const { readFeedList } = await import('../content/list-reader.ts');
  const feed = readFeedList(body, topic, mediaType);
  const items = (feed?.links ?? []).flatMap(({ url, entry }): PushedWord[] => {
    if (entry?.mark === undefined) return [];
    const { mark, modified } = entry;
    return [{ url, topic, item: { mark, ...(modified === undefined ? {} : { date: modified }) } }];
  });
  return items.length > 0 ? items : [{ url: topic, poll: true }];
}

function busy(why: string): PushResponse {
  return { status: 503, headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '60' }, body: why };
}
