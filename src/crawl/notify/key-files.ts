import type { Clock } from '../../base/clock.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { Fetcher, FetchResult } from '../../contracts/fetcher.ts';
import type { CanonicalUrl, Origin } from '../../contracts/url.ts';
import { robotsFetch, robotsOutcome } from '../../fetch/robots/robots-outcome.ts';
import { judgeOfRecord } from '../../fetch/robots/robots-record.ts';
import type { RobotsJudge } from '../../fetch/robots/robots-rules.ts';
import type { KeyAnswer } from '../../seeds/push/key-check.ts';
import { hostKeyOf, originOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import { defaultUrlOptions } from '../../url/url-options.ts';
import { type BorrowedTurns, TURN_MS } from './borrowed-turns.ts';

export interface KeyFilesParts {
  readonly fetcher: Fetcher;
  /** Every request is one of the host's turns. */
  readonly turns: BorrowedTurns;
  readonly clock: Clock;
  /** Product token that robots.txt is read for; undefined: it is not asked. */
  readonly agent?: string;
  /** What the crawl knows of an origin's robots.txt. */
  readonly robotsOf: (origin: Origin) => Promise<RobotsRecord | undefined>;
}

const KEY_BYTES = 16 * 1024;
const ROBOTS_BYTES = 512 * 1024;
const MAX_REDIRECTS = 3;
const JUDGES_KEPT = 1000;
const JUDGED_FOR_MS = 900_000;
const NOT_HAD_FOR_MS = 60_000;

/**
 * Asks hosts for their key files, by the fetcher of the crawl and when the crawl's clock for the host allows it: robots.txt, the
 * address guard, size caps and deadlines hold. How often a host is asked is the inbox's to limit. What is told of failures goes to strangers and says nothing of our network.
 */
export class KeyFiles {
  readonly #parts: KeyFilesParts;
  readonly #judges: TtlCache<Origin, RobotsJudge>;

  constructor(parts: KeyFilesParts) {
    this.#parts = parts;
    this.#judges = new TtlCache(parts.clock, JUDGES_KEPT);
  }

  async fetch(written: string): Promise<KeyAnswer> {
    let url = normalizeUrl(written, defaultUrlOptions);
    for (let redirects = 0; url !== undefined && redirects <= MAX_REDIRECTS; redirects++) {
      if (!(await this.#mayAsk(url))) return { kind: 'absent', why: 'robots.txt forbids to ask for it' };
      const result = await this.#get(url, KEY_BYTES);
      if (result.kind === 'refused') return { kind: 'absent', why: 'its host may not be asked' };
      if (result.kind !== 'response') return { kind: 'unreachable', why: 'it could not be had' };
      const { status } = result.head;
      if (status === 200) return { kind: 'file', url, text: Buffer.from(result.body).toString('utf8') };
      const next = status >= 300 && status < 400 ? this.#nextOf(result, url) : undefined;
      if (next === undefined)
        return { kind: status >= 500 || status === 429 ? 'unreachable' : 'absent', why: `HTTP ${status}` };
      url = next;
    }
    return { kind: 'absent', why: 'it redirects too often, or to nowhere' };
  }

  /** A file elsewhere would prove nothing: no other host, nor another port of it, is asked. From http to https is the same place. */
  #nextOf(result: Extract<FetchResult, { kind: 'response' }>, from: CanonicalUrl): CanonicalUrl | undefined {
    const next = normalizeUrl(result.head.header('location') ?? '', defaultUrlOptions, from);
    const isOwn = next !== undefined && hostKeyOf(next) === hostKeyOf(from);
    return isOwn && next !== from ? next : undefined;
  }

  async #mayAsk(url: CanonicalUrl): Promise<boolean> {
    const { agent, clock, robotsOf } = this.#parts;
    if (agent === undefined) return true;
    const origin = originOf(url);
    let judge = this.#judges.get(origin);
    if (judge === undefined) {
      const held = await robotsOf(origin);
      const isFresh = held !== undefined && isGiven(held) && held.expiresAt > clock.now();
      const record = isFresh ? held : await this.#askRobots(origin);
      judge = judgeOfRecord(record, agent);
      this.#judges.set(origin, judge, isGiven(record) ? JUDGED_FOR_MS : NOT_HAD_FOR_MS);
    }
    return judge.judge(url).allowed;
  }

  async #askRobots(origin: Origin): Promise<RobotsRecord> {
    let url = `${origin}/robots.txt` as CanonicalUrl;
    for (let redirects = 0; ; redirects++) {
      const fetched = robotsFetch(url, await this.#get(url, ROBOTS_BYTES));
      const record = robotsOutcome({ origin, fetched, now: this.#parts.clock.now(), redirects });
      if (record.state !== 'moved' || fetched.kind !== 'redirect') return record;
      url = fetched.to as CanonicalUrl;
    }
  }

  async #get(url: CanonicalUrl, maxBytes: number): Promise<FetchResult> {
    const { fetcher, turns } = this.#parts;
    const result = await turns.use(hostKeyOf(url), () =>
      fetcher.fetch({ url, maxBytes, signal: AbortSignal.timeout(TURN_MS) }),
    );
    return result ?? { kind: 'failed', code: 'connect-timeout', detail: 'its host rests', bytes: 0 };
  }
}

/** The host has said what it allows, if only by having no such file. */
function isGiven({ state }: RobotsRecord): boolean {
  return state === 'rules' || state === 'allow-all';
}
