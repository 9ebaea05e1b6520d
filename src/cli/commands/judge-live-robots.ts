import { OrbweaverError } from '../../base/errors.ts';
import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { FetchResult } from '../../contracts/fetcher.ts';
import type { Origin } from '../../contracts/url.ts';
import type { RobotsAnswer } from '../../fetch/robots/robots-inspect.ts';
import { robotsFetch, robotsOutcome } from '../../fetch/robots/robots-outcome.ts';
import { judgeOfRecord } from '../../fetch/robots/robots-record.ts';
import { completeSeed } from '../../seeds/seed-text.ts';

/** 500 KiB count; a little more shows whether the last line was cut. */
const ROBOTS_BYTES = 512 * 1024;

interface LiveRobotsAnswer extends RobotsAnswer {
  /** What the verdict rests on, such as "allow-all: HTTP 404". */
  readonly because: string;
}

/** Asks a host for its robots.txt and judges by it just as a crawl would: redirects, missing files and failures included. */
export async function judgeLiveRobots(
  asked: string,
  agent: string,
  fetch: (url: string, maxBytes: number) => Promise<FetchResult>,
): Promise<LiveRobotsAnswer> {
  const completed = completeSeed(asked.trim());
  if ('wrong' in completed) {
    throw new OrbweaverError('INPUT_INVALID', `${JSON.stringify(asked)} cannot be judged: ${completed.wrong}.`, {
      remedy: 'Write it as https://example.org/page.',
    });
  }
  const { url } = completed;
  const record = await askFor(new URL(url).origin as Origin, fetch);
  const judge = judgeOfRecord(record, agent);
  const { allowed, rule, line } = judge.judge(url);
  return {
    allowed,
    rule: rule ?? null,
    line: line ?? null,
    crawlDelay: judge.crawlDelay ?? null,
    because: record.state === 'rules' ? 'the rules of the file' : `${record.state}: ${record.why}`,
  };
}

async function askFor(
  origin: Origin,
  fetch: (url: string, maxBytes: number) => Promise<FetchResult>,
): Promise<RobotsRecord> {
  let url = `${origin}/robots.txt`;
  for (let redirects = 0; ; redirects++) {
    const fetched = robotsFetch(url, await fetch(url, ROBOTS_BYTES));
    const record = robotsOutcome({ origin, fetched, now: Date.now(), redirects });
    if (record.state !== 'moved' || fetched.kind !== 'redirect') return record;
    url = fetched.to;
  }
}
