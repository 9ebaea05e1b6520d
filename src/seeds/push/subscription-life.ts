import type { WebSubSubscription } from '../../contracts/push.ts';
import type { HubAnswer } from './hub-request.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** The times of a subscription's life, ms. */
export interface SubscriptionTimes {
  /** A hub that took our request verifies it within this time, or is asked again. */
  readonly verifyWithin: number;
  /** The first wait after a failure; it doubles. */
  readonly retryAfter: number;
  readonly retryCeiling: number;
  /** Failed requests before a hub counts as unwilling. */
  readonly maxTries: number;
  /** When an unwilling hub is asked again. */
  readonly deniedRest: number;
  /** How long the end of a subscription is remembered. */
  readonly leftMemory: number;
  /** A renewal is never sooner after a verification than this, however short the lease. */
  readonly minRenewal: number;
  /** A renewal is never later, however long the lease: hubs forget. */
  readonly maxRenewal: number;
}

export const subscriptionTimes: SubscriptionTimes = Object.freeze({
  verifyWithin: 60 * MINUTE,
  retryAfter: 5 * MINUTE,
  retryCeiling: DAY,
  maxTries: 8,
  deniedRest: 7 * DAY,
  leftMemory: DAY,
  minRenewal: MINUTE,
  maxRenewal: 30 * DAY,
});

const MAX_MOVES = 5;
/** More of a foreigner's sentence is not kept. */
const WHY_MAX = 200;

/** Before a request goes out: when it is sent again if neither an answer nor a verification comes. */
export function sent(held: WebSubSubscription, now: number, times: SubscriptionTimes): WebSubSubscription {
  return { ...held, tries: held.tries + 1, actAt: now + times.verifyWithin };
}

/** What a hub's answer to a request changes. */
export function heardFromHub(
  held: WebSubSubscription,
  answer: HubAnswer,
  now: number,
  times: SubscriptionTimes,
): WebSubSubscription {
  if (held.state === 'left' || held.state === 'denied') return held;
  if (answer.kind === 'failed') return inVain(held, answer.why, now, times);
  const { status } = answer;
  // Verification has the last word; some hubs verify before they answer, and then there is nothing left to wait for.
  if (status >= 200 && status < 300) return held;
  if (status === 307 || status === 308) return movedHub(held, answer.location, now, times);
  const said = `HTTP ${status}${answer.body === undefined || answer.body === '' ? '' : `: ${answer.body}`}`;
  // The hub understood and will not: 4xx other than the two that mean "later".
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return unwilling(held, said, now, times);
  const later = inVain(held, said, now, times);
  if (answer.retryAfterMs === undefined) return later;
  // Nobody is put off for longer than one who will not at all.
  return { ...later, actAt: Math.max(later.actAt, now + Math.min(answer.retryAfterMs, times.deniedRest)) };
}

/** The hub asked whether we mean it, and was told yes. */
export function verifiedSubscription(
  held: WebSubSubscription,
  leaseSeconds: number | undefined,
  now: number,
  times: SubscriptionTimes,
): WebSubSubscription {
  const lease = (leaseSeconds ?? held.leaseSeconds) * 1000;
  const { why: _, ...kept } = held;
  return {
    ...kept,
    state: 'active',
    tries: 0,
    moves: 0,
    until: now + lease,
    actAt: now + renewalAfter(held, lease, times),
  };
}

export function verifiedEnd(held: WebSubSubscription, now: number, times: SubscriptionTimes): WebSubSubscription {
  return { ...held, state: 'left', tries: 0, moves: 0, actAt: now + times.leftMemory };
}

/** The hub will not, at once or later. One that was to be left anyway is left. */
export function unwilling(
  held: WebSubSubscription,
  why: string,
  now: number,
  times: SubscriptionTimes,
): WebSubSubscription {
  if (held.state === 'leaving' || held.state === 'left') return verifiedEnd(held, now, times);
  const { until: _, ...kept } = held;
  return { ...kept, state: 'denied', tries: 0, moves: 0, why: why.slice(0, WHY_MAX), actAt: now + times.deniedRest };
}

function inVain(held: WebSubSubscription, why: string, now: number, times: SubscriptionTimes): WebSubSubscription {
  if (held.tries >= times.maxTries) return unwilling(held, why, now, times);
  const wait = Math.min(times.retryAfter * 2 ** Math.max(0, held.tries - 1), times.retryCeiling);
  return { ...held, why: why.slice(0, WHY_MAX), actAt: now + wait };
}

function movedHub(
  held: WebSubSubscription,
  location: string | undefined,
  now: number,
  times: SubscriptionTimes,
): WebSubSubscription {
  const hub = location === undefined ? null : URL.parse(location, held.hub);
  const usable = hub !== null && (hub.protocol === 'https:' || hub.protocol === 'http:');
  if (!usable || held.moves >= MAX_MOVES) return inVain(held, 'the hub redirects to nowhere', now, times);
  // A secret that was made for a hub behind TLS is not told in the open.
  if (held.secret !== undefined && held.hub.startsWith('https:') && hub.protocol === 'http:') {
    return inVain(held, 'the hub redirects from https to http', now, times);
  }
  return { ...held, hub: hub.href, moves: held.moves + 1, actAt: now };
}

/**
 * Between three quarters and nine tenths of the lease, so that a first failure leaves time for more tries. The place in
 * between follows from the id: subscriptions that began together are not renewed together.
 */
function renewalAfter(held: WebSubSubscription, leaseMs: number, times: SubscriptionTimes): number {
  let sum = 0;
  for (let at = 0; at < held.id.length; at++) sum = (sum * 31 + held.id.charCodeAt(at)) % 1000;
  const wish = leaseMs * (0.75 + 0.15 * (sum / 1000));
  return Math.min(Math.max(wish, times.minRenewal), times.maxRenewal);
}
