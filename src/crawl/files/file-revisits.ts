import { isFileUrl } from '../../url/file-url.ts';
import type { EndedVisit, RevisitRule, VisitPlan } from '../revisits/revisit-rule.ts';

/**
 * What follows from visits where some are of files. A file has no next visit: it is visited when it changes. One that is gone, or has
 * another content, leaves its copies without an original, which is noted.
 */
export class FileRevisits implements RevisitRule {
  readonly #ofPages: RevisitRule;
  readonly #ofFiles: RevisitRule;
  #copiesAreFree = false;

  constructor(ofPages: RevisitRule, ofFiles: RevisitRule) {
    this.#ofPages = ofPages;
    this.#ofFiles = ofFiles;
  }

  after(visit: EndedVisit): VisitPlan {
    const { claim, outcome, facts } = visit;
    if (!isFileUrl(claim.task.url)) return this.#ofPages.after(visit);
    const before = claim.earlier?.digest;
    const isOther = outcome.kind === 'gone' || (facts?.digest !== undefined && facts.digest !== before);
    if (before !== undefined && isOther) this.#copiesAreFree = true;
    return this.#ofFiles.after(visit);
  }

  /** Whether a content was given up since this was asked last. */
  takeFreed(): boolean {
    const freed = this.#copiesAreFree;
    this.#copiesAreFree = false;
    return freed;
  }
}
