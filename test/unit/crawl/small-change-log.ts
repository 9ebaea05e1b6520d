import type { ChangeLog, ChangeQuery, LoggedChange } from '../../../src/contracts/change-log.ts';
import type { PageChange } from '../../../src/contracts/revisit.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';

/** A log of changes in memory: the meaning of the contract in one line each. */
export class SmallChangeLog implements ChangeLog {
  readonly #changes: LoggedChange[] = [];

  /** A second after the one before, from 2026-11-01 on, unless a time is given. */
  add(change: PageChange, url = 'http://a.test/', title?: string, at?: number): void {
    const number = this.#changes.length + 1;
    this.#changes.push({
      number,
      at: at ?? Date.UTC(2026, 10, 1) + number * 1000,
      url: url as CanonicalUrl,
      change,
      ...(title === undefined ? {} : { title }),
    });
  }

  changes({ since, until, after, before, kinds, limit, last }: ChangeQuery): LoggedChange[] {
    const found = this.#changes.filter(
      ({ number, at, change }) =>
        at >= (since ?? 0) &&
        at < (until ?? Number.POSITIVE_INFINITY) &&
        number > (after ?? 0) &&
        number < (before ?? Number.POSITIVE_INFINITY) &&
        (kinds?.includes(change.kind) ?? true),
    );
    if (limit === undefined) return found;
    return last === true ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
  }
}
