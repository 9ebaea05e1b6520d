import { parseHttpDate } from './http-date.ts';

export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** Lower-case, without a leading dot. Absent: for the setting host alone. */
  readonly domain?: string;
  /** Absent: the folder of the page. */
  readonly path?: string;
  readonly secure: boolean;
  readonly expiresAt?: number;
}

const MAX_BYTES = 4096;
const LONGEST_LIFE_MS = 400 * 86_400_000;

/** Reads the value of one Set-Cookie header (RFC 6265, 5.2); undefined where it is to be ignored. */
export function parseSetCookie(text: string, now: number): SetCookie | undefined {
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(text)) return undefined;
  const [pair, ...attributes] = text.split(';');
  const equals = pair.indexOf('=');
  const name = equals === -1 ? '' : pair.slice(0, equals).trim();
  const value = pair.slice(equals + 1).trim();
  if ((name === '' && value === '') || name.length + value.length > MAX_BYTES) return undefined;

  let domain: string | undefined;
  let path: string | undefined;
  let secure = false;
  let expires: number | undefined;
  let maxAge: number | undefined;
  for (const attribute of attributes) {
    const split = attribute.indexOf('=');
    const key = (split === -1 ? attribute : attribute.slice(0, split)).trim().toLowerCase();
    const given = split === -1 ? '' : attribute.slice(split + 1).trim();
    switch (key) {
      case 'domain':
        domain = given.replace(/^\./, '').toLowerCase();
        break;
      case 'path':
        path = given.startsWith('/') ? given : undefined;
        break;
      case 'secure':
        secure = true;
        break;
      case 'expires':
        expires = parseHttpDate(given) ?? expires;
        break;
      case 'max-age':
        if (/^-?\d+$/.test(given)) maxAge = Number(given);
        break;
    }
  }
  const ends = maxAge === undefined ? expires : maxAge <= 0 ? 0 : now + maxAge * 1000;
  const expiresAt = ends === undefined ? undefined : Math.min(ends, now + LONGEST_LIFE_MS);
  return { name, value, domain: domain === '' ? undefined : domain, path, secure, expiresAt };
}
