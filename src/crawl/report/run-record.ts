import type { Settings } from '../../base/settings/schema.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { SeedScopes } from '../../scope/seed-scopes.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import type { SettingsSnapshot } from '../changed-settings.ts';
import type { EndReason } from '../conductor.ts';
import type { OrderSnapshot } from '../order-change.ts';
import type { UnreachableLimits } from './describe-host-trouble.ts';

/** What a crawl folder remembers of how it is crawled; kept in the state under the name 'run'. */
export interface RunRecord {
  /** Of the Orbweaver that ran last. */
  readonly version: string;
  readonly seeds: readonly CanonicalUrl[];
  /** Of seeds that have their own scope. */
  readonly seedScopes?: SeedScopes;
  /** What holds for the others; without `maxDepth` there is no limit. */
  readonly within?: Pick<Settings, 'scope'> & Partial<Pick<Settings, 'maxDepth'>>;
  /** Fixed for the life of a crawl: a URL must always have the same canonical form. */
  readonly urlOptions: UrlOptions;
  /** Product token that robots.txt is read for. */
  readonly agent: string;
  /** The settings that decide on links, as text: when they change, refused links are judged again. */
  readonly rules: string;
  /** What is on topic, as text; '' where all is. */
  readonly topic?: string;
  /** Settings by which URLs were asked for and pages kept. */
  readonly kept?: SettingsSnapshot;
  /** By what order the URLs that wait got their places. */
  readonly order?: OrderSnapshot;
  /** Archives of earlier crawls that this one refers to. */
  readonly duplicatesOf?: readonly string[];
  /** When hosts that cannot be reached are given up; absent where never. */
  readonly unreachable?: UnreachableLimits;
  /** All of its pages come from foreign archives. */
  readonly imported?: true;
  readonly startedAt: number;
  /** Requests of earlier runs. */
  readonly requestsBefore?: number;
  readonly endedAt?: number;
  readonly ended?: EndReason;
  /** URLs that were held back at that time, as suspected traps or by budgets. */
  readonly heldBack?: number;
}
