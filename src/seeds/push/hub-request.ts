import type { WebSubSubscription } from '../../contracts/push.ts';

/** A request to be sent to a hub. Its answer goes to `WebSubSubscriber.answered`. */
export interface HubRequest {
  readonly subscription: string;
  readonly mode: 'subscribe' | 'unsubscribe';
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a hub said to a request; 'failed' where there was no answer. */
export type HubAnswer =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly location?: string;
      readonly retryAfterMs?: number;
      readonly body?: string;
    }
  | { readonly kind: 'failed'; readonly why: string };

/** The form that asks a hub to begin, renew or end a subscription. */
export function hubRequest(subscription: WebSubSubscription, callbackBase: string): HubRequest {
  const mode = subscription.state === 'leaving' ? 'unsubscribe' : 'subscribe';
  const form = new URLSearchParams({
    'hub.callback': `${callbackBase}${subscription.id}`,
    'hub.mode': mode,
    'hub.topic': subscription.topic,
  });
  if (mode === 'subscribe') {
    form.set('hub.lease_seconds', String(subscription.leaseSeconds));
    if (subscription.secret !== undefined) form.set('hub.secret', subscription.secret);
  }
  return {
    subscription: subscription.id,
    mode,
    method: 'POST',
    url: subscription.hub,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  };
}
