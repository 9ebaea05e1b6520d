import type { Settings } from '../base/settings/schema.ts';
import { userAgentOf } from '../base/settings/user-agent.ts';
import type { SketchMethod } from '../contracts/content/content-sketch.ts';
import type { ConversionLimits } from '../contracts/content/document.ts';
import type { RefusedBy } from '../contracts/outcome.ts';
import type { FrontierOptions } from '../contracts/state/frontier-options.ts';
import type { HostKey } from '../contracts/url.ts';
import { DEFAULT_CONVERSION_LIMITS } from '../convert/documents/conversion-budget.ts';
import type { HttpFetcherOptions } from '../fetch/http-fetcher.ts';
import type { DomainBudgetOptions } from '../frontier/domain-budgets.ts';
import { NO_PLUGINS, type Plugins } from '../plugins/plugins.ts';
import { LANES_OF_SCORED_ORDERS } from '../rank/orders/create-order.ts';
import { RequestAllowance } from '../revisit/request-allowance.ts';
import type { FolderRules } from '../scope/filter-chain.ts';
import type { GuardOptions } from '../scope/traps/learning-guard.ts';
import { FILES_HOST } from '../url/host-key.ts';
import { defaultUrlOptions, type UrlOptions } from '../url/url-options.ts';
import { isReplay } from './foreign/replay-settings.ts';
import type { CrawlLimits } from './limits.ts';

const FOCUSED_ORDER = 'topic:1';

/** How texts are reduced to sketches. */
export function sketchMethodOf({ nearShingle, nearSketch }: Settings): SketchMethod {
  return { shingle: nearShingle, ...(nearSketch === 'bins' ? {} : { permutations: nearSketch }) };
}

/** What each part is told, from the one table of settings. */
export function urlOptionsOf(settings: Settings, { schemes }: Pick<Plugins, 'schemes'> = NO_PLUGINS): UrlOptions {
  const { trailingSlash, duplicateSlashes, sortQuery, tidyQuery, stripTracking, stripSessionIds, www, plainHttp } =
    settings;
  return {
    ...defaultUrlOptions,
    trailingSlash,
    duplicateSlashes,
    sortQuery,
    tidyQuery,
    stripTracking,
    stripSessionIds,
    www,
    ...(plainHttp === 'https' ? { plainHttp } : {}),
    files: true,
    ...(schemes.length === 0 ? {} : { schemes: schemes.join(' ') }),
  };
}

/** `current`: where settings may change while the crawl runs. */
export function frontierOptionsOf(
  settings: Settings,
  now: number,
  current: () => Settings = () => settings,
): FrontierOptions & { readonly allowance?: RequestAllowance } {
  return {
    politeness: {
      get minimumDelayMs() {
        return current().delay;
      },
      // Who asks for no delay means none; only what robots.txt demands is left.
      get delayFactor() {
        return current().delay === 0 ? 0 : current().delayFactor;
      },
      get maxAdaptiveDelayMs() {
        return current().maxAdaptiveDelay;
      },
      backoffStartMs: settings.backoffStart,
      backoffMaxMs: settings.backoffMax,
      backoffJitter: settings.backoffJitter,
      forgivenessMs: settings.backoffForgiveness,
      unreachableLimit: settings.unreachableLimit,
      // A dead host fails before any URL does: at its robots.txt.
      neverReachedLimit: settings.retries + 1,
    },
    budgets: {
      maxPages: settings.hostMaxPages,
      maxBytes: settings.hostMaxBytes,
      maxMs: settings.hostMaxTime,
      maxQueued: settings.hostMaxQueue,
    },
    leaseMs: settings.lease,
    hostConcurrency: hostConcurrencyOf(settings),
    maxRequestMs: settings.totalTimeout,
    lanes: lanesOf(settings),
    laneChoice: settings.laneChoice,
    order: settings.order === 'depth-first' ? 'lifo' : 'fifo',
    movable: settings.continuous || isScored(settings),
    revisits: settings.continuous,
    maxPages: settings.maxPages,
    ...allowanceOf(settings, now),
    paceNewHosts: !isReplay(settings),
    addressFirst: !isReplay(settings),
    byAddress: settings.politeness.includes('ip'),
    byDomain: settings.politeness.includes('domain'),
    maxRefusals: settings.recordRefusals,
  };
}

export function hostConcurrencyOf({
  hostConcurrency,
  hostConcurrencyOf,
  filesAtOnce,
}: Settings): (host: HostKey) => number {
  return (host) => (host === FILES_HOST ? filesAtOnce : (hostConcurrencyOf[host] ?? hostConcurrency));
}

/** What lets requests to hosts begin that may have several under way. Where browsers show pages none may: a page may ask its host for more. */
export function gateOptionsOf(
  settings: Settings,
  isRendering: boolean,
): { readonly atOnce: (host: HostKey) => number; readonly longestRequestMs: number } {
  const isShown = isRendering && settings.render !== 'never';
  return { atOnce: isShown ? () => 1 : hostConcurrencyOf(settings), longestRequestMs: settings.totalTimeout };
}

/** `again`: known pages are visited once more, and that ends. Limits may change while the crawl runs. */
export function limitsOf(current: () => Settings, again = false): CrawlLimits {
  const { continuous, maxPages: pagesToKeep } = current();
  const keepsRevisiting = continuous || again;
  return {
    ...{ keepsRevisiting, endless: continuous },
    // Which hosts give no more new pages is decided once, where pages are visited again.
    get maxPages() {
      return keepsRevisiting ? pagesToKeep : current().maxPages;
    },
    get maxBytes() {
      return current().maxBytes;
    },
    get maxDurationMs() {
      return current().maxDuration;
    },
    get maxWaitMs() {
      return current().maxWait;
    },
  };
}

