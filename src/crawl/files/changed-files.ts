import { basename } from 'node:path';
import { type FileRules, isIgnoreFile } from '../../files/file-rules.ts';
import { versionOf } from '../../files/file-version.ts';
import { fileUrlOf } from '../../url/file-url.ts';
import { fileAt, fileTask } from './file-pages.ts';
import type { FileSweep, FileSweepParts, SweepOptions } from './file-sweep.ts';

export interface ChangedFilesParts extends FileSweepParts {
  readonly sweep: FileSweep;
  /** Ms in which nothing may be heard of a file before it is looked at. */
  readonly quietMs: () => number;
  /** What happened is more than can be followed file by file. */
  readonly sweepSoon: () => void;
  /** Whether it is a folder that was walked. */
  readonly isFolder: (path: string) => boolean;
}

interface Change {
  heardAt: number;
  readonly since: number;
}

/** Paths that are followed one by one; of more, a sweep makes less work. */
const MOST_CHANGES = 10_000;
const AT_ONCE = 500;
/** What was moved is asked for at its old place first, but nobody waits for that for long. */
const MOVED_WAIT_MS = 3000;
/** A path that is heard of all the time, such as a log, is looked at every so often nonetheless. */
const LONGEST_NOISE_MS = 10_000;

/**
 * Paths that something has happened to. Each is looked at once it is quiet, and again until the crawl knows it as it is now: a visit
 * that was under way when it changed has perhaps read what it was before.
 */
export class ChangedFiles {
  readonly #parts: ChangedFilesParts;
  readonly #changes = new Map<string, Change>();

  constructor(parts: ChangedFilesParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#changes.size;
  }

  heard(path: string): void {
    const now = this.#parts.now();
    const known = this.#changes.get(path);
    if (known !== undefined) known.heardAt = now;
    else if (this.#changes.size < MOST_CHANGES) this.#changes.set(path, { heardAt: now, since: now });
    else this.#parts.sweepSoon();
  }

  /** Looks at what has become quiet. True where something came in, or is to be visited. */
  async consume(options: SweepOptions): Promise<boolean> {
    const { now, quietMs } = this.#parts;
    const at = now();
    const quiet = [...this.#changes]
      .filter(([, { heardAt, since }]) => at - heardAt >= quietMs() || at - since >= LONGEST_NOISE_MS)
      .slice(0, AT_ONCE);
    if (quiet.length === 0) return false;
    const { rules } = options;
    const files = new Map(quiet.map(([path]) => [path, fileAt(path, rules)] as const));
    const gone = quiet.filter(([path]) => files.get(path) === undefined);
    let isNew = false;
    let awaited = false;
    for (const [path, change] of gone) {
      const followed = await this.#followGone(path, options);
      isNew ||= followed === 'new';
      if (followed === 'done') this.#settled(path, change);
      else awaited ||= followed === 'waiting' || followed === 'new';
    }
    for (const [path, change] of quiet) {
      const found = files.get(path);
      if (found === undefined || (awaited && at - change.since < MOVED_WAIT_MS)) continue;
      const followed = await this.#follow(path, versionOf(found), rules);
      isNew ||= followed === 'new';
      if (followed === 'done') this.#settled(path, change);
    }
    return isNew;
  }

  async #follow(path: string, version: string, rules: FileRules): Promise<'new' | 'waiting' | 'done'> {
    const { state, filter, sweep } = this.#parts;
    const task = fileTask(path, true);
    if (!filter.judge(task).admit) return 'done';
    const page = await state.pages.page(task.url);
    if (page === undefined) return (await state.frontier.add([task])).includes('added') ? 'new' : 'waiting';
    if (page.state !== 'done') return 'waiting';
    if (page.facts?.etag === version && page.outcome?.kind !== 'gone') return 'done';
    // What cannot be read, or is of a kind that is not, is done with once it was tried.
    return (await sweep.revisit([task.url], rules)) > 0 ? 'new' : 'done';
  }

  async #followGone(path: string, options: SweepOptions): Promise<'new' | 'waiting' | 'done'> {
    const { state, sweep, isFolder, sweepSoon } = this.#parts;
    if (isIgnoreFile(basename(path)) || isFolder(path)) {
      sweepSoon();
      return 'done';
    }
    if (options.rules.refusal(path, 'folder') === undefined) {
      // It may be a folder that is new: it is walked, which finds nothing where there is none.
      await sweep.add(options, [path]);
    }
    const url = fileUrlOf(path);
    const page = await state.pages.page(url);
    if (page === undefined || page.state === 'refused-link') return 'done';
    if (page.state !== 'done') return 'waiting';
    return (await sweep.revisit([url], options.rules)) > 0 ? 'new' : 'done';
  }

  /** Unless something was heard of it meanwhile. */
  #settled(path: string, { heardAt }: Change): void {
    const known = this.#changes.get(path);
    if (known !== undefined && known.heardAt === heardAt) this.#changes.delete(path);
  }
}
