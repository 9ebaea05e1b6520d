import { CLOCK_SLACK_MS, type Clock } from '../../base/clock.ts';
import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { Claim, CrawlTask } from '../../contracts/crawl-task.ts';
import type { Fetcher, FetchResult } from '../../contracts/fetcher.ts';
import type { PageStore } from '../../contracts/page-store.ts';
import type { CanonicalUrl, Origin } from '../../contracts/url.ts';
import { type RobotsPreferences, readRobotsPreferences } from '../../extract/usage-preferences/robots-preferences.ts';
import { readTdmRules, type TdmRules } from '../../extract/usage-preferences/tdm-reservation.ts';
import { robotsFetch, robotsOutcome } from '../../fetch/robots/robots-outcome.ts';
import { parseRobots } from '../../fetch/robots/robots-parser.ts';
import { judgeOfRecord } from '../../fetch/robots/robots-record.ts';
import type { RobotsJudge } from '../../fetch/robots/robots-rules.ts';
import { hostKeyOf, originOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import { defaultUrlOptions } from '../../url/url-options.ts';

/** Compiled files kept in memory; others are compiled again from the state. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** What a file costs besides its text and its rules. */
const KEPT_LEAST = 1000;
/** 500 KiB count; a little more shows whether the last line was cut. */
const ROBOTS_BYTES = 512 * 1024;
/** A tdmrep.json has a few lines; one of thousands of rules is cut. */
const TDMREP_BYTES = 512 * 1024;

export interface RobotsGateOptions {
  readonly agent: string;
  readonly maxAgeMs: number;
  /** Also ask for /.well-known/tdmrep.json. */
  readonly tdmrep: boolean;
  /** A Crawl-delay counts. */
  readonly keepsDelays?: boolean;
}

/** What the files of an origin say of the use of its pages. */
export interface OriginPreferences {
  readonly robots?: RobotsPreferences;
  readonly tdmRules?: TdmRules;
}

/** One request for a robots.txt, and what is known after it. */
export interface RobotsVisit {
  /** What was asked for. */
  readonly url: CanonicalUrl;
  readonly record: RobotsRecord;
  readonly result: FetchResult;
  /** Where the file is said to lie; to be asked when that host is due. */
  readonly next?: CrawlTask;
  /** As written in the file. */
  readonly sitemaps: readonly string[];
  /** The file was awaited from another host before, and never came. */
  readonly inVain: boolean;
}

interface RobotsSnapshot {
  readonly record: Omit<RobotsRecord, 'body'>;
  readonly judge: RobotsJudge;
  /** Empty of most origins. */
  readonly preferences: OriginPreferences;
  readonly size: number;
}

/** Stands before every page. A robots.txt request takes the host's turn; the page waits for the next one. */
export class RobotsGate {
  readonly #fetcher: Fetcher;
  readonly #store: Pick<PageStore, 'robots'>;
  readonly #clock: Clock;
  readonly #options: RobotsGateOptions;
  readonly #judges = new Map<Origin, RobotsSnapshot>();
  /** Origins whose files are being asked for. */
  readonly #asked = new Map<Origin, Promise<unknown>>();
  #size = 0;

  constructor(fetcher: Fetcher, store: Pick<PageStore, 'robots'>, clock: Clock, options: RobotsGateOptions) {
    this.#fetcher = fetcher;
    this.#store = store;
    this.#clock = clock;
    this.#options = options;
  }

  /** Who judges URLs of the origin, or undefined while its robots.txt must be asked for first. */
  async judgeOf(origin: Origin): Promise<RobotsJudge | undefined> {
    const kept = this.#judges.get(origin);
    if (kept !== undefined && this.#usable(kept.record)) return kept.judge;
    // The state may know better: a file that lies on another host is read by the worker of that host.
    const record = await this.#store.robots(origin);
    return record !== undefined && this.#usable(record) && this.#isForUs(record) ? this.#keep(record).judge : undefined;
  }

  /** Rules can be read again for another name. The delay of the host was set by the name of the run before: the file is asked for again. */
  #isForUs({ agent }: RobotsRecord): boolean {
    return agent === undefined || agent === this.#options.agent;
  }

  /** What the files of the origin say of the use of its pages, once they were read. */
  preferencesOf(origin: Origin): OriginPreferences | undefined {
    return this.#judges.get(origin)?.preferences;
  }

  /** Where the tdmrep.json of the origin lies, while it is to be asked for. It obeys robots.txt. */
  tdmrepOf(origin: Origin): CanonicalUrl | undefined {
    const kept = this.#judges.get(origin);
    const url = `${origin}/.well-known/tdmrep.json` as CanonicalUrl;
    const isWanted = this.#options.tdmrep && kept !== undefined && kept.record.tdmrep === undefined;
    return isWanted && kept.judge.judge(url).allowed ? url : undefined;
  }

  /** Asks for it. Whatever else than a file comes says nothing; it is asked for again after the next robots.txt. */
  visitTdmrep(url: CanonicalUrl): Promise<Pick<RobotsVisit, 'url' | 'record' | 'result'> | undefined> {
    return this.#ask(originOf(url), () => this.#visitTdmrep(url));
  }

  async #visitTdmrep(url: CanonicalUrl): Promise<Pick<RobotsVisit, 'url' | 'record' | 'result'> | undefined> {
    const record = await this.#store.robots(originOf(url));
    if (record === undefined) return undefined;
    const result = await this.#fetcher.fetch({ url, maxBytes: TDMREP_BYTES });
    const isFile = result.kind === 'response' && result.head.status === 200;
    const told = { ...record, tdmrep: isFile ? new TextDecoder().decode(result.body) : '' };
    this.#keep(told);
    return { url, record: told, result };
  }

  /** True while the file is awaited from another place. */
  async awaited(origin: Origin): Promise<boolean> {
    const record = await this.#store.robots(origin);
    return record?.state === 'moved' && record.expiresAt > this.#clock.now() && !this.#isFromTheFuture(record);
  }

  /** The end of a request for a file of the origin that is under way; where a host may have several at once there may be one. */
  asked(origin: Origin): Promise<unknown> | undefined {
    return this.#asked.get(origin);
  }

  /** Asks for the robots.txt that the claim needs: that of its own origin, or the one it was sent for. */
  visit(claim: Claim): Promise<RobotsVisit> {
    return this.#ask(claim.task.forOrigin ?? originOf(claim.task.url), () => this.#visit(claim));
  }

  async #ask<T>(origin: Origin, ask: () => Promise<T>): Promise<T> {
    const asking = ask();
    const ended = asking.catch(() => undefined);
    this.#asked.set(origin, ended);
    try {
      return await asking;
    } finally {
      if (this.#asked.get(origin) === ended) this.#asked.delete(origin);
    }
  }

  async #visit(claim: Claim): Promise<RobotsVisit> {
    const { task } = claim;
    const origin = task.forOrigin ?? originOf(task.url);
    const url = task.purpose === 'robots' ? task.url : (`${origin}/robots.txt` as CanonicalUrl);
    const result = await this.#fetcher.fetch({ url, maxBytes: ROBOTS_BYTES });
    const previous = await this.#store.robots(origin);
    const redirects = task.purpose === 'robots' ? task.redirects : 0;
    const fetched = robotsFetch(url, result);
    const outcome = robotsOutcome({
      origin,
      fetched,
      now: this.#clock.now(),
      redirects,
      ...(previous === undefined ? {} : { previous }),
    });
    const next =
      outcome.state === 'moved' && fetched.kind === 'redirect'
        ? robotsTask(fetched.to, origin, outcome.redirects, task)
        : undefined;
    // A place that is no URL of ours cannot be asked: nobody knows what the file says.
    const final: RobotsRecord =
      outcome.state === 'moved' && next === undefined ? { ...outcome, state: 'disallow-all' } : outcome;
    const { crawlDelay } = this.#keep(final).judge;
    const isKept = crawlDelay !== undefined && this.#options.keepsDelays !== false;
    const readFor = namesDelays(final) ? { agent: this.#options.agent } : {};
    const record = { ...final, ...readFor, ...(isKept ? { crawlDelayMs: crawlDelay * 1000 } : {}) };
    return {
      url,
      record,
      result,
      sitemaps: record.state === 'rules' ? parseRobots(record.body ?? '').sitemaps : [],
      inVain: task.purpose !== 'robots' && record.state === 'moved' && previous?.state === 'moved',
      ...(next === undefined ? {} : { next }),
    };
  }

  #usable(record: Omit<RobotsRecord, 'body'>): boolean {
    const oldest = this.#clock.now() - this.#options.maxAgeMs;
    // A file that could not be had is asked for at every turn of its host; the host's back-off says how often that is.
    return (
      record.state !== 'disallow-all' &&
      record.state !== 'moved' &&
      record.expiresAt > this.#clock.now() &&
      (record.askedAt ?? record.fetchedAt) > oldest &&
      !this.#isFromTheFuture(record)
    );
  }

  /** Read when the clock was ahead: it would be good for longer than any file may be. */
  #isFromTheFuture({ askedAt, fetchedAt }: Omit<RobotsRecord, 'body'>): boolean {
    return (askedAt ?? fetchedAt) > this.#clock.now() + CLOCK_SLACK_MS;
  }

  #keep(record: RobotsRecord): RobotsSnapshot {
    const { body, tdmrep, ...facts } = record;
    const judge = judgeOfRecord(record, this.#options.agent);
    const kept: RobotsSnapshot = {
      // The text of the file is of no use once it is read; whether it was asked for is.
      record: tdmrep === undefined ? facts : { ...facts, tdmrep: '' },
      judge,
      preferences: {
        ...(body !== undefined && /content-(?:signal|usage)/i.test(body)
          ? { robots: readRobotsPreferences(body, this.#options.agent) }
          : {}),
        ...(tdmrep === undefined || tdmrep === '' ? {} : { tdmRules: readTdmRules(tdmrep) }),
      },
      size: KEPT_LEAST + (body?.length ?? 0) + (tdmrep?.length ?? 0) + judge.bytes,
    };
    this.#drop(record.origin);
    this.#judges.set(record.origin, kept);
    this.#size += kept.size;
    while (this.#size > KEPT_BYTES && this.#judges.size > 1) this.#drop(this.#judges.keys().next().value as Origin);
    return kept;
  }

  #drop(origin: Origin): void {
    this.#size -= this.#judges.get(origin)?.size ?? 0;
    this.#judges.delete(origin);
  }
}

function namesDelays({ body }: RobotsRecord): boolean {
  return body !== undefined && /crawl-?delay/i.test(body);
}

function robotsTask(target: string, origin: Origin, redirects: number, after: CrawlTask): CrawlTask | undefined {
  const url = normalizeUrl(target, { ...defaultUrlOptions, stripTracking: false, stripSessionIds: false });
  if (url === undefined) return undefined;
  return {
    url,
    host: hostKeyOf(url),
    depth: after.depth,
    redirects,
    lane: 0,
    discovery: { how: 'robots' },
    purpose: 'robots',
    forOrigin: origin,
  };
}
