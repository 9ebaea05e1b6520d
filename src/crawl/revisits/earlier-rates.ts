import { OrbweaverError } from '../../base/errors.ts';
import type { ChangeHistory, EarlierVisit } from '../../contracts/revisit.ts';
import type { StateReader } from '../../contracts/state/state-reader.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { openStateReader } from '../../engines/open-reader.ts';

/** A page as an earlier crawl has left it. */
export interface EarlierPage {
  readonly history: ChangeHistory;
  /** What its last copy is compared by. */
  readonly visit: EarlierVisit;
}

/** What earlier crawls have learnt of the changes of pages: where the estimates of this one begin. */
export class EarlierRates implements Disposable {
  readonly #states: StateReader[] = [];

  /** Throws `SETTING_INVALID` for a folder that knows no rates. */
  constructor(folders: readonly string[]) {
    try {
      for (const folder of folders) {
        const state = openStateReader(folder);
        this.#states.push(state);
        if (!knowsRates(state)) throw withoutRates(folder);
      }
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Of several folders the first that has visited the page again. */
  of(url: CanonicalUrl): EarlierPage | undefined {
    for (const { pages } of this.#states) {
      const changes = pages.changesOf(url);
      if (changes === undefined) continue;
      const { digest, textDigest, wholeTextDigest, repeated, truncated } = pages.factsOf([url]).get(url) ?? {};
      // Whether it was gone there is no news of this crawl.
      const { lost: _lost, movedTo: _movedTo, ...history } = changes;
      return {
        history,
        visit: {
          ...{ at: history.visitedAt, outcome: { kind: 'stored' } },
          ...(digest === undefined ? {} : { digest }),
          ...(textDigest === undefined ? {} : { textDigest }),
          ...(wholeTextDigest === undefined ? {} : { wholeTextDigest }),
          ...(repeated === undefined ? {} : { repeated }),
          ...(truncated === undefined ? {} : { truncated }),
        },
      };
    }
    return undefined;
  }

  [Symbol.dispose](): void {
    for (const state of this.#states) state[Symbol.dispose]();
  }
}

function knowsRates(state: StateReader): boolean {
  for (const { rate } of state.pageCourses()) if (rate !== undefined) return true;
  return false;
}

function withoutRates(folder: string): OrbweaverError {
  return new OrbweaverError('SETTING_INVALID', `rates-from: the crawl in ${folder} knows no rates of change.`, {
    remedy: 'Name the folder of a crawl that has visited pages again, with --continuous or --again.',
  });
}
