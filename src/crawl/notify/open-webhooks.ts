import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { userAgentOf } from '../../base/settings/user-agent.ts';
import type { CrawlEvents } from '../../contracts/events.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { EventHub } from '../report/event-hub.ts';
import { WebhookSender } from './webhooks.ts';

export interface WebhookSources {
  readonly folder: string;
  readonly settings: Settings;
  readonly state: OwnedPartition;
  readonly clock: Clock;
  readonly random: () => number;
  readonly events: EventHub<CrawlEvents>;
}

/** Who is told of the changes of a crawl, each from where it was told last. */
export function openWebhooks(
  { settings, state, clock, random, folder, events }: WebhookSources,
  version: string,
): WebhookSender {
  const named = (url: string): string => `webhook ${url}`;
  return new WebhookSender({
    urls: settings.webhook,
    secret: settings.webhookSecret,
    crawl: folder,
    userAgent: userAgentOf(settings, version),
    log: state.changes,
    position: (url) => ({
      read: () => state.read<number>(named(url)),
      write: (number) => state.write(named(url), number),
    }),
    clock,
    random,
    onTrouble: (message) => events.emit('warning', { code: 'WEBHOOK', message }),
  });
}
