import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { Notes } from '../../contracts/state/notes.ts';
import { openSubscriptions } from '../../engines/open-subscriptions.ts';
import { WebSubSubscriber } from '../../seeds/push/websub-subscriber.ts';
import { rememberDomains } from '../../url/domain-of-host.ts';
import { FeedHubs, type FeedHubsSnapshot } from './feed-hubs.ts';

export interface OpenedFeedHubs extends Disposable {
  readonly hubs: FeedHubs;
}

export interface FeedHubsSources {
  readonly folder: string;
  readonly settings: Settings;
  /** Where the crawl keeps what belongs to it as a whole. */
  readonly state: Notes;
  readonly clock: Clock;
}

/** Undefined where no hub may tell us of anything, or a crawl that visits every page once has no use for it. */
export function openFeedHubs({ folder, settings, state, clock }: FeedHubsSources): OpenedFeedHubs | undefined {
  if (!settings.push.includes('websub') || !settings.continuous) return undefined;
  const store = openSubscriptions(folder);
  const subscriber = new WebSubSubscriber({
    store,
    clock,
    random: randomBytes,
    callbackBase: webSubCallbacks(settings.pushAddress),
  });
  const kept = state.read<FeedHubsSnapshot>('hubs');
  const hubs = new FeedHubs({
    subscribe: (discovery) => subscriber.subscribe(discovery),
    held: () => store.leases(),
    domainOf: rememberDomains(),
    clock,
    ...(kept === undefined ? {} : { kept }),
    write: (feeds) => state.write('hubs', feeds),
  });
  return { hubs, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

/** Where hubs call; what follows is the name of a subscription. */
export function webSubCallbacks(pushAddress: string): string {
  return `${pushAddress.replace(/\/+$/, '')}/push/websub/`;
}
