import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { PlannedVisit, SettledPage } from '../../contracts/state/settled-page.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { UrlFilter } from '../../contracts/url-filter.ts';
import type { FileRules } from '../../files/file-rules.ts';
import { FolderWalk, type WalkTrouble } from '../../files/walk-folder.ts';
import { isFileUrl } from '../../url/file-url.ts';
import { fileTask, isFreeCopy, whyAgain } from './file-pages.ts';

export interface FileSweepParts {
  readonly state: Pick<OwnedPartition, 'frontier' | 'planVisits' | 'pages'>;
  readonly filter: UrlFilter;
  readonly now: () => number;
}

export interface SweepOptions {
  readonly rules: FileRules;
  /** Told of every folder that was walked. */
  readonly onFolder?: (folder: string) => void;
  readonly signal: AbortSignal;
  /** Told when something came in. */
  readonly onNew: () => void;
}

/** Tasks that come in at once. */
const BATCH = 500;

/** Brings a crawl and its folders together: what is new comes in, what is another or gone is visited again. */
export class FileSweep {
  readonly #parts: FileSweepParts;

  constructor(parts: FileSweepParts) {
    this.#parts = parts;
  }

  async run(options: SweepOptions): Promise<WalkTrouble> {
    const { rules, signal, onNew } = options;
    // First what is gone: a file that was moved is no copy of itself then.
    const planned = await this.#planned((page) =>
      signal.aborted ? undefined : (whyAgain(page, rules) ?? this.#whyFree(page)),
    );
    if (planned > 0) onNew();
    return await this.add(options);
  }

  /** Everything below the given folders, or below the roots. */
  async add({ rules, signal, onFolder, onNew }: SweepOptions, from?: readonly string[]): Promise<WalkTrouble> {
    const walk = new FolderWalk(rules);
    let tasks: CrawlTask[] = [];
    for await (const { folder, files } of walk.folders(from)) {
      if (signal.aborted) break;
      if (folder !== '') onFolder?.(folder);
      tasks.push(...files.map((path) => fileTask(path)));
      while (tasks.length >= BATCH) {
        if (await this.#add(tasks.slice(0, BATCH))) onNew();
        tasks = tasks.slice(BATCH);
        // The crawl goes on meanwhile.
        await nextTurn();
      }
    }
    if (await this.#add(tasks)) onNew();
    return walk.trouble;
  }

  /** Visits again the files among these that are another, or gone. How many. */
  async revisit(urls: readonly CanonicalUrl[], rules: FileRules): Promise<number> {
    return await this.#planned((page) => whyAgain(page, rules), urls);
  }

  /** Visits again files that were copies of what is no longer there: one of them is the original now. */
  async freeCopies(): Promise<number> {
    return await this.#planned((page) => this.#whyFree(page));
  }

  #whyFree(page: SettledPage): string | undefined {
    const { pages } = this.#parts.state;
    const isFree = isFreeCopy(page, (url) => {
      const original = pages.lastVisit(url);
      const kind = original?.outcome?.kind;
      const digest = original?.facts?.digest;
      return { holds: kind === 'stored' || kind === 'unchanged', ...(digest === undefined ? {} : { digest }) };
    });
    return isFree ? 'the page that it was a copy of is gone' : undefined;
  }

  #planned(why: (page: SettledPage) => string | undefined, urls?: readonly CanonicalUrl[]): Promise<number> {
    const { state, now } = this.#parts;
    return state.planVisits(
      (page): PlannedVisit | undefined => {
        const reason = isFileUrl(page.url) ? why(page) : undefined;
        return reason === undefined ? undefined : { at: now(), why: reason };
      },
      { lane: 0, ...(urls === undefined ? {} : { urls }) },
    );
  }

  async #add(tasks: readonly CrawlTask[]): Promise<boolean> {
    const { state, filter } = this.#parts;
    const wanted = tasks.filter((task) => filter.judge(task).admit);
    if (wanted.length === 0) return false;
    return (await state.frontier.add(wanted)).includes('added');
  }
}
