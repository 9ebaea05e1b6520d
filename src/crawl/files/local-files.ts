import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { CrawlEvents } from '../../contracts/events.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { UrlFilter } from '../../contracts/url-filter.ts';
import type { FileRules } from '../../files/file-rules.ts';
import { FolderWatch } from '../../files/folder-watch.ts';
import { type PauseReason, whyPause } from '../../files/machine-load.ts';
import type { WalkTrouble } from '../../files/walk-folder.ts';
import { rootsOf } from '../../seeds/folder-seeds.ts';
import { FILES_HOST } from '../../url/host-key.ts';
import type { EventHub } from '../report/event-hub.ts';
import { ChangedFiles } from './changed-files.ts';
import type { FileRevisits } from './file-revisits.ts';
import { FileSweep, type SweepOptions } from './file-sweep.ts';
import { fileRulesOf } from './open-file-fetcher.ts';

export interface LocalFilesParts {
  readonly folder: string;
  readonly state: OwnedPartition;
  readonly clock: Clock;
  readonly events: EventHub<CrawlEvents>;
  readonly filter: UrlFilter;
  readonly revisits: FileRevisits;
  /** As they are now. */
  readonly settings: () => Settings;
  readonly seeds: () => readonly string[];
  /** Something came in. */
  readonly notice: () => void;
  readonly whyPause?: (reasons: readonly PauseReason[]) => string | undefined;
}

const LOOK_AT_MACHINE_MS = 5000;
/** Longer than the time between two looks, so that a pause has no gaps. */
const PAUSE_MS = 12_000;
/** After what only a sweep can follow; more of it may come at once. */
const SOON_MS = 1000;
/** A sweep takes no more than one part in this many of the time. */
const SWEEPING_SHARE = 5;

/** What a run does about the folders among its seeds. Sweeps go on beside the crawl; `maintain` looks after the rest. */
export class LocalFiles implements AsyncDisposable {
  readonly #parts: LocalFilesParts;
  readonly #sweep: FileSweep;
  readonly #changes: ChangedFiles;
  readonly #watch: FolderWatch;
  readonly #ending = new AbortController();
  #sweeping: Promise<void> | undefined;
  #fault: unknown;
  #nextSweep = Number.NEGATIVE_INFINITY;
  #sweptMs = 0;
  #isBegun = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #wake: NodeJS.Timeout | undefined;
  readonly #told = new Set<string>();

