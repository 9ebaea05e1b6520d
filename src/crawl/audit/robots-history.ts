import { headerValue } from '../../archive/http-message.ts';
import type { Archive, ArchivedDocument } from '../../contracts/archive.ts';
import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { CanonicalUrl, Origin } from '../../contracts/url.ts';
import {
  ROBOTS_MAX_REDIRECTS,
  type RobotsFetch,
  robotsAnswer,
  robotsOutcome,
} from '../../fetch/robots/robots-outcome.ts';
import { judgeOfRecord } from '../../fetch/robots/robots-record.ts';
import type { RobotsJudge } from '../../fetch/robots/robots-rules.ts';

/** What a robots.txt said from a time on. */
export interface RobotsReading {
  readonly askedAt: number;
  /** Later than that where redirects led to it: until then nobody knew what it says. */
  readonly knownAt: number;
  /** Of a crawler of these names. */
  judgeOf(agent: string): RobotsJudge;
}

/** What the archive holds of the robots.txt of each origin, in time. */
export class RobotsHistory {
  readonly #archive: Pick<Archive, 'get' | 'versions'>;
  readonly #readings = new Map<Origin, Promise<readonly RobotsReading[]>>();
  readonly #targets = new Set<string>();

  constructor(archive: Pick<Archive, 'get' | 'versions'>) {
    this.#archive = archive;
  }

  /** The last reading that was known before a time; undefined where there was none. */
  async before(origin: Origin, time: number): Promise<RobotsReading | undefined> {
    const known = this.#readings.get(origin) ?? this.#read(origin);
    this.#readings.set(origin, known);
    return (await known).findLast(({ knownAt }) => knownAt < time);
  }

  /** Whether a redirect of some robots.txt has led to this URL. */
  isTarget(url: string): boolean {
    return this.#targets.has(url);
  }

  /** Origins that were asked for theirs. */
  get origins(): number {
    return this.#readings.size;
  }

  async #read(origin: Origin): Promise<readonly RobotsReading[]> {
    const url = `${origin}/robots.txt` as CanonicalUrl;
    const readings: RobotsReading[] = [];
    let previous: RobotsRecord | undefined;
    for (const { date } of await this.#archive.versions(url)) {
      const answer = await this.#answerOf(url, date);
      if (answer === undefined) continue;
      const { fetched, knownAt } = answer;
      const isLost = fetched.kind === 'redirect';
      previous = robotsOutcome({
        ...{ origin, now: date, redirects: isLost ? ROBOTS_MAX_REDIRECTS : 0, fetched },
        ...(previous === undefined ? {} : { previous }),
      });
      readings.push({ askedAt: date, knownAt, judgeOf: judgesOf(previous) });
    }
    return readings;
  }

  /** After as many redirects as are followed. */
  async #answerOf(
    url: CanonicalUrl,
    date: number,
  ): Promise<{ readonly fetched: RobotsFetch; readonly knownAt: number } | undefined> {
    let at = url;
    let knownAt = date;
    for (let hops = 0; ; hops++) {
      const document = await this.#archive.get(at, date);
      if (document === undefined)
        return hops === 0 ? undefined : { fetched: { kind: 'unreachable', why: 'not archived' }, knownAt };
      knownAt = Math.max(knownAt, document.date);
      const fetched = robotsAnswer(at, headOf(document), document.body);
      if (fetched.kind !== 'redirect' || hops === ROBOTS_MAX_REDIRECTS) return { fetched, knownAt };
      this.#targets.add(fetched.to);
      at = fetched.to as CanonicalUrl;
    }
  }
}

/** Each is made once: one run has one name. */
function judgesOf(record: RobotsRecord): RobotsReading['judgeOf'] {
  const judges = new Map<string, RobotsJudge>();
  return (agent) => {
    const judge = judges.get(agent) ?? judgeOfRecord(record, agent);
    judges.set(agent, judge);
    return judge;
  };
}

function headOf({ status, rawHeaders }: ArchivedDocument): Parameters<typeof robotsAnswer>[1] {
  return { status, header: (name) => headerValue(rawHeaders, name) };
}
