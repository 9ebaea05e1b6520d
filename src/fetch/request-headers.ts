import { OrbweaverError } from '../base/errors.ts';
import type { Validators } from '../contracts/crawl-task.ts';
import type { RequestSigner } from './signing/request-signer.ts';

export interface RequestHeaderOptions {
  readonly userAgent: string;
  /** Mail address of the one responsible. */
  readonly from?: string;
  readonly accept?: string;
  readonly acceptLanguage?: string;
  /** Lines such as `X-Api-Key: abc` by origin (`https://example.org`). */
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  /** `basic USER:PASSWORD` or `bearer TOKEN` by origin. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Absent: requests are not signed. */
  readonly signer?: RequestSigner;
}

const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';
const DEFAULT_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** What HTTP allows in a field value; anything else could end the line and begin another. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const FIELD_ASCII = /^[\x20-\x7e]*$/;
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The headers of every request: [name, value, …]. What is set for one origin goes to that origin alone. */
export class RequestHeaders {
  readonly #common: readonly string[];
  readonly #byOrigin: ReadonlyMap<string, readonly string[]>;
  readonly #hasCommon: ReadonlySet<string>;
  readonly #signer: RequestSigner | undefined;

  constructor(options: RequestHeaderOptions) {
    const common = ['User-Agent', options.userAgent];
    if (options.from !== undefined && options.from !== '') common.push('From', options.from);
    common.push('Accept', options.accept ?? DEFAULT_ACCEPT);
    if (options.acceptLanguage !== undefined && options.acceptLanguage !== '') {
      common.push('Accept-Language', options.acceptLanguage);
    }
    common.push('Accept-Encoding', ACCEPT_ENCODING);
    this.#common = checkedFields(common);
    this.#byOrigin = headersByOrigin(options, this.#common);
    this.#hasCommon = new Set(this.#common);
    this.#signer = options.signer;
  }

  /** Names of the headers whose values were set for this origin and may be secrets. */
  secretsOf(origin: string): readonly string[] {
    const headers = this.#byOrigin.get(origin);
    if (headers === undefined) return [];
    return headers.filter((_, i) => i % 2 === 0 && !this.#hasCommon.has(headers[i + 1]));
  }

  /** Always a fresh array. */
  for(origin: string, validators?: Validators, cookie?: string, userAgent?: string): string[] {
    const headers = [...(this.#byOrigin.get(origin) ?? this.#common)];
    if (userAgent !== undefined && FIELD_VALUE.test(userAgent)) headers[headers.indexOf('User-Agent') + 1] = userAgent;
    const cookies = cookie?.split('; ').filter((pair) => FIELD_VALUE.test(pair)) ?? [];
    if (cookies.length > 0) addCookies(headers, cookies.join('; '));
    const etag = asBytes(validators?.etag);
    if (etag !== undefined && etag !== '' && FIELD_VALUE.test(etag)) headers.push('If-None-Match', etag);
    const modified = validators?.lastModified;
    if (modified !== undefined && modified !== '' && FIELD_VALUE.test(modified)) {
      headers.push('If-Modified-Since', modified);
    }
    // A request under another name is not to be known as ours.
    if (userAgent === undefined && this.#signer !== undefined) headers.push(...this.#signer.fieldsFor(origin));
    return headers;
  }

  /** The same with fields of a page: `Accept` in the place of ours, and no other that we send already. */
  withFields(headers: string[], fields: readonly string[], origin: string): string[] {
    const set = this.#byOrigin.get(origin) ?? [];
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const name = fields[at];
      const value = asBytes(fields[at + 1]) ?? '';
      if (!FIELD_NAME.test(name) || !FIELD_VALUE.test(value)) continue;
      const isAccept = name.toLowerCase() === 'accept' && !this.secretsOf(origin).includes('Accept');
      const isOurs = [...headers, ...set].some((ours, i) => i % 2 === 0 && ours.toLowerCase() === name.toLowerCase());
      if (isAccept) setField(headers, 'Accept', value);
      else if (!isOurs) headers.push(name, value);
    }
    return headers;
  }
}

/** One character per byte, the way headers are sent. */
function asBytes(text: string | undefined): string | undefined {
  return text === undefined || FIELD_ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

function headersByOrigin(options: RequestHeaderOptions, common: readonly string[]): Map<string, string[]> {
  const byOrigin = new Map<string, string[]>();
  const headersOf = (name: string): string[] => {
    const origin = canonicalOrigin(name);
    const headers = byOrigin.get(origin) ?? [...common];
    byOrigin.set(origin, headers);
    return headers;
  };
  for (const [origin, lines] of Object.entries(options.headers ?? {})) {
    const headers = headersOf(origin);
    for (const line of lines) {
      const colon = line.indexOf(':');
      setField(headers, line.slice(0, colon).trim(), line.slice(colon + 1).trim());
    }
  }
  for (const [origin, credential] of Object.entries(options.credentials ?? {})) {
    setField(headersOf(origin), 'Authorization', authorizationOf(credential));
  }
  for (const headers of byOrigin.values()) checkedFields(headers);
  return byOrigin;
}

/** A header set for an origin takes the place of the common one of that name. */
function setField(headers: string[], name: string, value: string): void {
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i].toLowerCase() !== name.toLowerCase()) continue;
    headers[i + 1] = value;
    return;
  }
  headers.push(name, value);
}

/** A request has one Cookie field (RFC 6265, section 5.4): the user's own pairs first, but what the server has set since counts. */
function addCookies(headers: string[], jar: string): void {
  const own = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'cookie');
  if (own === -1) {
    headers.push('Cookie', jar);
    return;
  }
  const nameOf = (pair: string): string => pair.split('=', 1)[0].trim();
  const set = new Set(jar.split(';').map(nameOf));
  const kept = headers[own + 1].split(';').filter((pair) => pair.trim() !== '' && !set.has(nameOf(pair)));
  headers[own + 1] = [...kept.map((pair) => pair.trim()), jar].join('; ');
}

function authorizationOf(credential: string): string {
  const space = credential.indexOf(' ');
  const value = credential.slice(space + 1);
  switch (credential.slice(0, space).toLowerCase()) {
    case 'basic':
      return `Basic ${Buffer.from(value, 'utf8').toString('base64')}`;
    case 'bearer':
      return `Bearer ${value}`;
    default:
      throw new OrbweaverError('SETTING_INVALID', 'a credential is neither "basic USER:PASSWORD" nor "bearer TOKEN"');
  }
}

function canonicalOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new OrbweaverError('SETTING_INVALID', `"${text}" is not an origin such as https://example.org`);
  }
  return url.origin;
}

function checkedFields(headers: readonly string[]): readonly string[] {
  for (let i = 0; i < headers.length; i += 2) {
    if (FIELD_NAME.test(headers[i]) && FIELD_VALUE.test(headers[i + 1])) continue;
    // The value may be a secret and is not repeated.
    throw new OrbweaverError('SETTING_INVALID', `the request header "${headers[i]}" cannot be sent`);
  }
  return headers;
}
