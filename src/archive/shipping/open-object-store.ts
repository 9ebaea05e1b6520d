import { OrbweaverError } from '../../base/errors.ts';
import { parseArchiveStore } from '../../base/settings/archive-store.ts';
import type { ObjectStore } from './object-store.ts';
import { credentialsOf } from './s3-credentials.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface OpenStoreOptions {
  readonly env?: Environment;
  /** Ends requests that are under way. */
  readonly signal?: AbortSignal;
  readonly stallMs?: number;
}

/** The store at an address; the keys come from the environment, with every request. */
export async function openObjectStore(
  address: string,
  { env = process.env, ...options }: OpenStoreOptions = {},
): Promise<ObjectStore> {
  const parsed = parseArchiveStore(address);
  if (parsed === undefined)
    throw new OrbweaverError('SETTING_INVALID', `${address} is not the address of an archive store.`);
  // Loaded by those who need it.
  const { S3ObjectStore } = await import('./s3-object-store.ts');
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION;
  return new S3ObjectStore({
    ...{ address: parsed, credentials: credentialsOf(env), ...options },
    ...(region === undefined ? {} : { region }),
  });
}

/** Throws where the environment has no keys: before a crawl begins, rather than with its first file. */
export async function requireCredentials(env: Environment = process.env): Promise<void> {
  await credentialsOf(env)();
}
