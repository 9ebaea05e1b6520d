import type { Claim } from '../../contracts/crawl-task.ts';
import type { Frontier } from '../../contracts/frontier.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { FinishedWork } from '../visit/page-work.ts';

/** URLs of one host that are looked at together: some 20 ms of settling. */
const ALONG = 500;

/**
 * URLs that robots.txt forbids come in crowds, for a page may link to tens of thousands of them. Where the last URL of a host
 * was forbidden, others that wait for it go along with the next one, and all that are forbidden are settled together: no request
 * is made for any of them.
 */
export class ForbiddenUrls {
  readonly #frontier: Pick<Frontier, 'claimAlong'>;
  /** Those whose last URL was forbidden. */
  readonly #hosts = new Set<HostKey>();

  constructor(frontier: Pick<Frontier, 'claimAlong'>) {
    this.#frontier = frontier;
  }

  async takeAlong(claims: readonly Claim[]): Promise<readonly Claim[]> {
    if (!claims.some(({ task }) => this.#hosts.has(task.host))) return claims;
    const prepared: Claim[] = [];
    for (const claim of claims) {
      const isNew = claim.task.purpose === 'page' && claim.earlier === undefined;
      const along = isNew && this.#hosts.has(claim.task.host) ? await this.#frontier.claimAlong(claim, ALONG) : [];
      prepared.push(along.length === 0 ? claim : { ...claim, along });
    }
    return prepared;
  }

  /** The work, after that on each URL that was forbidden along with it. */
  spread({ claim, work }: FinishedWork): FinishedWork[] {
    const { task, along = [], ...rest } = claim;
    const isForbidden = work.kind === 'refused' && work.by === 'robots';
    if (isForbidden) this.#hosts.add(task.host);
    else this.#hosts.delete(task.host);
    const bare = along.length === 0 ? claim : { ...rest, task };
    if (!isForbidden || work.along === undefined) return [{ claim: bare, work }];
    const { along: rules, ...own } = work;
    const others = along.flatMap((other, at): FinishedWork[] => {
      const rule = rules[at];
      return rule === null ? [] : [{ claim: other, work: { kind: 'refused', by: 'robots', rule } }];
    });
    return [...others, { claim: bare, work: own }];
  }
}
