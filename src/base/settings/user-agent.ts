import type { Settings } from './schema.ts';

/** The User-Agent header: who we are and where to complain. */
export function userAgentOf(settings: Pick<Settings, 'userAgent' | 'contact'>, version: string): string {
  const name = settings.userAgent === '' ? `Orbweaver/${version}` : settings.userAgent;
  return settings.contact === '' || name.includes(settings.contact) ? name : `${name} (+${settings.contact})`;
}