/** A budget holds strictly; without one, and with a goal, the plans decide. */
function allowanceOf({ requestsPerDay, freshnessGoal }: Settings, now: number): { allowance?: RequestAllowance } {
  if (requestsPerDay === 'auto' || freshnessGoal > 0) return {};
  return { allowance: new RequestAllowance(() => requestsPerDay, now) };
}

/** Whether URLs are put in order by what is known of them, which changes while they wait. */
function isScored(settings: Settings): boolean {
  return orderOf(settings) !== 'breadth-first' && settings.order !== 'depth-first';
}

/** A focused crawl takes the most promising links first, unless it is told otherwise. */
export function orderOf(settings: Settings): string {
  return isFocused(settings) && settings.order === 'breadth-first' ? FOCUSED_ORDER : settings.order;
}

export function lanesOf(settings: Settings): number {
  const isFine = isScored(settings) || Object.keys(settings.boost).length > 0;
  return isFine ? Math.max(settings.lanes, LANES_OF_SCORED_ORDERS) : settings.lanes;
}

export function isFocused({ topic, topicFile, like }: Settings): boolean {
  return topic !== '' || topicFile !== '' || like.length > 0;
}

/** The settings that decide on what is on topic, in one text. */
export function topicKeyOf(settings: Settings): string {
  const { topic, topicFile, like, unlike, tunnel } = settings;
  return isFocused(settings) ? JSON.stringify([topic, topicFile, like, unlike, tunnel]) : '';
}

export function fetcherOptionsOf(settings: Settings, version: string): HttpFetcherOptions {
  return {
    userAgent: userAgentOf(settings, version),
    ...(settings.from === '' ? {} : { from: settings.from }),
    ...(settings.acceptLanguage === '' ? {} : { acceptLanguage: settings.acceptLanguage }),
    headers: settings.header,
    credentials: settings.credentials,
    connectMs: settings.connectTimeout,
    connectionsPerOrigin: Math.max(settings.hostConcurrency, ...Object.values(settings.hostConcurrencyOf)),
    headersMs: settings.headersTimeout,
    bodyIdleMs: settings.bodyTimeout,
    totalMs: settings.totalTimeout,
    minRate: settings.minRate,
    maxBytes: settings.maxBody,
    maxBytesByType: settings.maxBodyByType,
    maxDecodeRatio: settings.decodeMaxRatio,
    allowH2: settings.http2,
    rejectUnauthorized: settings.tlsVerify,
    proxies: settings.proxy,
  };
}

/** Undefined where nothing is to be learnt. */
export function guardOptionsOf(settings: Settings): GuardOptions | undefined {
  const { trapLearning, trapPatience, trapMemory, trapProbe } = settings;
  return trapLearning ? { patience: trapPatience, maxPatterns: trapMemory, probeEvery: trapProbe } : undefined;
}

export function domainBudgetsOf(settings: Settings, seed: number): DomainBudgetOptions {
  const { domainPages, domainPagesPerLink, domainHosts, domainHostsPerLink, domainMaxHosts } = settings;
  return {
    seed,
    base: domainPages,
    perDomain: domainPagesPerLink,
    most: Number.POSITIVE_INFINITY,
    hosts: { base: domainHosts, perDomain: domainHostsPerLink, most: Math.max(domainMaxHosts, domainHosts) },
  };
}

/** The settings that decide on links, in one text. */
export function rulesKeyOf(
  settings: Settings,
  seeds: readonly string[],
  { forgotten = [], seedScopes = {} }: FolderRules = {},
  plugins: readonly string[] = [],
): string {
  const { scope, include, exclude, excludeExtensions, resources, maxUrlLength, maxDepth, followNofollow } = settings;
  const { hostMaxPages, hostMaxBytes, hostMaxTime, hostMaxQueue } = settings;
  return JSON.stringify([
    ...[scope, include, exclude, excludeExtensions, resources, maxUrlLength, String(maxDepth), followNofollow],
    ...[hostMaxPages, hostMaxBytes, hostMaxTime, hostMaxQueue].map(String),
    ...TRAP_RULES.map((key) => String(settings[key])),
    [...seeds].sort(),
    ...Object.entries(seedScopes).sort(([a], [b]) => (a < b ? -1 : 1)),
    ...(plugins.length === 0 ? [] : [plugins]),
    ...(settings.duplicateLinks === 'follow' ? [] : [settings.duplicateLinks]),
    ...(settings.images === 'fetch' ? ['images'] : []),
    ...forgotten.map(({ asked, allowedAt }) => `${allowedAt === undefined ? '-' : '+'}${asked}`),
  ]);
}

/** Whether a link that was refused so may come in by these settings, if the rules for URLs let it. */
export function mayComeIn(by: RefusedBy, { followNofollow, duplicateLinks }: Settings): boolean {
  if (by === 'directive') return followNofollow;
  if (by === 'duplicate') return duplicateLinks === 'follow';
  return by !== 'topic';
}

const TRAP_RULES = [
  'trapPathDepth',
  'trapRepeats',
  'trapHostLabels',
  'trapYearsAhead',
  'trapYearsBack',
  'trapParameters',
  'trapSessionIds',
] as const;

export function conversionLimitsOf(settings: Settings): ConversionLimits {
  return {
    ...DEFAULT_CONVERSION_LIMITS,
    maxMs: settings.documentTime,
    maxPages: settings.documentPages,
    maxUnpacked: settings.documentUnpacked,
  };
}

/** The share of the visits that are traced. */
export function tracedShare({ traces, traceSample }: Pick<Settings, 'traces' | 'traceSample'>): number {
  return traces === '' ? 0 : traceSample;
}
