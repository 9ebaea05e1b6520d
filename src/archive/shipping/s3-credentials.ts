import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Asked with every request: keys that last for an hour are renewed in their file. */
export type CredentialSource = () => Promise<S3Credentials>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The keys of the environment, else those of the file that other programs for S3 read. They are kept nowhere. */
export function credentialsOf(env: Environment): CredentialSource {
  return async () => fromEnvironment(env) ?? (await fromFile(env));
}

function fromEnvironment(env: Environment): S3Credentials | undefined {
  return complete(env.AWS_ACCESS_KEY_ID, env.AWS_SECRET_ACCESS_KEY, env.AWS_SESSION_TOKEN);
}

async function fromFile(env: Environment): Promise<S3Credentials> {
  const path = env.AWS_SHARED_CREDENTIALS_FILE || join(homedir(), '.aws', 'credentials');
  const profile = env.AWS_PROFILE || 'default';
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const values = text === undefined ? new Map<string, string>() : section(text, profile);
  const found = complete(
    values.get('aws_access_key_id'),
    values.get('aws_secret_access_key'),
    values.get('aws_session_token'),
  );
  if (found !== undefined) return found;
  const why = text === undefined ? `${path} cannot be read` : `${path} has none for the profile ${profile}`;
  throw new OrbweaverError('SETTING_INVALID', `The archive store needs keys: the environment has none, and ${why}.`, {
    remedy:
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a file that has them with AWS_SHARED_CREDENTIALS_FILE.',
  });
}

/** The values of one section of an INI file. */
function section(text: string, name: string): Map<string, string> {
  const values = new Map<string, string>();
  let isWanted = false;
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\s*\[\s*(.*?)\s*\]/.exec(line);
    if (heading !== null) isWanted = heading[1] === name;
    const [, key, value] = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isWanted && key !== undefined) values.set(key, value);
  }
  return values;
}

/** What a file or a secret of a cluster has behind the last character is none of it. */
function complete(...given: readonly (string | undefined)[]): S3Credentials | undefined {
  const [id = '', secret = '', token = ''] = given.map((value) => value?.trim());
  if (id === '' || secret === '') return undefined;
  return { accessKeyId: id, secretAccessKey: secret, ...(token === '' ? {} : { sessionToken: token }) };
}
