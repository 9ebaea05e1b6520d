import type { Setting } from './kind.ts';
import { archiveSourceSettings } from './topics/archive-source-settings.ts';
import { contentSettings } from './topics/content-settings.ts';
import { duplicateSettings } from './topics/duplicate-settings.ts';
import { extractionSettings } from './topics/extraction-settings.ts';
import { filesSettings } from './topics/files-settings.ts';
import { formSettings } from './topics/form-settings.ts';
import { addressSettings, fetchSettings } from './topics/network-settings.ts';
import { observabilitySettings } from './topics/observability-settings.ts';
import { opensearchSettings } from './topics/opensearch-settings.ts';
import { pluginSettings } from './topics/plugin-settings.ts';
import { identitySettings, politenessSettings, robotsSettings } from './topics/politeness-settings.ts';
import { privateSettings } from './topics/private-settings.ts';
import { pushSettings } from './topics/push-settings.ts';
import { renderingSettings } from './topics/rendering-settings.ts';
import { revisitSettings } from './topics/revisit-settings.ts';
import { domainSettings, limitSettings, orderSettings, scopeSettings } from './topics/scope-settings.ts';
import { storageSettings } from './topics/storage-settings.ts';
import { topicSettings } from './topics/topic-settings.ts';
import { trapSettings } from './topics/trap-settings.ts';
import { urlSettings } from './topics/url-settings.ts';
import { webSettings } from './topics/web-settings.ts';
import { webhookSettings } from './topics/webhook-settings.ts';

/** Every setting. Types, flags, environment names, the settings file, messages and docs/settings.md follow from it. */
export const SETTINGS_SCHEMA = {
  ...scopeSettings,
  ...limitSettings,
  ...domainSettings,
  ...orderSettings,
  ...topicSettings,
  ...revisitSettings,
  ...politenessSettings,
  ...robotsSettings,
  ...identitySettings,
  ...addressSettings,
  ...fetchSettings,
  ...privateSettings,
  ...urlSettings,
  ...formSettings,
  ...contentSettings,
  ...extractionSettings,
  ...filesSettings,
  ...renderingSettings,
  ...duplicateSettings,
  ...trapSettings,
  ...storageSettings,
  ...archiveSourceSettings,
  ...opensearchSettings,
  ...webhookSettings,
  ...pushSettings,
  ...pluginSettings,
  ...observabilitySettings,
  ...webSettings,
};

type Schema = typeof SETTINGS_SCHEMA;
export type SettingKey = keyof Schema;

/** Durations in milliseconds, sizes in bytes, `unlimited` as Infinity. */
export type Settings = {
  readonly [Key in SettingKey]: Schema[Key] extends Setting<infer Value> ? Value : never;
};

export interface SettingGroup {
  readonly title: string;
  readonly about: string;
  readonly keys: readonly SettingKey[];
}

/** The order of the documentation: from what is crawled to how it is kept. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  group('Scope', 'Which URLs belong to the crawl.', scopeSettings),
  group(
    'Limits',
    'When enough is enough. A crawl that reached a limit can be resumed with a higher one.',
    limitSettings,
  ),
  group(
    'Domains',
    'How much of a domain is worth fetching: the more other domains link to it, the more.',
    domainSettings,
  ),
  group('Order', 'What comes first, and how much at once.', orderSettings),
  group('Topic', 'A focused crawl: pages on one topic, found by what links promise.', topicSettings),
  group('Revisits', 'When pages are looked at again.', revisitSettings),
  group('Politeness', 'How long a host rests, and what happens after failures.', politenessSettings),
  group('Robots', 'What sites ask of crawlers.', robotsSettings),
  group('Identity', 'How the crawler introduces itself.', identitySettings),
  group('Addresses', 'Which machines may be reached, and how their addresses are found.', addressSettings),
  group('Fetching', 'How long, how large, with what.', fetchSettings),
  group('Private sites', 'Pages that are not for everybody.', privateSettings),
  group('URLs', 'When two URLs are taken for one. Change these only before a crawl begins.', urlSettings),
  group('Forms', 'Pages that no link leads to.', formSettings),
  group('Content', 'How much is made of what was fetched.', contentSettings),
  group('Extraction', 'Rows of your own from pages.', extractionSettings),
  group('Files', 'Folders of this machine as seeds: docs/files.md.', filesSettings),
  group('Rendering', 'Pages that scripts build, in a browser.', renderingSettings),
  group('Duplicates and spam', 'What is recognised as said before, or as not worth saying.', duplicateSettings),
  group('Traps', 'What keeps a crawl out of addresses without end.', trapSettings),
  group('Storage', 'What is kept, and how safely.', storageSettings),
  group('Archives', 'Answers from archives instead of from the network.', archiveSourceSettings),
  group('OpenSearch', 'Another search engine that gets what was crawled.', opensearchSettings),
  group('Webhooks', 'Who is told when pages change.', webhookSettings),
  group('Push', 'Who may tell us that pages have changed.', pushSettings),
  group('Plug-ins', 'Programs of others that take part.', pluginSettings),
  group('Observability', 'What a crawl tells of itself while it runs.', observabilitySettings),
  group('Web access', 'Who may open the pages and the API of a crawl.', webSettings),
];

export const SETTING_KEYS = Object.keys(SETTINGS_SCHEMA) as SettingKey[];

/** The schema without the type of each value, for code that treats all settings alike. */
export function settingOf(key: SettingKey): Setting<unknown> {
  return SETTINGS_SCHEMA[key] as Setting<unknown>;
}

function group(title: string, about: string, settings: { readonly [Key in SettingKey]?: unknown }): SettingGroup {
  return { title, about, keys: Object.keys(settings) as SettingKey[] };
}
