import type { Clock } from '../../base/clock.ts';
import { SingleFlight } from '../../base/single-flight.ts';
import type { PushRequest, PushResponse, SubscriptionStore } from '../../contracts/push.ts';
import { answerContent, answerVerification } from './hub-callback.ts';
import { type HubAnswer, type HubRequest, hubRequest } from './hub-request.ts';
import { pushAnswer, requestTarget } from './push-answer.ts';
import { heardFromHub, type SubscriptionTimes, sent, subscriptionTimes } from './subscription-life.ts';

export interface WebSubParts {
  readonly store: SubscriptionStore;
  readonly clock: Pick<Clock, 'now'>;
  /** Bytes that nobody can guess; ids and secrets are made of them. */
  readonly random: (bytes: number) => Uint8Array;
  /** Where hubs reach us, ending in a slash: https://crawler.example/push/websub/ */
  readonly callbackBase: string;
  readonly leaseSeconds?: number;
  /** Secrets are told to hubs behind TLS; true tells them to all. */
  readonly secretOverHttp?: boolean;
  readonly maxBytes?: number;
  readonly times?: Partial<SubscriptionTimes>;
}

/** What a document says of its hubs: Link headers or elements with rel=hub and rel=self. */
export interface WebSubDiscovery {
  readonly hubs: readonly string[];
  readonly self: string;
}

export type SubscribeResult =
  | { readonly kind: 'asking' | 'known'; readonly id: string }
  | { readonly kind: 'unusable'; readonly why: string };

const ID = /^[\w-]{20,64}$/;

/** The WebSub subscriber (W3C). Sends nothing itself: `due` yields requests, `answered` takes replies, `handle` answers hubs. */
export class WebSubSubscriber {
  readonly #parts: WebSubParts;
  readonly #times: SubscriptionTimes;
  readonly #opening = new SingleFlight<string, SubscribeResult>();

  constructor(parts: WebSubParts) {
    this.#parts = parts;
    this.#times = { ...subscriptionTimes, ...parts.times };
  }

  /** Wants a topic from now on. No effect on one held or under way, unless its hub is not named any more: then another. */
  async subscribe(discovery: WebSubDiscovery): Promise<SubscribeResult> {
    const topic = webUrl(discovery.self);
    // One hub is enough: all of them have the same to tell.
    const hubs = discovery.hubs.map(webUrl).filter((hub) => hub !== undefined);
    const hub = hubs.find((url) => url.startsWith('https:')) ?? hubs[0];
    if (topic === undefined) return { kind: 'unusable', why: 'the topic is no http or https URL' };
    if (hub === undefined) return { kind: 'unusable', why: 'no hub has an http or https URL' };
    return this.#opening.run(topic, () => this.#open(topic, hub, hubs));
  }

  async #open(topic: string, hub: string, named: readonly string[]): Promise<SubscribeResult> {
    const { store, clock, random } = this.#parts;
    const held = (await store.ofTopic(topic)).filter(({ state }) => state !== 'leaving' && state !== 'left');
    const known = held.find((one) => named.includes(one.named ?? one.hub));
    for (const { id } of held) if (id !== known?.id) await this.#leave(id);
    if (known !== undefined) return { kind: 'known', id: known.id };
    const id = text(random(24));
    const secret = hub.startsWith('https:') || this.#parts.secretOverHttp === true ? text(random(32)) : undefined;
    await store.change(id, () => ({
      id,
      hub,
      named: hub,
      topic,
      ...(secret === undefined ? {} : { secret }),
      state: 'asking',
      leaseSeconds: this.#parts.leaseSeconds ?? 864_000,
      actAt: clock.now(),
      tries: 0,
      moves: 0,
    }));
    return { kind: 'asking', id };
  }

  /** Ends what there is of a topic; answers how many subscriptions that were. */
  async unsubscribe(topic: string): Promise<number> {
    const { store } = this.#parts;
    let count = 0;
    for (const { id, state } of await store.ofTopic(topic.trim())) {
      if (state === 'leaving' || state === 'left') continue;
      count++;
      await this.#leave(id);
    }
    return count;
  }

  async #leave(id: string): Promise<void> {
    const { store, clock } = this.#parts;
    await store.change(id, (held) => {
      // What no hub has heard of need not be undone at one.
      const unheard = held?.state === 'denied' || (held?.state === 'asking' && held.tries === 0);
      if (held === undefined || unheard) return undefined;
      return { ...held, state: 'leaving', tries: 0, moves: 0, actAt: clock.now() };
    });
  }

  /** The requests due to hubs: first ones, renewals, repeats, farewells. Each is recorded first: a crash repeats none early. */
  async due(max: number): Promise<HubRequest[]> {
    const { store, clock, callbackBase } = this.#parts;
    const requests: HubRequest[] = [];
    for (const { id } of await store.due(clock.now(), max)) {
      const now = clock.now();
      let mine = false;
      const held = await store.change(id, (current) => {
        mine = current !== undefined && current.actAt <= now && current.state !== 'left';
        if (current === undefined || current.actAt > now) return current;
        if (current.state === 'left') return undefined;
        if (current.tries >= this.#times.maxTries) return heardFromHub(current, NO_ANSWER, now, this.#times);
        return sent(current.state === 'denied' ? { ...current, state: 'asking' } : current, now, this.#times);
      });
      if (mine && held !== undefined && held.state !== 'denied' && held.state !== 'left') {
        requests.push(hubRequest(held, callbackBase));
      }
    }
    return requests;
  }

  /** What became of a request that `due` gave out. */
  async answered(subscription: string, answer: HubAnswer): Promise<void> {
    const { store, clock } = this.#parts;
    await store.change(subscription, (held) =>
      held === undefined ? undefined : heardFromHub(held, answer, clock.now(), this.#times),
    );
  }

  /** Answers a hub at the callback. Whatever is sent, it gets an answer. */
  async handle(request: PushRequest): Promise<PushResponse> {
    const { store, clock, maxBytes = 16 * 1024 * 1024 } = this.#parts;
    const target = requestTarget(request);
    const id = target?.path.slice(target.path.lastIndexOf('/') + 1) ?? '';
    if (target === undefined || !ID.test(id)) return pushAnswer(404);
    if (request.method === 'POST') {
      return answerContent(await store.subscription(id), request, clock.now(), maxBytes);
    }
    if (request.method !== 'GET') return pushAnswer(405, '', { headers: { allow: 'GET, POST' } });
    let response = pushAnswer(404);
    await store.change(id, (held) => {
      const verdict = answerVerification(held, target.query, clock.now(), this.#times);
      response = verdict.response;
      return verdict.becomes;
    });
    return response;
  }
}

const NO_ANSWER: HubAnswer = { kind: 'failed', why: 'the hub never verified' };

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

/** As written, for the hub must know the topic by the very name its publisher gave it. */
function webUrl(input: string): string | undefined {
  const written = input.trim();
  const url = URL.parse(written);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? written : undefined;
}
