import { readFileSync } from 'node:fs';
import { OrbweaverError } from '../../base/errors.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { OpenSearchAccess } from './opensearch-client.ts';

type AccessSettings = Pick<
  Settings,
  'opensearch' | 'opensearchKey' | 'opensearchUser' | 'opensearchPassword' | 'opensearchCa'
>;

/** How the settings say that the server is reached; undefined where nothing is sent. */
export function accessOf(settings: AccessSettings): OpenSearchAccess | undefined {
  const { opensearch: url, opensearchKey: apiKey, opensearchUser: user, opensearchPassword: password } = settings;
  if (url === '') return undefined;
  if (apiKey !== '' && user !== '')
    throw new OrbweaverError('SETTING_INVALID', 'opensearch-key and opensearch-user are both set.', {
      remedy: 'Write with an API key, or as a user with a password.',
    });
  if (/[\r\n]/.test(apiKey) || (apiKey !== '' && !/^[\x21-\x7e]+$/.test(apiKey)))
    throw new OrbweaverError(
      'SETTING_INVALID',
      'opensearch-key takes an API key in base64; what was given is not shown.',
    );
  const ca = certificates(settings.opensearchCa);
  return { url, apiKey, user, password, ...(ca === undefined ? {} : { ca }) };
}

function certificates(path: string): string | undefined {
  if (path === '') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new OrbweaverError('SETTING_INVALID', `opensearch-ca: ${path} cannot be read.`, {
      remedy: 'Name a file with certificates in PEM.',
      cause,
    });
  }
}
