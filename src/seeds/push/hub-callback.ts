import type { PushNotice, PushRequest, PushResponse, WebSubSubscription } from '../../contracts/push.ts';
import { isHubSignature } from './hub-signature.ts';
import { headerOf, pushAnswer } from './push-answer.ts';
import { type SubscriptionTimes, unwilling, verifiedEnd, verifiedSubscription } from './subscription-life.ts';

/** The answer to a hub, and what the subscription becomes by it. */
export interface CallbackVerdict {
  readonly response: PushResponse;
  /** The same object where nothing changes. */
  readonly becomes: WebSubSubscription | undefined;
}

const CHALLENGE_MAX = 4096;

/**
 * A hub's GET: verification of intent, or a denial. Pure.
 *
 * Only what we asked for is confirmed. An active subscription confirms again: the hub may not have seen the first answer.
 */
export function answerVerification(
  held: WebSubSubscription | undefined,
  query: URLSearchParams,
  now: number,
  times: SubscriptionTimes,
): CallbackVerdict {
  const topic = query.get('hub.topic');
  if (held === undefined || topic !== held.topic) return unknown(held);
  const { id } = held;
  if (query.get('hub.mode') === 'denied') {
    const reason = query.get('hub.reason') ?? '';
    const becomes = unwilling(held, `denied: ${reason}`, now, times);
    return { becomes, response: pushAnswer(200, '', { notice: { kind: 'denied', subscription: id, topic, reason } }) };
  }
  const challenge = query.get('hub.challenge');
  if (challenge === null || challenge === '' || challenge.length > CHALLENGE_MAX) return unknown(held);
  const mode = query.get('hub.mode');
  if (mode === 'subscribe' && (held.state === 'asking' || held.state === 'active')) {
    const becomes = verifiedSubscription(held, leaseOf(query), now, times);
    const notice: PushNotice = { kind: 'subscribed', subscription: id, topic, until: becomes.until ?? now };
    return { becomes, response: pushAnswer(200, challenge, { notice }) };
  }
  if (mode === 'unsubscribe' && (held.state === 'leaving' || held.state === 'left')) {
    const notice: PushNotice = { kind: 'unsubscribed', subscription: id, topic };
    return { becomes: verifiedEnd(held, now, times), response: pushAnswer(200, challenge, { notice }) };
  }
  return unknown(held);
}

/**
 * A hub's POST: new content. Pure.
 *
 * A body without the right signature gets the same answer as any other, so that nobody can try signatures, but it is not
 * used. 410 tells the hub that nobody listens any more.
 */
export function answerContent(
  held: WebSubSubscription | undefined,
  request: PushRequest,
  now: number,
  maxBytes: number,
): PushResponse {
  if (held === undefined || held.state === 'left' || held.state === 'denied') return pushAnswer(410);
  if (request.body.length > maxBytes) return pushAnswer(413);
  const ignored = (why: Extract<PushNotice, { kind: 'ignored' }>['why']): PushResponse =>
    pushAnswer(202, '', { notice: { kind: 'ignored', subscription: held.id, why } });
  if (held.state === 'leaving') return ignored('unwanted');
  if (held.state === 'asking') return ignored('not-verified');
  if (held.secret !== undefined) {
    const signature = headerOf(request, 'x-hub-signature');
    if (signature === undefined) return ignored('unsigned');
    if (!isHubSignature(signature, held.secret, request.body)) return ignored('wrong-signature');
  }
  const notice: PushNotice = {
    kind: 'content',
    subscription: held.id,
    topic: held.topic,
    hub: held.hub,
    at: now,
    signed: held.secret !== undefined,
    mediaType: headerOf(request, 'content-type') ?? '',
    body: request.body,
  };
  return pushAnswer(202, '', { notice });
}

function unknown(held: WebSubSubscription | undefined): CallbackVerdict {
  return { response: pushAnswer(404), becomes: held };
}

/** Ten digits are more than a century; what is no number of seconds leaves what we asked for. */
function leaseOf(query: URLSearchParams): number | undefined {
  const text = query.get('hub.lease_seconds') ?? '';
  return /^\d{1,10}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}
