import type { Settings } from '../../base/settings/schema.ts';

/** At once of one host: nobody is asked. */
const AT_ONCE = 8;

/** Whether the crawl is answered from archives. */
export function isReplay({ fromWarc }: Pick<Settings, 'fromWarc'>): boolean {
  return fromWarc.length > 0;
}

/** The settings of a crawl that asks nobody: what spares hosts is of no use, and the same answer comes however often it is asked for. */
export function replaySettings(settings: Settings): Settings {
  if (!isReplay(settings)) return settings;
  return {
    ...settings,
    ...{ delay: 0, maxAdaptiveDelay: 0, retries: 0, politeness: 'host', hostConcurrencyOf: {} },
    hostConcurrency: Math.max(settings.hostConcurrency, AT_ONCE),
    ...{ cookies: false, cloakingChecks: 0, headRequests: 'off', push: [] },
  };
}

/** The settings of an import besides: every page of the archives is taken, and no other. */
export function importSettings(settings: Settings): Settings {
  const unlimited = Number.POSITIVE_INFINITY;
  return {
    ...replaySettings(settings),
    ...{ robots: false, sitemaps: 'off', scope: 'any', trapLearning: false, mirrors: false, softNotFound: false },
    ...{ domainPages: unlimited, domainHosts: unlimited, domainMaxHosts: unlimited },
    ...{ hostMaxPages: unlimited, hostMaxBytes: unlimited, hostMaxTime: unlimited, hostMaxQueue: unlimited },
  };
}
