import type { Clock } from '../../base/clock.ts';
import type { Fetcher } from '../../contracts/fetcher.ts';
import type { HostKey } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { PageWork } from '../visit/page-work.ts';

/** A server that is asked no more may notice it late, and is busy with the answer until then. */
const NOTICED_AFTER_MS = 1000;

/** Thrown out of a visit: nobody may be asked any more for what was claimed. Neither host nor page have to do with it, and nothing is held against them. */
export class LeaseEnded extends Error {
  readonly work: PageWork;

  /** `since`: when the request began, where one was made. */
  constructor(bytes: number, now: number, since?: number) {
    super('the lease of its partition ended first');
    // The host may have been asked, and rests as after a request.
    const endedAt = since === undefined ? now : now + NOTICED_AFTER_MS;
    const use = { fetchMs: Math.max(0, endedAt - (since ?? now)), bytes, endedAt };
    this.work = { kind: 'lost', why: this.message, use };
  }
}

/** A node asks nobody whose partition it has lost, however long it was held up on the way to the request, and ends requests with its lease. */
export function whileLeased(fetcher: Fetcher, isAllowed: (host: HostKey) => boolean, clock: Clock): Fetcher {
  return {
    async fetch(request) {
      const host = hostKeyOf(request.url);
      let hasEnded = !isAllowed(host);
      const since = clock.now();
      if (hasEnded) throw new LeaseEnded(0, since);
      const result = await fetcher.fetch({
        ...request,
        isAllowed: () => {
          hasEnded ||= !isAllowed(host);
          return !hasEnded;
        },
      });
      if (hasEnded && result.kind === 'failed') throw new LeaseEnded(result.bytes, clock.now(), since);
      return result;
    },
    close: () => fetcher.close(),
  };
}
