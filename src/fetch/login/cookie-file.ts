import { readFileSync } from 'node:fs';
import { OrbweaverError } from '../../base/errors.ts';

/** A cookie as another program kept it. */
export interface KeptCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  /** ms since the epoch; absent: as long as the crawl. */
  readonly expiresAt?: number;
}

/** Reads a file in the form of Netscape (cookies.txt), or JSON as browsers and their extensions export it. Messages never hold a value. */
export function readCookieFile(path: string): KeptCookie[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw invalid(path, `cannot be read (${(cause as NodeJS.ErrnoException).code})`);
  }
  const cookies = /^\s*[[{]/.test(text) ? fromJson(text, path) : fromNetscape(text, path);
  if (cookies.length === 0) throw invalid(path, 'holds no cookie');
  return cookies;
}

/** Whether a request can carry it: a control character would end its header, a semicolon begin another cookie. */
export function isSendable({ name, value }: Pick<KeptCookie, 'name' | 'value'>): boolean {
  return !/[\0-\x08\x0a-\x1f\x7f;]/.test(name + value);
}

/** domain, hosts below too, path, TLS alone, expiry in seconds, name, value; separated by tabs. */
function fromNetscape(text: string, path: string): KeptCookie[] {
  return text.split(/\r?\n/).flatMap((written, at) => {
    const line = written.replace(/^#HttpOnly_/i, '');
    if (line.trim() === '' || line.startsWith('#')) return [];
    const fields = line.split('\t');
    if (fields.length < 6) throw invalid(path, `has a line that is no cookie: line ${at + 1}`);
    const [domain, below, cookiePath, secure, expires, name, value = ''] = fields;
    const seconds = Number(expires);
    return [
      {
        ...{ name, value, domain: bare(domain), path: cookiePath || '/' },
        hostOnly: below.toUpperCase() !== 'TRUE',
        secure: secure.toUpperCase() === 'TRUE',
        ...(seconds > 0 ? { expiresAt: seconds * 1000 } : {}),
      },
    ];
  });
}

/** A list of cookies, or an object with such a list as `cookies`. */
function fromJson(text: string, path: string): KeptCookie[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid(path, 'is no valid JSON');
  }
  const list = Array.isArray(json) ? json : (json as { cookies?: unknown }).cookies;
  if (!Array.isArray(list)) throw invalid(path, 'has no list of cookies');
  return list.map((one: Readonly<Record<string, unknown>>, at) => {
    const { name, value, domain } = one ?? {};
    if (typeof name !== 'string' || typeof value !== 'string' || typeof domain !== 'string')
      throw invalid(path, `has an entry without name, value and domain: number ${at + 1}`);
    const seconds = Number(one.expirationDate ?? one.expires ?? -1);
    return {
      ...{ name, value, domain: bare(domain), path: typeof one.path === 'string' ? one.path : '/' },
      hostOnly: typeof one.hostOnly === 'boolean' ? one.hostOnly : !domain.startsWith('.'),
      secure: one.secure === true,
      ...(seconds > 0 ? { expiresAt: seconds * 1000 } : {}),
    };
  });
}

/** A cookie as a browser tells of it: `domain` begins with a dot where the hosts below get it, too. */
export interface BrowserCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  /** Seconds since the epoch; -1: as long as the browser runs. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
}

/** Those of a registrable domain and the hosts below it: what others have set is none of the crawl's business. */
export function cookiesOfSite(cookies: readonly BrowserCookie[], site: string): BrowserCookie[] {
  return cookies.filter(({ domain }) => bare(domain) === site || bare(domain).endsWith(`.${site}`));
}

/** The text of a cookies.txt. One whose parts hold what separates them cannot be written, and is left out. */
export function cookieFileText(cookies: readonly BrowserCookie[]): string {
  const lines = cookies.flatMap(({ name, value, domain, path, expires, httpOnly, secure }) => {
    const fields = [domain, domain.startsWith('.') ? 'TRUE' : 'FALSE', path, secure ? 'TRUE' : 'FALSE'];
    const parts = [...fields, String(Math.max(0, Math.floor(expires))), name, value];
    return parts.some((part) => /[\t\r\n]/.test(part)) ? [] : [`${httpOnly ? '#HttpOnly_' : ''}${parts.join('\t')}\n`];
  });
  return `# Netscape HTTP Cookie File\n${lines.join('')}`;
}

function bare(domain: string): string {
  return domain.replace(/^\./, '').toLowerCase();
}

function invalid(path: string, why: string): OrbweaverError {
  return new OrbweaverError('SETTING_INVALID', `The cookie file ${path} ${why}.`, {
    remedy: 'Export the cookies again, as cookies.txt (Netscape) or JSON; the path counts from the working directory.',
  });
}
