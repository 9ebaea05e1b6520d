import type { IncomingMessage } from 'node:http';
import type { Reply } from '../reply.ts';
import type { Access, Role, Visitor } from './access.ts';
import { RateLimit } from './rate-limit.ts';
import { crossSiteReason } from './request-origin.ts';

export interface GateOptions {
  readonly access: Access;
  readonly message: (path: string, status: number, title: string, text: string) => Reply;
  /** Paths that everybody may read where search is public. */
  readonly searchPaths: ReadonlySet<string>;
  /** Paths that everybody may read anyway, and forms that everybody may send. */
  readonly publicPaths: ReadonlySet<string>;
  readonly limits?: Partial<GateLimits>;
  readonly now?: () => number;
}

export interface GateLimits {
  /** Requests that change something, of one address within a minute. */
  readonly changes: number;
  /** Tokens that are not ours, likewise. */
  readonly wrongTokens: number;
}

const LIMITS: GateLimits = { changes: 120, wrongTokens: 10 };
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Changes nothing but whose session it is. */
const LOG_OUT = '/logout';

export type Admission =
  | { readonly visitor: Visitor; readonly refused?: undefined }
  | { readonly visitor?: undefined; readonly refused: Reply };

/** Lets requests pass, or answers them: by who asks, where the request comes from, and how often. */
export class Gate {
  readonly access: Access;
  readonly #options: GateOptions;
  readonly #changes: RateLimit;
  readonly #wrongTokens: RateLimit;

  constructor(options: GateOptions) {
    this.access = options.access;
    this.#options = options;
    const { changes, wrongTokens } = { ...LIMITS, ...options.limits };
    const now = options.now === undefined ? {} : { now: options.now };
    this.#changes = new RateLimit({ perMinute: changes, ...now });
    this.#wrongTokens = new RateLimit({ perMinute: wrongTokens, ...now });
  }

  admit({ method = '', headers, socket }: IncomingMessage, path: string): Admission {
    const address = socket.remoteAddress ?? '';
    const isReading = READING.has(method);
    const { visitor, refused: mistaken } = this.#identify(headers, address, path);
    if (mistaken !== undefined) return { refused: mistaken };
    if (!isReading) {
      const why = crossSiteReason(headers);
      if (why !== undefined) return { refused: this.#refuse(path, 403, 'Not allowed', why) };
      const wait = this.#changes.waitOf(address);
      if (wait > 0) return { refused: this.#tooOften(path, wait) };
      this.#changes.take(address);
    }
    const needed = this.#needed(path, isReading);
    if (needed === undefined || visitor.role === needed || visitor.role === 'control') {
      const refused = isReading ? undefined : this.#checkChange(path, visitor, headers);
      return refused === undefined ? { visitor } : { refused };
    }
    return { refused: visitor.role === undefined ? this.#logIn(path, isReading) : this.#mayOnlyView(path, visitor) };
  }

  /** Of a program that reads by posting: it needs the right to read, and is no page of another site. */
  admitProgram({ headers, socket }: IncomingMessage, path: string): Admission {
    const address = socket.remoteAddress ?? '';
    const why = crossSiteReason(headers);
    if (why !== undefined) return { refused: this.#refuse(path, 403, 'Not allowed', why) };
    const { visitor, refused } = this.#identify(headers, address, path);
    if (refused !== undefined) return { refused };
    return visitor.role === undefined ? { refused: this.#logIn(path, false) } : { visitor };
  }

  /** Keeps those out who may not even read; what the others may is for those to judge who answer them. */
  refuseStranger({ method = '', headers, socket }: IncomingMessage, path: string): Reply | undefined {
    const { visitor, refused } = this.#identify(headers, socket.remoteAddress ?? '', path);
    if (refused !== undefined) return refused;
    return visitor.role === undefined ? this.#logIn(path, READING.has(method)) : undefined;
  }

  /** A form of ours holds what only our pages can know. */
  checkForm(path: string, visitor: Visitor, form: URLSearchParams): Reply | undefined {
    if (this.#options.publicPaths.has(path) || visitor.via === 'token') return undefined;
    if (this.access.isOwnForm(visitor, form.get('csrf'))) return undefined;
    const text = 'This form is not of this server, or was opened before it was started again. Open the page again.';
    return this.#refuse(path, 403, 'Not allowed', text);
  }

  /** A token was typed at an address. A number: seconds until the next may be. */
  logIn(token: string, address: string): Role | 'wrong' | number {
    const wait = this.#wrongTokens.waitOf(address);
    if (wait > 0) return wait;
    const role = this.access.roleOf(token);
    if (role === undefined) this.#wrongTokens.take(address);
    return role ?? 'wrong';
  }

  /** Who asks; refused where too many wrong tokens came from there. */
  #identify(headers: IncomingMessage['headers'], address: string, path: string): Admission {
    const visitor = this.access.visitorOf(headers);
    if (visitor.wrong !== true && visitor.via !== 'token') return { visitor };
    const wait = this.#wrongTokens.waitOf(address);
    if (wait > 0) return { refused: this.#tooOften(path, wait) };
    if (visitor.wrong === true) this.#wrongTokens.take(address);
    return { visitor };
  }

  #needed(path: string, isReading: boolean): Role | undefined {
    const { publicPaths, searchPaths } = this.#options;
    if (publicPaths.has(path)) return undefined;
    if (!isReading) return path === LOG_OUT ? 'view' : 'control';
    return this.access.isPublicSearch && searchPaths.has(path) ? undefined : 'view';
  }

  /**
   * Of the API: a page of another site can send a form or plain text anywhere, but JSON only where the server allows it, which this one
   * never does. A session needs what only our pages know, besides.
   */
  #checkChange(path: string, visitor: Visitor, headers: IncomingMessage['headers']): Reply | undefined {
    if (!path.startsWith('/api/')) return undefined;
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    if (type.trim().toLowerCase() !== 'application/json')
      return this.#refuse(path, 415, 'Not taken', 'Send JSON, with the header content-type: application/json.');
    if (visitor.via !== 'session') return undefined;
    const csrf = headers['x-csrf-token'];
    if (typeof csrf === 'string' && this.access.isOwnForm(visitor, csrf)) return undefined;
    return this.#refuse(path, 403, 'Not allowed', 'The header x-csrf-token is missing or not of this session.');
  }

  #logIn(path: string, isReading: boolean): Reply {
    const reply = this.#refuse(path, 401, 'Log in', 'A token is needed here.');
    if (reply.headers['content-type']?.startsWith('text/html') !== true)
      return { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Bearer realm="orbweaver"' } };
    if (!isReading) return reply;
    const location = `/login?to=${encodeURIComponent(path)}`;
    return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
  }

  #mayOnlyView(path: string, { via }: Visitor): Reply {
    const text =
      via === 'open'
        ? 'This request came through a proxy, and this server has no token: it can only be read that way. Start it with a token (docs/api.md).'
        : 'This token may read, but change nothing.';
    return this.#refuse(path, 403, 'Not allowed', text);
  }

  #tooOften(path: string, wait: number): Reply {
    const reply = this.#refuse(path, 429, 'Too often', `Too many requests. Try again in ${wait} s.`);
    return { ...reply, headers: { ...reply.headers, 'retry-after': String(wait) } };
  }

  #refuse(path: string, status: number, title: string, text: string): Reply {
    return this.#options.message(path, status, title, text);
  }
}
