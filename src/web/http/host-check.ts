import { isIP } from 'node:net';

/**
 * Whether a request was meant for this server. A stranger's page can let its own name point to a loopback address and then read
 * our answers as its own (DNS rebinding); the Host header still tells that name. Addresses cannot be pointed elsewhere, so
 * they are taken as they are, names only where they are ours.
 */
export function isOwnHost(header: string | undefined, ownNames: ReadonlySet<string>): header is string {
  const match = header === undefined ? null : /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header);
  if (match === null) return false;
  const name = match[1].toLowerCase();
  return name === 'localhost' || ownNames.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}
