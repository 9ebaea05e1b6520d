import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { Settings } from '../../../base/settings/schema.ts';
import { Access } from './access.ts';

export interface PageAccess {
  readonly access: Access;
  /** A token that was made for this run, to be told to whoever has started the server. */
  readonly madeToken?: string;
}

type AccessSettings = Pick<Settings, 'viewToken' | 'controlToken' | 'publicSearch'>;

/** Whoever can reach a server from elsewhere needs a token; one is made where none is given. */
export function pageAccess(
  { host, allowHost = [] }: { readonly host: string; readonly allowHost?: readonly string[] },
  settings: AccessSettings = { viewToken: '', controlToken: '', publicSearch: false },
): PageAccess {
  const { viewToken, controlToken, publicSearch } = settings;
  const isOurOwn = isLoopback(host) && allowHost.length === 0;
  if (isOurOwn || viewToken !== '' || controlToken !== '')
    return { access: new Access({ viewToken, controlToken, publicSearch }) };
  const madeToken = randomBytes(24).toString('base64url');
  return { access: new Access({ controlToken: madeToken, publicSearch }), madeToken };
}

export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  if (name === 'localhost') return true;
  const family = isIP(name);
  if (family === 4) return name.startsWith('127.');
  return family === 6 && URL.parse(`http://[${name}]`)?.hostname === '[::1]';
}
