import type { IncomingMessage } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { PushRequest, PushResponse } from '../contracts/push.ts';
import { isOwnHost } from './http/host-check.ts';
import { DATA_POLICY, type Reply } from './http/reply.ts';

export type PushKind = 'indexnow' | 'websub';

/** Who answers what is pushed. */
export interface PushTaker {
  takes(kind: PushKind): boolean;
  handle(kind: PushKind, request: PushRequest): Promise<PushResponse>;
}

export interface PushRoutesParts {
  readonly desk: PushTaker;
  readonly clock: Pick<Clock, 'now'>;
  /** Where others reach this server; its name counts for pushes alone. '' where it has none. */
  readonly address: string;
  readonly maxBytes: number;
  readonly limits?: Partial<PushLimits>;
}

export interface PushLimits {
  /** Requests that are read or answered at one time. */
  readonly atOnce: number;
  /** Bytes of bodies that are taken within a minute, of all senders together: reading them costs time as well. */
  readonly bytesPerMinute: number;
}

const LIMITS: PushLimits = { atOnce: 32, bytesPerMinute: 64 * 1024 * 1024 };
const MINUTE = 60_000;

/** The addresses at which others tell us of changes, each only where it is wanted. Knows requests; the desk knows protocols. */
export class PushRoutes {
  readonly #parts: PushRoutesParts;
  readonly #limits: PushLimits;
  readonly #publicName: string | undefined;
  #underWay = 0;
  #minute = 0;
  #bytes = 0;

  constructor(parts: PushRoutesParts) {
    this.#parts = parts;
    this.#limits = { ...LIMITS, ...parts.limits };
    this.#publicName = URL.parse(parts.address)?.hostname.toLowerCase();
  }

  /** Of a target as sent. */
  kindOf(target = ''): PushKind | undefined {
    const path = target.split('?', 1)[0];
    const kind = path === '/indexnow' ? 'indexnow' : path.startsWith('/push/websub/') ? 'websub' : undefined;
    return kind !== undefined && this.#parts.desk.takes(kind) ? kind : undefined;
  }

  /** Whether it was meant for us: by a name of the server, or by that of the address that others were given. */
  isCalled(host: string | undefined, ownNames: ReadonlySet<string>): boolean {
    const names = this.#publicName === undefined ? ownNames : new Set([...ownNames, this.#publicName]);
    return isOwnHost(host, names);
  }

  async answer(request: IncomingMessage, kind: PushKind): Promise<Reply> {
    const { desk, maxBytes } = this.#parts;
    if (this.#underWay >= this.#limits.atOnce) return turnedAway(503, 'Too many at once.', 5);
    const said = Number(request.headers['content-length'] ?? 0);
    if (said > maxBytes) return turnedAway(413, `More than ${maxBytes} bytes.`);
    const wait = this.#overfull();
    if (wait > 0) return turnedAway(429, 'Too much within a minute.', wait);
    this.#underWay++;
    try {
      const body = await this.#bodyOf(request, maxBytes);
      if (body === 'too large') return turnedAway(413, `More than ${maxBytes} bytes.`);
      if (body === 'cut off') return refusal(400, 'The body is not whole.');
      const { method = '', url = '', headers } = request;
      const { status, headers: fields, body: text } = await desk.handle(kind, { method, url, headers, body });
      return { status, headers: { ...PLAIN, ...fields }, body: text };
    } finally {
      this.#underWay--;
    }
  }

  /** Seconds until more is taken; 0: now. */
  #overfull(): number {
    const now = this.#parts.clock.now();
    if (now - this.#minute >= MINUTE || now < this.#minute) {
      this.#minute = now;
      this.#bytes = 0;
    }
    return this.#bytes < this.#limits.bytesPerMinute ? 0 : Math.max(1, Math.ceil((this.#minute + MINUTE - now) / 1000));
  }

  async #bodyOf(request: IncomingMessage, maxBytes: number): Promise<Buffer | 'too large' | 'cut off'> {
    const pieces: Buffer[] = [];
    let length = 0;
    try {
      for await (const piece of request.iterator({ destroyOnReturn: false })) {
        length += piece.length;
        this.#bytes += piece.length;
        if (length > maxBytes) return 'too large';
        pieces.push(piece);
      }
    } catch {
      return 'cut off';
    }
    return Buffer.concat(pieces);
  }
}

const PLAIN = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': DATA_POLICY,
};

/** For programs: a word of explanation as plain text. */
export function refusal(status: number, why: string): Reply {
  return { status, headers: PLAIN, body: `${why}\n` };
}

/** The rest of the body is not waited for: the connection ends with the answer. */
function turnedAway(status: number, why: string, retryAfter?: number): Reply {
  const { headers, ...reply } = refusal(status, why);
  const later: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { ...reply, headers: { ...headers, ...later, connection: 'close' } };
}
