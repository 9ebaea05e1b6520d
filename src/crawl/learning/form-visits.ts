import type { CrawlTask, Settlement } from '../../contracts/crawl-task.ts';
import type { JudgedLinks } from '../../contracts/frontier.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { FormFiller } from '../../seeds/forms/form-filler.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { JudgedVisit } from '../settlement/build-settlement.ts';
import type { LinkJudge } from '../settlement/link-judge.ts';
import type { LearningJournal } from './learning-journal.ts';

export interface FormVisitsParts {
  readonly filler: FormFiller;
  readonly journal: LearningJournal;
  readonly isFormHost: (host: CrawlTask['host']) => boolean;
}

/** The last front queue: what answers have led to teaches what to ask next. */
const AFTER_LINKS = 255;

/** What visits teach those who fill in forms, and the URLs that they ask for next: these come in with the settlement of the visit. */
export class FormVisits {
  readonly #parts: FormVisitsParts;

  constructor(parts: FormVisitsParts) {
    this.#parts = parts;
  }

  after(
    { claim, work, unknown }: JudgedVisit,
    { outcome, nextVisit, planned }: Settlement,
    links: LinkJudge,
  ): JudgedLinks | undefined {
    const { filler, journal, isFormHost } = this.#parts;
    const { task } = claim;
    if (task.purpose !== 'page' || !isFormHost(task.host)) return undefined;
    // A retry is to come.
    if (outcome.kind === 'deferred' || (outcome.kind === 'failed' && nextVisit !== undefined && !planned))
      return undefined;
    const { forms: found = [], words = [] } = work.kind === 'page' ? (work.forms ?? {}) : {};
    // Forms that lead to another host are left alone: it may not be named, and its answers are not seen here.
    const forms = found.filter(({ action }) => hostKeyOf(action as CanonicalUrl) === task.host);
    const leadsTo = outcome.kind === 'redirected' ? { leadsTo: outcome.to } : {};
    const { url, host, depth } = task;
    const visit = { url, host, depth, forms, words, fresh: unknown.length, ...leadsTo };
    const asked = journal.teach('forms', filler, 'observe', visit);
    const judged = links.ofTasks(
      asked.map(({ url, at, depth }) => ({
        url: url as CanonicalUrl,
        host: hostKeyOf(url as CanonicalUrl),
        ...{ depth, redirects: 0, lane: AFTER_LINKS, purpose: 'page' as const },
        discovery: { how: 'form' as const, from: at as CanonicalUrl },
      })),
    );
    for (const { task: refused } of judged.refusals)
      journal.teach('forms', filler, 'refused', refused.host, refused.url);
    return judged;
  }
}
