import type { Clock } from '../../base/clock.ts';
import type { PushNotice, PushRequest, PushResponse } from '../../contracts/push.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { defaultUrlOptions, type UrlOptions } from '../../url/url-options.ts';
import { HostQuota } from './host-quota.ts';
import { type IndexNowSubmission, readSubmission, type SubmissionLimits } from './indexnow-submission.ts';
import { type FetchKey, KeyCheck, type KeyMemory, type KeyVerdict } from './key-check.ts';
import { pushAnswer } from './push-answer.ts';

export interface IndexNowLimits extends SubmissionLimits, KeyMemory {
  /** Accepted submissions of a host. */
  readonly submissionsPerMinute: number;
  readonly urlsPerDay: number;
  /** Key files that are asked for at one host: nobody can make us a nuisance to a third. */
  readonly keyFetchesPerHour: number;
  /** URLs that wait for the check of their key. */
  readonly maxWaitingUrls: number;
  /** How long a request waits for the check before it is answered with 202. */
  readonly patienceMs: number;
}

export const indexNowLimits: IndexNowLimits = Object.freeze({
  maxUrls: 10_000,
  maxBytes: 24 * 1024 * 1024,
  maxUrlLength: 2_048,
  submissionsPerMinute: 60,
  urlsPerDay: 100_000,
  keyFetchesPerHour: 10,
  maxWaitingUrls: 200_000,
  patienceMs: 5_000,
  validMs: 86_400_000,
  invalidMs: 300_000,
  unreachableMs: 60_000,
  maxKeys: 10_000,
});

export interface IndexNowParts {
  readonly clock: Clock;
  readonly fetchKey: FetchKey;
  /** Gets what became of submissions that were answered with 202. Must not throw. */
  readonly late: (notice: PushNotice) => void;
  /** URLs that there is any use for; the others are not taken, and no key is asked for on their account. */
  readonly wanted?: (urls: readonly CanonicalUrl[]) => Promise<readonly CanonicalUrl[]>;
  readonly urlOptions?: UrlOptions;
  readonly limits?: Partial<IndexNowLimits>;
}

/** The receiving side of IndexNow: submitted by somebody who can write to the host. A hint, never past scope or robots. */
export class IndexNowInbox {
  readonly #parts: IndexNowParts;
  readonly #limits: IndexNowLimits;
  readonly #keys: KeyCheck;
  readonly #submissions: HostQuota;
  readonly #urls: HostQuota;
  readonly #keyFetches: HostQuota;
  #waitingUrls = 0;

  constructor(parts: IndexNowParts) {
    const limits = { ...indexNowLimits, ...parts.limits };
    this.#parts = parts;
    this.#limits = limits;
    this.#keys = new KeyCheck(parts.fetchKey, parts.clock, limits);
    this.#submissions = new HostQuota(parts.clock, limits.submissionsPerMinute, 60_000);
    this.#urls = new HostQuota(parts.clock, limits.urlsPerDay, 86_400_000);
    this.#keyFetches = new HostQuota(parts.clock, limits.keyFetchesPerHour, 3_600_000);
  }

  /** Whatever is sent, it gets an answer. */
  async handle(request: PushRequest): Promise<PushResponse> {
    const reading = readSubmission(request, this.#limits, this.#parts.urlOptions ?? defaultUrlOptions);
    if (reading.kind === 'wrong') {
      const headers: Record<string, string> = reading.status === 405 ? { allow: 'GET, POST' } : {};
      return pushAnswer(reading.status, reading.why, { headers });
    }
    const urls = (await this.#parts.wanted?.(reading.submission.urls)) ?? reading.submission.urls;
    if (urls.length === 0) return pushAnswer(422, 'These URLs are not part of what is crawled here.');
    const submission = { ...reading.submission, urls };
    const known = this.#keys.known(submission.keyUrl, submission.key);
    return known === undefined ? this.#verify(submission) : this.#respond(submission, known);
  }

  async #verify(submission: IndexNowSubmission): Promise<PushResponse> {
    const { host, key, keyUrl, urls } = submission;
    if (this.#waitingUrls + urls.length > this.#limits.maxWaitingUrls) return tooMany(this.#limits.patienceMs);
    if (!this.#keys.running(keyUrl, key)) {
      const wait = this.#keyFetches.take(host, 1);
      if (wait > 0) return tooMany(wait);
    }
    this.#waitingUrls += urls.length;
    const check = this.#keys.check(keyUrl, key).finally(() => {
      this.#waitingUrls -= urls.length;
    });
    const patience = new AbortController();
    const verdict = await Promise.race([check, this.#parts.clock.sleep(this.#limits.patienceMs, patience.signal)]);
    patience.abort();
    if (verdict !== undefined) return this.#respond(submission, verdict);
    void check.then((late) => this.#reportLate(submission, late));
    return pushAnswer(202, 'The key is being checked.');
  }

  /** Quotas are taken from whoever proved to be the host, so that nobody else can use them up. */
  #respond(submission: IndexNowSubmission, verdict: KeyVerdict): PushResponse {
    if (!verdict.valid) return pushAnswer(403, verdict.why);
    const wait = this.#submissions.take(submission.host, 1) || this.#urls.take(submission.host, submission.urls.length);
    return wait > 0 ? tooMany(wait) : pushAnswer(200, '', { notice: this.#notice(submission) });
  }

  #reportLate(submission: IndexNowSubmission, verdict: KeyVerdict): void {
    const { status, body, notice } = this.#respond(submission, verdict);
    const refused: PushNotice = { kind: 'submission-refused', host: submission.host, why: body || `HTTP ${status}` };
    this.#parts.late(notice ?? refused);
  }

  #notice(submission: IndexNowSubmission): PushNotice {
    const at = this.#parts.clock.now();
    const urls = submission.urls.map((url) => ({ url, at, via: 'indexnow' as const }));
    return { kind: 'submitted', host: submission.host, urls };
  }
}

function tooMany(waitMs: number): PushResponse {
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)));
  return pushAnswer(429, 'Too many submissions.', { headers: { 'retry-after': seconds } });
}
