import type { FailureCode, ResponseHead } from '../contracts/fetcher.ts';
import { parseHttpDate } from './http-date.ts';

/** What to do about a failure. */
export interface FailureRule {
  /** Before the first retry; each further one waits twice as long. */
  readonly waitMs: number;
  readonly retries: number;
  /** 'host': its name, machine or certificate. 'server': how it answered. 'page': this URL alone. */
  readonly fault: 'server' | 'host' | 'network' | 'page' | 'ours';
  /** The next URL of the host would fare no better: the whole host waits. */
  readonly restHost: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Short: a crawl with nothing else to do waits for its retries. Resting hosts have their back-off (docs/politeness.md). */
const RULES: Readonly<Record<FailureCode, FailureRule>> = {
  'dns-not-found': { waitMs: 0, retries: 2, fault: 'host', restHost: true },
  'dns-failed': { waitMs: 0, retries: 3, fault: 'network', restHost: true },
  'connect-refused': { waitMs: 0, retries: 3, fault: 'host', restHost: true },
  'connect-timeout': { waitMs: 0, retries: 3, fault: 'host', restHost: true },
  'connect-failed': { waitMs: 0, retries: 3, fault: 'network', restHost: true },
  'proxy-failed': { waitMs: 0, retries: 10, fault: 'ours', restHost: true },
  'tls-invalid': { waitMs: 0, retries: 0, fault: 'host', restHost: false },
  'tls-failed': { waitMs: MINUTE, retries: 1, fault: 'host', restHost: false },
  'headers-timeout': { waitMs: 0, retries: 2, fault: 'server', restHost: true },
  'body-timeout': { waitMs: 30 * SECOND, retries: 2, fault: 'server', restHost: false },
  'too-slow': { waitMs: MINUTE, retries: 1, fault: 'server', restHost: false },
  deadline: { waitMs: MINUTE, retries: 1, fault: 'server', restHost: false },
  reset: { waitMs: 10 * SECOND, retries: 3, fault: 'server', restHost: false },
  protocol: { waitMs: 30 * SECOND, retries: 1, fault: 'server', restHost: false },
  'headers-too-large': { waitMs: 0, retries: 0, fault: 'page', restHost: false },
  'body-too-large': { waitMs: 0, retries: 0, fault: 'page', restHost: false },
  'encoding-invalid': { waitMs: 30 * SECOND, retries: 1, fault: 'page', restHost: false },
  'encoding-bomb': { waitMs: 0, retries: 0, fault: 'page', restHost: false },
  aborted: { waitMs: SECOND, retries: 10, fault: 'ours', restHost: false },
  'http-4xx': { waitMs: 0, retries: 0, fault: 'page', restHost: false },
  'http-5xx': { waitMs: 10 * SECOND, retries: 2, fault: 'server', restHost: false },
  'redirect-invalid': { waitMs: 0, retries: 0, fault: 'page', restHost: false },
  'redirect-chain': { waitMs: 0, retries: 0, fault: 'page', restHost: false },
  'lease-expired': { waitMs: SECOND, retries: 3, fault: 'ours', restHost: false },
  'plugin-failed': { waitMs: 0, retries: 0, fault: 'ours', restHost: false },
  'login-failed': { waitMs: 0, retries: 0, fault: 'ours', restHost: false },
  // A file that is written is as it will be soon; who watches its folder asks again in any case.
  'file-changing': { waitMs: SECOND, retries: 4, fault: 'page', restHost: false },
  'file-unreadable': { waitMs: 0, retries: 0, fault: 'page', restHost: false },
  internal: { waitMs: MINUTE, retries: 2, fault: 'ours', restHost: false },
};

export function failureRule(code: FailureCode): FailureRule {
  return RULES[code];
}

/** Codes of Node, OpenSSL and undici. Prefixes stand below; what neither knows is our own fault until it is looked into. */
const ERROR_CODES: ReadonlyMap<string, FailureCode> = new Map([
  ['ENOTFOUND', 'dns-not-found'],
  ['ENODATA', 'dns-not-found'],
  ['ESERVFAIL', 'dns-failed'],
  ['ETIMEOUT', 'dns-failed'],
  ['EREFUSED', 'dns-failed'],
  ['ECONNREFUSED', 'connect-refused'],
  ['ETIMEDOUT', 'connect-timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect-timeout'],
  ['EHOSTUNREACH', 'connect-failed'],
  ['EHOSTDOWN', 'connect-failed'],
  ['ENETUNREACH', 'connect-failed'],
  ['ENETDOWN', 'connect-failed'],
  ['EADDRNOTAVAIL', 'connect-failed'],
  ['EACCES', 'connect-failed'],
  ['EPERM', 'connect-failed'],
  ['EINVAL', 'connect-failed'],
  ['UND_ERR_HEADERS_TIMEOUT', 'headers-timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'body-timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'headers-too-large'],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'body-too-large'],
  ['ECONNRESET', 'reset'],
  ['ECONNABORTED', 'reset'],
  ['EPIPE', 'reset'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['UND_ERR_INFO', 'reset'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'reset'],
  ['ERR_HTTP2_STREAM_CANCEL', 'reset'],
  ['ERR_HTTP2_SESSION_ERROR', 'reset'],
  ['ERR_HTTP2_GOAWAY_SESSION', 'reset'],
  ['UND_ERR_ABORTED', 'aborted'],
  ['UND_ERR_ABORT', 'aborted'],
  ['UND_ERR_DESTROYED', 'aborted'],
  ['UND_ERR_CLOSED', 'aborted'],
  ['ABORT_ERR', 'aborted'],
  ['EPROTO', 'tls-failed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls-invalid'],
  ['CERT_HAS_EXPIRED', 'tls-invalid'],
  ['CERT_NOT_YET_VALID', 'tls-invalid'],
  ['CERT_REVOKED', 'tls-invalid'],
  ['CERT_UNTRUSTED', 'tls-invalid'],
  ['CERT_REJECTED', 'tls-invalid'],
  ['CERT_SIGNATURE_FAILURE', 'tls-invalid'],
  ['CERT_CHAIN_TOO_LONG', 'tls-invalid'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls-invalid'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls-invalid'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls-invalid'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls-invalid'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-invalid'],
  ['INVALID_CA', 'tls-invalid'],
  ['INVALID_PURPOSE', 'tls-invalid'],
  ['PATH_LENGTH_EXCEEDED', 'tls-invalid'],
  ['HOSTNAME_MISMATCH', 'tls-invalid'],
  ['ERROR_IN_CERT_NOT_BEFORE_FIELD', 'tls-invalid'],
  ['ERROR_IN_CERT_NOT_AFTER_FIELD', 'tls-invalid'],
  ['EE_KEY_TOO_SMALL', 'tls-invalid'],
  ['CA_KEY_TOO_SMALL', 'tls-invalid'],
  ['CA_MD_TOO_WEAK', 'tls-invalid'],
]);

const ERROR_PREFIXES: readonly (readonly [string, FailureCode])[] = [
  ['HPE_', 'protocol'],
  ['ERR_HTTP2_', 'protocol'],
  ['ERR_SSL_', 'tls-failed'],
  ['ERR_TLS_', 'tls-failed'],
];

/** The failure behind an error of the network libraries, told by its code (or class), never by its message. */
export function classifyError(error: unknown): FailureCode {
  if (typeof error !== 'object' || error === null) return 'internal';
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string') {
    const known = ERROR_CODES.get(code);
    if (known !== undefined) return known;
    for (const [prefix, failure] of ERROR_PREFIXES) if (code.startsWith(prefix)) return failure;
  }
  // undici leaves the code of some parser errors empty.
  return name === 'HTTPParserError' ? 'protocol' : 'internal';
}

/** What a final status means for the visit. */
export interface StatusClass {
  readonly kind: 'success' | 'not-modified' | 'redirect' | 'gone' | 'retry' | 'refused' | 'odd';
  /** The server asks for less: the host must rest. */
  readonly pushback: boolean;
}

const SUCCESS: StatusClass = { kind: 'success', pushback: false };
const NOT_MODIFIED: StatusClass = { kind: 'not-modified', pushback: false };
const REDIRECT: StatusClass = { kind: 'redirect', pushback: false };
const GONE: StatusClass = { kind: 'gone', pushback: false };
const RETRY: StatusClass = { kind: 'retry', pushback: false };
const PUSHBACK: StatusClass = { kind: 'retry', pushback: true };
const REFUSED: StatusClass = { kind: 'refused', pushback: false };
const ODD: StatusClass = { kind: 'odd', pushback: false };

export function classifyStatus(status: number): StatusClass {
  if (status >= 200 && status < 300) return SUCCESS;
  switch (status) {
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
      return REDIRECT;
    case 304:
      return NOT_MODIFIED;
    case 404:
    case 410:
      return GONE;
    case 408:
    case 425:
      return RETRY;
    case 429:
    case 503:
      return PUSHBACK;
    default:
      if (status >= 500 && status < 600) return RETRY;
      return status >= 400 && status < 500 ? REFUSED : ODD;
  }
}

/** A server that names a later time than this has made a mistake. */
const LONGEST_RETRY_AFTER_MS = 30 * DAY;

/** What an answer says in Retry-After. A date counts from the server's own Date: neither of the two clocks has to be right. */
export function readRetryAfter(head: Pick<ResponseHead, 'header'>, now: number): number | undefined {
  const sent = head.header('date');
  return parseRetryAfter(head.header('retry-after'), (sent === undefined ? undefined : parseHttpDate(sent)) ?? now);
}

/** Milliseconds to wait, from seconds or a date; 0 for a date in the past, undefined where the value is neither. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), LONGEST_RETRY_AFTER_MS);
  const at = parseHttpDate(text);
  return at === undefined ? undefined : Math.min(Math.max(0, at - now), LONGEST_RETRY_AFTER_MS);
}