  constructor(parts: LocalFilesParts) {
    this.#parts = parts;
    const { state, filter, clock } = parts;
    const shared = { state, filter, now: () => clock.now() };
    this.#sweep = new FileSweep(shared);
    this.#watch = new FolderWatch({
      onChange: (path) => this.#heard(path),
      onLimit: (reason) =>
        this.#warn('WATCH_LIMIT', `${reason}. Changes elsewhere are found by the sweep, see files-sweep.`),
    });
    this.#changes = new ChangedFiles({
      ...shared,
      sweep: this.#sweep,
      quietMs: () => parts.settings().filesQuiet,
      sweepSoon: () => this.#sweepSoon(),
      isFolder: (path) => this.#watch.has(path),
    });
  }

  /** True where files came in, or are to be visited again. `last`: nothing else is left to do. */
  async maintain(last = false): Promise<boolean> {
    if (this.#fault !== undefined) throw this.#fault;
    const { settings, seeds, revisits } = this.#parts;
    if (rootsOf(seeds()).length === 0) return false;
    await this.#pauseIfWanted();
    if (this.#isDue()) this.#startSweep();
    if (last && this.#sweeping !== undefined) {
      await this.#sweeping;
      if (this.#fault !== undefined) throw this.#fault;
      return true;
    }
    const changed = this.#changes.size > 0 && (await this.#changes.consume(this.#options(this.#rules())));
    const freed = revisits.takeFreed() && (await this.#sweep.freeCopies()) > 0;
    if (this.#changes.size > 0) this.#wakeIn(Math.max(50, settings().filesQuiet));
    // A folder that is watched has no end.
    return changed || freed || (last && settings().continuous);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#wake);
    this.#watch[Symbol.dispose]();
    await this.#sweeping;
  }

  #isDue(): boolean {
    const { settings, clock } = this.#parts;
    if (this.#sweeping !== undefined || this.#ending.signal.aborted) return false;
    if (!this.#isBegun) return true;
    return settings().continuous && clock.now() >= this.#nextSweep;
  }

  #sweepSoon(): void {
    const now = this.#parts.clock.now();
    this.#nextSweep = Math.min(this.#nextSweep, now + Math.max(SOON_MS, this.#sweptMs * SWEEPING_SHARE));
    this.#wakeIn(this.#nextSweep - now);
  }

  #startSweep(): void {
    const { clock, settings } = this.#parts;
    const began = clock.now();
    this.#isBegun = true;
    this.#nextSweep = Number.POSITIVE_INFINITY;
    this.#sweeping = this.#runSweep()
      .catch((error) => {
        this.#fault ??= error ?? new Error('A sweep failed without saying why.');
      })
      .finally(() => {
        this.#sweptMs = clock.now() - began;
        const every = Math.max(settings().filesSweep, this.#sweptMs * SWEEPING_SHARE);
        this.#nextSweep = Math.min(this.#nextSweep, clock.now() + every);
        this.#sweeping = undefined;
        this.#parts.notice();
      });
  }

  async #runSweep(): Promise<void> {
    const rules = this.#rules();
    const walked = new Set<string>();
    const options = this.#options(rules);
    const trouble = await this.#sweep.run({
      ...options,
      onFolder: (folder) => {
        walked.add(folder);
        options.onFolder(folder);
      },
    });
    if (this.#ending.signal.aborted) return;
    this.#watch.keep(walked);
    this.#tellTrouble(trouble);
  }

  #options(rules: FileRules): SweepOptions & { readonly onFolder: (folder: string) => void } {
    const { settings, notice } = this.#parts;
    const isWatched = settings().continuous && settings().filesWatch;
    return {
      ...{ rules, signal: this.#ending.signal, onNew: notice },
      onFolder: (folder) => {
        if (isWatched) this.#watch.add(folder, rules.roots.includes(folder));
      },
    };
  }

  #rules(): FileRules {
    const { settings, seeds, folder } = this.#parts;
    return fileRulesOf(settings(), seeds(), folder);
  }

  #heard(path: string): void {
    this.#changes.heard(path);
    this.#wakeIn(this.#parts.settings().filesQuiet);
  }

  #wakeIn(ms: number): void {
    if (this.#wake !== undefined || this.#ending.signal.aborted) return;
    this.#wake = setTimeout(() => {
      this.#wake = undefined;
      this.#parts.notice();
    }, ms);
    this.#wake.unref();
  }

  async #pauseIfWanted(): Promise<void> {
    const { settings, clock, state, whyPause: ask = whyPause } = this.#parts;
    const { filesPauseOn } = settings();
    const now = clock.now();
    if (filesPauseOn.length === 0 || now - this.#lookedAt < LOOK_AT_MACHINE_MS) return;
    this.#lookedAt = now;
    const why = ask(filesPauseOn as readonly PauseReason[]);
    if (why !== undefined) await state.frontier.holdHosts([FILES_HOST], now + PAUSE_MS, why);
  }

  #tellTrouble({ unreadable, examples }: WalkTrouble): void {
    if (unreadable === 0) return;
    const some = examples.join(', ');
    this.#warn('FILES_UNREADABLE', `${unreadable} folders or names could not be read and are left out: ${some}`);
  }

  /** Each once. */
  #warn(code: string, message: string): void {
    if (this.#told.has(code)) return;
    this.#told.add(code);
    this.#parts.events.emit('warning', { code, message });
  }
}
