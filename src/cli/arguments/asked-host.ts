import { OrbweaverError } from '../../base/errors.ts';
import type { HostKey } from '../../contracts/url.ts';

/** The host that somebody has typed, as a name or in a URL. The port of a scheme is no part of the key of a host. */
export function askedHost(text: string): HostKey {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (url !== null && url.host !== '') return url.host.replace(/:443$/, '') as HostKey;
  throw new OrbweaverError('USAGE', `--host takes the name of a host, but got ${text}.`, {
    remedy: 'Write it as in a URL: example.org, or localhost:3000.',
  });
}
