import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../base/clock.ts';
import { robotsAgentOf } from '../../base/robots-names.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { userAgentOf } from '../../base/settings/user-agent.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { openStateReader } from '../../engines/open-reader.ts';
import { openSubscriptions } from '../../engines/open-subscriptions.ts';
import { createAddressGuard } from '../../fetch/connect/address-guard.ts';
import { createGuardedPost } from '../../fetch/guarded-post.ts';
import { hostDelay } from '../../frontier/politeness.ts';
import { createFilterChain } from '../../scope/filter-chain.ts';
import { IndexNowInbox } from '../../seeds/push/indexnow-inbox.ts';
import { WebSubSubscriber } from '../../seeds/push/websub-subscriber.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { defaultUrlOptions } from '../../url/url-options.ts';
import type { RunRecord } from '../report/run-record.ts';
import { frontierOptionsOf } from '../settings-to-parts.ts';
import { openNetwork } from '../visit/open-network.ts';
import { BorrowedTurns } from './borrowed-turns.ts';
import { KeyFiles } from './key-files.ts';
import { webSubCallbacks } from './open-feed-hubs.ts';
import { leaveWords } from './push-inbox.ts';
import { PushReceiver } from './push-receiver.ts';

export interface PushReceiverOptions {
  readonly folder: string;
  readonly settings: Settings;
  readonly version: string;
  readonly onTrouble: (trouble: unknown) => void;
  readonly clock?: Clock;
}

export interface OpenedPushReceiver extends AsyncDisposable {
  readonly desk: PushReceiver;
}

/** No body is larger; ten thousand URLs of ordinary length fit. */
export const MOST_PUSHED_BYTES = 4 * 1024 * 1024;

/** The desk of a crawl folder, as `push` of the settings has it. The folder must hold a crawl. */
export function openPushReceiver(options: PushReceiverOptions): OpenedPushReceiver {
  const { folder, settings, version, onTrouble, clock = systemClock } = options;
  using opened = new DisposableStack();
  const state = opened.use(openStateReader(folder));
  const { pages } = state;
  const network = openNetwork(settings, version, clock);
  const guard = createAddressGuard({ allowPrivate: settings.allowPrivate, allowList: settings.allowHosts });
  const post = createGuardedPost(
    { userAgent: userAgentOf(settings, version), rejectUnauthorized: settings.tlsVerify, proxies: settings.proxy },
    { clock, dns: network.dns, guard },
  );
  const { politeness } = frontierOptionsOf(settings, clock.now());
  const turns = new BorrowedTurns({
    clock,
    clockOf: async (host) => {
      const record = await pages.host(host);
      if (record === undefined) return undefined;
      const delayMs = hostDelay(politeness, record.lastFetchMs, record.crawlDelayMs ?? 0);
      return { ...record, delayMs, leased: state.hosts.isLeased(host, clock.now()) };
    },
    announce: (host, until) => leaveWords(folder, [{ url: `http://${host}/`, restUntil: until }], clock.now()),
    mayAnswer: () => state.read<RunRecord>('run')?.endedAt === undefined,
    usualDelayMs: politeness.minimumDelayMs,
  });
  const keys = new KeyFiles({
    fetcher: network.fetcher,
    turns,
    clock,
    ...(settings.robots ? { agent: robotsAgentOf(settings) } : {}),
    robotsOf: (origin) => pages.robots(origin),
  });
  const indexNow = settings.push.includes('indexnow')
    ? new IndexNowInbox({
        clock,
        fetchKey: (url) => keys.fetch(url),
        late: (notice) => desk.keepLate(notice),
        wanted: (urls) => wantedOf(urls),
        urlOptions: state.read<RunRecord>('run')?.urlOptions ?? defaultUrlOptions,
        limits: { maxBytes: MOST_PUSHED_BYTES },
      })
    : undefined;
  const webSub = settings.push.includes('websub')
    ? new WebSubSubscriber({
        store: opened.use(openSubscriptions(folder)),
        clock,
        random: randomBytes,
        callbackBase: webSubCallbacks(settings.pushAddress),
        maxBytes: MOST_PUSHED_BYTES,
      })
    : undefined;
  const desk = new PushReceiver({
    ...{ folder, clock, post, onTrouble },
    ...(indexNow && { indexNow }),
    ...(webSub && { webSub }),
  });
  desk.start();
  const held = opened.move();

  /** The crawl itself judges each URL; here it only must have some part in it, by its rules or by being crawled already. */
  async function wantedOf(urls: readonly CanonicalUrl[]): Promise<readonly CanonicalUrl[]> {
    if (urls.length > 0 && (await pages.host(hostKeyOf(urls[0]))) !== undefined) return urls;
    const filter = createFilterChain(settings, state.read<RunRecord>('run')?.seeds ?? [], clock);
    return urls.filter((url) => filter.judge(submitted(url)).admit);
  }

  return {
    desk,
    async [Symbol.asyncDispose]() {
      await desk.close();
      await network[Symbol.asyncDispose]();
      held.dispose();
    },
  };
}

function submitted(url: CanonicalUrl): CrawlTask {
  const place = { host: hostKeyOf(url), depth: 0, redirects: 0, lane: 0 };
  return { url, ...place, discovery: { how: 'push' }, purpose: 'page' };
}
