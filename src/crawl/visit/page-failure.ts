import type { Clock } from '../../base/clock.ts';
import { parseRetryRule, type RetryRule } from '../../base/settings/retry-kinds.ts';
import type { Claim, HostUse } from '../../contracts/crawl-task.ts';
import type { FailureCode, FetchResult, ResponseHead } from '../../contracts/fetcher.ts';
import { failureRule } from '../../fetch/failure-table.ts';
import { retryAfterOf, unreachableBy, useOfResult } from './host-use.ts';
import type { PageWork } from './page-work.ts';

export type Failed = Extract<PageWork, { kind: 'failed' }>;

export interface RetryLimits {
  readonly maxRetries: number;
  /** First wait before a retry is at most this. */
  readonly maxRetryMs: number;
  /** `retry-status`: rules by status and by class. */
  readonly byStatus?: Readonly<Record<string, string>>;
  /** Nobody is asked: the answer stays what it is. */
  readonly isFinal?: boolean;
}

/** A server that asks for patience gets it: its URLs are not given up as quickly as those that fail. */
const BUSY_RETRIES = 10;
/** A wait grows a thousandfold at most. */
const MOST_DOUBLINGS = 10;

/** Visits that failed: whether and when each is tried again, and whether its host rests. */
export class PageFailures {
  readonly #limits: RetryLimits;
  readonly #clock: Clock;

  constructor(limits: RetryLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Nothing came back. */
  ofRequest(claim: Claim, result: Extract<FetchResult, { kind: 'failed' }>): Failed {
    const { restHost, waitMs } = failureRule(result.code);
    const use = useOfResult(result, this.#clock.now());
    return {
      kind: 'failed',
      code: result.code,
      detail: result.detail,
      use: restHost ? { ...use, pushback: unreachableBy(result, result.code) } : use,
      ...this.#retry(claim, result.code, restHost ? 0 : waitMs),
    };
  }

  /** The server cannot answer now. A Retry-After counts with any status. */
  ofBusyServer(claim: Claim, head: ResponseHead, use: HostUse, pushback: boolean): Failed {
    const retryAfterMs = retryAfterOf(head, use);
    const rests = pushback || retryAfterMs !== undefined;
    const why = `HTTP ${head.status}`;
    if (this.#limits.isFinal) return { kind: 'failed', code: `http-${head.status}`, detail: head.statusText, use };
    const rule = this.#ruleOf(head.status);
    const { waitMs } = failureRule('http-5xx');
    return {
      kind: 'failed',
      code: `http-${head.status}`,
      detail: head.statusText,
      use: rests
        ? { ...use, pushback: { kind: 'busy', why, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } }
        : use,
      // A host that rests comes back by its own clock.
      ...(rule !== undefined
        ? retryBy(claim, rule, rests ? 0 : waitMs)
        : rests
          ? retryBy(claim, { times: BUSY_RETRIES }, 0)
          : this.#retry(claim, 'http-5xx', waitMs)),
    };
  }

  /** A status that is final but for a rule of `retry-status`. Undefined: it is final. */
  ofFinalStatus(claim: Claim, head: ResponseHead, use: HostUse): Failed | undefined {
    const rule = this.#limits.isFinal ? undefined : this.#ruleOf(head.status);
    if (rule === undefined) return undefined;
    const { retryMs } = retryBy(claim, rule, failureRule('http-5xx').waitMs);
    if (retryMs === undefined) return undefined;
    return { kind: 'failed', code: `http-${head.status}`, detail: head.statusText, use, retryMs };
  }

  #ruleOf(status: number): RetryRule | undefined {
    const { byStatus } = this.#limits;
    const written = byStatus?.[status] ?? byStatus?.[`${Math.floor(status / 100)}xx`];
    return written === undefined ? undefined : parseRetryRule(written);
  }

  /** The body ended on its way. */
  ofBrokenBody(claim: Claim, truncated: string | undefined, bytes: number, use: HostUse): Failed {
    const code = truncated === 'time' ? 'deadline' : 'reset';
    const detail = `the body broke off after ${bytes} bytes`;
    return { kind: 'failed', code, detail, use, ...this.#retry(claim, code, failureRule(code).waitMs) };
  }

  /** When to try again, if that makes sense. */
  #retry(claim: Claim, code: FailureCode, waitMs: number): Pick<Failed, 'retryMs'> {
    const { maxRetries, maxRetryMs } = this.#limits;
    const retries = Math.min(failureRule(code).retries, maxRetries);
    return claim.tries < retries ? { retryMs: Math.min(waitMs, maxRetryMs) * 2 ** claim.tries } : {};
  }
}

function retryBy(claim: Claim, rule: RetryRule, waitMs: number): Pick<Failed, 'retryMs'> {
  return claim.tries < rule.times
    ? { retryMs: (rule.waitMs ?? waitMs) * 2 ** Math.min(claim.tries, MOST_DOUBLINGS) }
    : {};
}
