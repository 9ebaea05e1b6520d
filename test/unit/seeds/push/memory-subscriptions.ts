import type { SubscriptionStore, WebSubSubscription } from '../../../../src/contracts/push.ts';

/** Subscriptions in memory: for tests. What it holds can be taken out and put in again. */
export class MemorySubscriptions implements SubscriptionStore {
  readonly #held = new Map<string, WebSubSubscription>();

  constructor(held: Iterable<WebSubSubscription> = []) {
    for (const subscription of held) this.#held.set(subscription.id, subscription);
  }

  async subscription(id: string): Promise<WebSubSubscription | undefined> {
    return this.#held.get(id);
  }

  async ofTopic(topic: string): Promise<WebSubSubscription[]> {
    return [...this.#held.values()].filter((held) => held.topic === topic);
  }

  async due(at: number, max: number): Promise<WebSubSubscription[]> {
    return [...this.#held.values()]
      .filter((held) => held.actAt <= at)
      .sort((a, b) => a.actAt - b.actAt)
      .slice(0, max);
  }

  async change(
    id: string,
    change: (held: WebSubSubscription | undefined) => WebSubSubscription | undefined,
  ): Promise<WebSubSubscription | undefined> {
    const next = change(this.#held.get(id));
    if (next === undefined) this.#held.delete(id);
    else this.#held.set(id, next);
    return next;
  }

  toJSON(): WebSubSubscription[] {
    return [...this.#held.values()];
  }
}
