import { sha1Base32 } from '../../archive/sha1-base32.ts';
import type { Clock } from '../../base/clock.ts';
import type { Archive, ArchiveLocation } from '../../contracts/archive.ts';
import type { Claim, HostUse, Pushback } from '../../contracts/crawl-task.ts';
import type { CanonicalUrl, Origin } from '../../contracts/url.ts';
import { classifyStatus, failureRule } from '../../fetch/failure-table.ts';
import type { RobotsJudge } from '../../fetch/robots/robots-rules.ts';
import { isFileUrl } from '../../url/file-url.ts';
import { hostKeyOf, originOf } from '../../url/host-key.ts';
import { metadataOf, retryAfterOf, unreachableBy, useOfResult } from './host-use.ts';
import type { PageWork } from './page-work.ts';
import type { OriginPreferences, RobotsGate, RobotsVisit } from './robots-gate.ts';
import { addressOf } from './spellings.ts';

export interface RobotsTurnParts {
  readonly gate: RobotsGate;
  readonly archive: Archive;
  readonly clock: Clock;
  /** Told of each answer at once: what it says of the host's rest counts when it is settled. */
  readonly onUncertain?: (claim: Claim) => void;
  /** The sitemaps to ask for, by what robots.txt of an origin names. */
  readonly sitemapsOf: (origin: Origin, named: readonly string[]) => readonly CanonicalUrl[];
}

/** The first hop of every claim: its page may be asked for, or not, or the turn goes into robots.txt. */
export class RobotsTurn {
  readonly #parts: RobotsTurnParts;

  constructor(parts: RobotsTurnParts) {
    this.#parts = parts;
  }

  /** What the files of the origin say of the use of its pages, once they were read. */
  preferencesOf(origin: Origin): OriginPreferences | undefined {
    return this.#parts.gate.preferencesOf(origin);
  }

  /** What ends the claim before its page is asked for, if anything does. */
  async pass(claim: Claim): Promise<PageWork | undefined> {
    const { gate: robots, clock } = this.#parts;
    const { task } = claim;
    // Nobody but the user has a say in the user's files.
    if (isFileUrl(task.url)) return undefined;
    const origin = originOf(task.url);
    if (task.purpose !== 'robots') {
      const judge = await robots.judgeOf(origin);
      if (judge !== undefined) {
        const rule = ruleAgainst(addressOf(claim), judge);
        if (rule === undefined) return this.#askForTdmrep(claim, origin);
        const along = claim.along?.map(({ task: { url } }) =>
          originOf(url) === origin ? (ruleAgainst(url, judge) ?? null) : null,
        );
        return { kind: 'refused', by: 'robots', rule, ...(along === undefined ? {} : { along }) };
      }
      if (await robots.awaited(origin)) return { kind: 'awaiting-robots' };
      const asked = robots.asked(origin);
      if (asked !== undefined) return this.#afterAnother(asked);
    }
    const visit = await robots.visit(claim);
    this.#parts.onUncertain?.(claim);
    // What an archive does not hold forbids nothing.
    if (visit.result.kind === 'refused' && visit.result.by !== 'archive' && task.purpose !== 'robots') {
      return { kind: 'refused', by: visit.result.by, rule: visit.result.rule };
    }
    const use = useOfResult(visit.result, clock.now());
    const location = await this.#archive(claim, visit, use);
    const isFinal =
      visit.record.state === 'disallow-all' && task.host === hostKeyOf(`${visit.record.origin}/` as CanonicalUrl);
    const pushback = this.#pushback(
      { ...visit, inVain: visit.inVain || isFinal },
      use,
      `robots.txt: ${visit.record.why}`,
    );
    return {
      kind: 'robots',
      record: visit.record,
      ...(visit.next === undefined ? {} : { next: visit.next }),
      ...(visit.record.state === 'rules' || visit.record.state === 'allow-all'
        ? { sitemaps: this.#parts.sitemapsOf(visit.record.origin, visit.sitemaps) }
        : {}),
      ...(location === undefined ? {} : { location }),
      use: pushback === undefined ? use : { ...use, pushback },
    };
  }

  /** What the file says is not in force before it is settled, a Crawl-delay among it: the page waits for another turn. */
  async #afterAnother(asked: Promise<unknown>): Promise<PageWork> {
    await asked;
    return { kind: 'awaiting-robots' };
  }

  /** The turn goes into tdmrep.json where that is wanted and has not been asked for; else the page may be asked for. */
  async #askForTdmrep(claim: Claim, origin: Origin): Promise<PageWork | undefined> {
    const url = this.#parts.gate.tdmrepOf(origin);
    const asked = url === undefined ? undefined : this.#parts.gate.asked(origin);
    if (asked !== undefined) return this.#afterAnother(asked);
    const visit = url === undefined ? undefined : await this.#parts.gate.visitTdmrep(url);
    if (visit === undefined) return undefined;
    this.#parts.onUncertain?.(claim);
    const use = useOfResult(visit.result, this.#parts.clock.now());
    const location = await this.#archive(claim, visit, use);
    const pushback = this.#pushback({ ...visit, inVain: false }, use, 'tdmrep.json');
    return {
      kind: 'robots',
      record: visit.record,
      ...(location === undefined ? {} : { location }),
      use: pushback === undefined ? use : { ...use, pushback },
    };
  }

  /** Archives hold the rules that were in force as well. */
  async #archive(
    claim: Claim,
    visit: Pick<RobotsVisit, 'url' | 'result'>,
    use: HostUse,
  ): Promise<ArchiveLocation | undefined> {
    const { result, url } = visit;
    if (result.kind !== 'response' || this.#parts.clock.now() >= claim.expiresAt) return undefined;
    return this.#parts.archive.put({
      url,
      result,
      payloadDigest: sha1Base32(result.body),
      mediaType: result.head.header('content-type') ?? '',
      metadata: metadataOf(claim, use),
    });
  }

  /**
   * What a request for robots.txt says of the host that was asked. Where the file cannot be had, its owner waits as if it
   * could not be reached, or it would be asked for at every turn without end; the frontier sees to owners elsewhere.
   */
  #pushback(
    { result, inVain }: Pick<RobotsVisit, 'result' | 'inVain'>,
    use: HostUse,
    why: string,
  ): Pushback | undefined {
    const asksForLess = result.kind === 'response' && classifyStatus(result.head.status).pushback;
    const retryAfterMs = asksForLess ? retryAfterOf(result.head, use) : undefined;
    const told = retryAfterMs === undefined ? {} : { retryAfterMs };
    const down = result.kind === 'failed' && failureRule(result.code).restHost;
    if (down || inVain) return { ...unreachableBy(result, why), ...told };
    return asksForLess ? { kind: 'busy', why, ...told } : undefined;
  }
}

/** Undefined where the URL is allowed. */
function ruleAgainst(url: CanonicalUrl, judge: RobotsJudge): string | undefined {
  const verdict = judge.judge(url);
  if (verdict.allowed) return undefined;
  const place = verdict.line === undefined || verdict.line === 0 ? '' : ` (line ${verdict.line})`;
  return `${verdict.rule ?? 'disallowed'}${place}`;
}
