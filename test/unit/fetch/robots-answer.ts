import type { RobotsRecord } from '../../../src/contracts/content/robots.ts';
import type { FetchResult, ResponseHead } from '../../../src/contracts/fetcher.ts';
import { type RobotsVisit, robotsFetch } from '../../../src/fetch/robots/robots-outcome.ts';

export const NOW = 1_800_000_000_000;

export interface AnswerParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly truncated?: 'length' | 'time' | 'disconnect';
  readonly previous?: RobotsRecord;
  readonly redirects?: number;
  readonly now?: number;
}

/** A visit to http://site.test/robots.txt that was answered with this status. */
export function robotsAnswer(status: number, parts: AnswerParts = {}): RobotsVisit {
  const headers = parts.headers ?? {};
  const head: ResponseHead = {
    status,
    rawHeaders: Object.entries(headers).flat(),
    header: (name) => headers[name],
    httpVersion: '1.1',
    statusText: '',
  };
  const body = typeof parts.body === 'string' ? Buffer.from(parts.body) : (parts.body ?? new Uint8Array());
  const exchange = { startedAt: NOW, endedAt: NOW, address: '192.0.2.1', requestHead: '' };
  return robotsVisit({ kind: 'response', head, exchange, raw: body, body, truncated: parts.truncated }, parts);
}

/** The same with any result. */
export function robotsVisit(result: FetchResult, parts: AnswerParts = {}): RobotsVisit {
  return {
    origin: 'http://site.test',
    fetched: robotsFetch('http://site.test/robots.txt', result),
    now: parts.now ?? NOW,
    previous: parts.previous,
    redirects: parts.redirects ?? 0,
  };
}
