import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { OrbweaverError } from '../../base/errors.ts';
import { resolveSecret } from '../../base/secret-reference.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { isSendable, type KeptCookie, readCookieFile } from '../../fetch/login/cookie-file.ts';
import { type LoginRecipe, readLoginFile } from '../../fetch/login/login-recipe.ts';

type AccessSettings = Pick<Settings, 'header' | 'credentials' | 'login' | 'cookieFiles' | 'clientCertificates'>;

/** The secrets that a crawl may use, each where it was said to be. Held by the threads that ask, written nowhere. */
export interface PrivateAccess {
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly credentials: Readonly<Record<string, string>>;
  readonly logins: readonly LoginRecipe[];
  readonly cookies: readonly KeptCookie[];
  /** PEM, by origin. */
  readonly certificates: ReadonlyMap<string, string>;
  /** Whether an origin is asked with a secret. Undefined: none is. */
  readonly isPrivate?: (origin: string) => boolean;
}

/** Whether cookies have to be kept for the sake of a session. */
export function keepsCookies({
  cookies,
  login,
  cookieFiles,
}: Pick<Settings, 'cookies' | 'login' | 'cookieFiles'>): boolean {
  return cookies || login.length > 0 || cookieFiles.length > 0;
}

/** Throws where a secret is not where it should be, before anybody is asked. */
export function openPrivateAccess(settings: AccessSettings): PrivateAccess {
  const logins = settings.login.flatMap(readLoginFile);
  const cookies = settings.cookieFiles.flatMap(readCookieFile);
  const headers = Object.fromEntries(
    Object.entries(settings.header).map(([origin, lines]) => [origin, lines.map((line) => headerOf(line, origin))]),
  );
  const credentials = Object.fromEntries(
    Object.entries(settings.credentials).map(([origin, text]) => [origin, credentialOf(text, origin)]),
  );
  const certificates = new Map(
    Object.entries(settings.clientCertificates).map(([origin, path]) => [
      new URL(origin).origin,
      certificateOf(path, origin),
    ]),
  );
  const named = [...Object.keys(headers), ...Object.keys(credentials), ...Object.keys(settings.clientCertificates)];
  const origins = new Set([...named.map((origin) => new URL(origin).origin), ...logins.map(({ site }) => site)]);
  const isPrivate = (origin: string): boolean => origins.has(origin) || hasCookie(cookies, new URL(origin).hostname);
  const isNone = origins.size === 0 && cookies.length === 0;
  return { ...{ headers, credentials, logins, cookies, certificates }, ...(isNone ? {} : { isPrivate }) };
}

/** What a user is to know of cookies that are left out; by names alone. */
export function cookieNotices({ cookieFiles }: Pick<Settings, 'cookieFiles'>): string[] {
  return cookieFiles.flatMap((path) => {
    const odd = readCookieFile(path).filter((cookie) => !isSendable(cookie));
    if (odd.length === 0) return [];
    const names = odd.map(({ name, domain }) => `${name.replaceAll(/\p{Cc}/gu, '?')} of ${domain}`);
    const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
    return [
      `${path}: cookies with characters that no request can carry are left out: ${names.slice(0, 5).join(', ')}${more}.`,
    ];
  });
}

/** Cookies know no ports, and may be for the hosts below, too. */
function hasCookie(cookies: readonly KeptCookie[], hostname: string): boolean {
  return cookies.some(({ domain, hostOnly }) => domain === hostname || (!hostOnly && hostname.endsWith(`.${domain}`)));
}

function headerOf(line: string, origin: string): string {
  const colon = line.indexOf(':');
  const value = line.slice(colon + 1).trim();
  return `${line.slice(0, colon)}: ${resolveSecret(value, `The header ${line.slice(0, colon)} of ${origin}`)}`;
}

/** `basic USER:${PASSWORD}`, `bearer file:PATH`; with `basic file:PATH` the file holds user and password. */
function credentialOf(text: string, origin: string): string {
  const space = text.indexOf(' ');
  const value = resolveSecret(text.slice(space + 1), `The credential of ${origin}`);
  if (text.slice(0, space) !== 'basic' || value.includes(':')) return `${text.slice(0, space)} ${value}`;
  throw new OrbweaverError('SETTING_INVALID', `The credential of ${origin} refers to what is no USER:PASSWORD.`, {
    remedy: 'Write both with a colon between them, such as anna:secret.',
  });
}

function certificateOf(path: string, origin: string): string {
  try {
    const pem = readFileSync(path, 'utf8');
    createSecureContext({ cert: pem, key: pem });
    return pem;
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'it holds none';
    throw new OrbweaverError(
      'SETTING_INVALID',
      `The client certificate of ${origin} cannot be read from ${path} (${why}).`,
      {
        remedy: 'The file must hold the certificate and its key, without a passphrase, in PEM.',
      },
    );
  }
}
