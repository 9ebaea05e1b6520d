import { OrbweaverError } from '../base/errors.ts';
import type {
  FoundUrl,
  LinkEvidence,
  LinkFilter,
  MediaConverter,
  PageHandler,
  Plugin,
  RankingSignal,
  SchemeFetcher,
  Sink,
} from '../contracts/plugin.ts';

/** One part of a plug-in. */
export interface Part<T> {
  readonly plugin: string;
  readonly call: T;
}

/** The plug-ins of a crawl by what they take part in. */
export class Plugins {
  readonly names: readonly string[];
  /** The modules with the times of their last changes: what they decide may be another when these are. */
  readonly versions: readonly string[];
  readonly fetchers: ReadonlyMap<string, Part<SchemeFetcher>>;
  readonly converters: ReadonlyMap<string, Part<MediaConverter>>;
  readonly filters: readonly Part<LinkFilter>[];
  readonly evidences: readonly Part<LinkEvidence>[];
  readonly signals: readonly Part<RankingSignal>[];
  readonly handlers: readonly Part<PageHandler>[];
  readonly sinks: readonly Part<Sink>[];

  constructor(plugins: readonly Plugin[], versions: readonly string[] = []) {
    this.versions = versions;
    this.names = plugins.map(({ name }) => name);
    this.fetchers = byKey(plugins, 'fetchers', (scheme) => `${scheme.toLowerCase()}:`);
    this.converters = byKey(plugins, 'converters', (mediaType) => mediaType.toLowerCase());
    this.filters = partsOf(plugins, 'filter');
    this.evidences = partsOf(plugins, 'evidence');
    this.signals = partsOf(plugins, 'signal');
    this.handlers = partsOf(plugins, 'onPage');
    this.sinks = partsOf(plugins, 'sink');
  }

  /** With their colons. */
  get schemes(): readonly string[] {
    return [...this.fetchers.keys()];
  }

  /** What all evidence comes to, in doublings. */
  evidenceOf(found: FoundUrl): number {
    let sum = 0;
    for (const part of this.evidences)
      sum += numberOf(part, (evidence) => evidence(found), -MOST_EVIDENCE, MOST_EVIDENCE);
    return sum;
  }

  /** The product of all signals. */
  factorOf(document: Parameters<RankingSignal>[0]): number {
    let factor = 1;
    for (const part of this.signals)
      factor *= numberOf(part, (signal) => signal(document), 1 / MOST_FACTOR, MOST_FACTOR);
    return factor;
  }
}

const MOST_EVIDENCE = 100;
const MOST_FACTOR = 100;

export const NO_PLUGINS = new Plugins([]);

/** What a plug-in did wrong, in words that name it. */
export function describePluginFault(plugin: string, cause: unknown): string {
  return `plug-in ${plugin}: ${cause instanceof Error ? cause.message : String(cause)}`;
}

/** Where there is nothing that could fail but the run as a whole. */
export function pluginFailed(plugin: string, cause: unknown): OrbweaverError {
  return new OrbweaverError('PLUGIN_FAILED', `A plug-in failed. ${describePluginFault(plugin, cause)}`, {
    remedy: 'Mend the plug-in, or leave it out of `plugins`; what was settled is kept, and the same command resumes.',
    cause,
  });
}

function numberOf<T>({ plugin, call }: Part<T>, ask: (call: T) => number, least: number, most: number): number {
  let given: number;
  try {
    given = ask(call);
  } catch (cause) {
    throw pluginFailed(plugin, cause);
  }
  if (typeof given === 'number' && given >= least && given <= most) return given;
  throw pluginFailed(plugin, `${String(given)} is no number from ${least} to ${most}`);
}

function partsOf<Key extends 'filter' | 'evidence' | 'signal' | 'onPage' | 'sink'>(
  plugins: readonly Plugin[],
  key: Key,
): Part<NonNullable<Plugin[Key]>>[] {
  return plugins.flatMap((plugin) => {
    const call = plugin[key];
    return call === undefined ? [] : [{ plugin: plugin.name, call: call as NonNullable<Plugin[Key]> }];
  });
}

function byKey<Key extends 'fetchers' | 'converters'>(
  plugins: readonly Plugin[],
  kind: Key,
  written: (key: string) => string,
): Map<string, Part<NonNullable<Plugin[Key]>[string]>> {
  type Call = NonNullable<Plugin[Key]>[string];
  const parts = new Map<string, Part<Call>>();
  for (const { name, [kind]: given = {} } of plugins)
    for (const [key, call] of Object.entries(given) as [string, Call][]) {
      const other = parts.get(written(key));
      if (other !== undefined)
        throw new OrbweaverError(
          'PLUGIN_INVALID',
          `Two plug-ins have ${kind} for ${key}: ${other.plugin} and ${name}.`,
          {
            remedy: 'Leave one of them out of `plugins`.',
          },
        );
      parts.set(written(key), { plugin: name, call });
    }
  return parts;
}
