import { OrbweaverError } from '../../../base/errors.ts';
import { loadSettingsFile } from '../../../base/settings/load-settings-file.ts';
import { resolveSettings } from '../../../base/settings/resolve-settings.ts';
import { settingsPath } from '../../../crawl/crawl-folder.ts';
import { accessOf } from '../../../search/opensearch/access-of-settings.ts';
import type { OpenSearchAccess } from '../../../search/opensearch/opensearch-client.ts';
import { readSinkPlace } from '../../../search/opensearch/sink-place.ts';
import type { AskedCrawl } from '../../arguments/asked-crawl.ts';

export interface OpenSearchFlags extends AskedCrawl {
  readonly opensearch?: string;
  readonly again?: boolean;
  readonly watch?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The index that is meant: of the flag, the environment, the settings of the folder, else where the last run sent to. */
export async function askedIndex(folder: string, given?: string): Promise<OpenSearchAccess> {
  const file = await loadSettingsFile(settingsPath(folder), { optional: true });
  const flags = { continuous: true, ...(given === undefined ? {} : { opensearch: given }) };
  const { settings } = resolveSettings({ flags, env: process.env, file });
  const opensearch = settings.opensearch || (readSinkPlace(folder)?.url ?? '');
  const access = accessOf({ ...settings, opensearch });
  if (access !== undefined) return access;
  throw new OrbweaverError('USAGE', 'No index was named.', {
    remedy: 'Name it with --opensearch https://search.example.org:9200/pages, or with ORBWEAVER_OPENSEARCH.',
  });
}
