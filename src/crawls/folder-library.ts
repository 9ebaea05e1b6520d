import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseDocument, stringify } from 'yaml';
import { type Clock, systemClock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import type {
  CrawlDraft,
  CrawlLibrary,
  CrawlTemplate,
  DraftProblems,
  LibraryCrawl,
  RepeatChoice,
  TrashedCrawl,
} from '../contracts/crawl-library.ts';
import { settingsPath } from '../crawl/crawl-folder.ts';
import { isFolderLocked } from '../engines/folder-lock.ts';
import { hasState } from '../engines/state-folder.ts';
import { CrawlCatalogue } from './catalogue.ts';
import { proposedName, settingsOfDraft } from './crawl-draft.ts';
import { CrawlRuns, type CrawlRunsOptions, inUse } from './crawl-runs.ts';
import { replaceFile } from './json-file.ts';
import { crawlFolder, crawlNames, freeName, nameProblem, prepareLibrary } from './library-folder.ts';
import { lockLibrary, noteAddress } from './library-lock.ts';
import { changeRun, readRun } from './run-file.ts';
import { noteInLog, tailOf } from './run-log.ts';
import { scheduleOf } from './run-times.ts';
import { Schedules } from './schedules.ts';
import { Templates } from './templates.ts';
import { Trash } from './trash.ts';

export interface FolderLibraryOptions extends Pick<CrawlRunsOptions, 'command' | 'mostAtOnce' | 'env' | 'onFault'> {
  readonly clock?: Pick<Clock, 'now'>;
  /** Drafts may name folders of this machine; where absent they may not. */
  readonly takesFolders?: boolean;
  /** Told before the folder of a crawl goes elsewhere: whoever reads in it lets go. */
  readonly onLeave?: (folder: string) => Promise<void>;
}

const MAINTAIN_MS = 1000;
const HEAD = '# Settings of this crawl; docs/settings.md lists all of them. They hold from the next start on.\n';

/** The crawls in a folder. Opened by one app at a time; what it started, and what it should start and when, outlives it. */
export class FolderLibrary implements CrawlLibrary, AsyncDisposable {
  readonly folder: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #lock: Disposable;
  readonly #runs: CrawlRuns;
  readonly #catalogue: CrawlCatalogue;
  readonly #schedules: Schedules;
  readonly #templates: Templates;
  readonly #trash: Trash;
  readonly #options: FolderLibraryOptions;
  readonly #timer: NodeJS.Timeout;

  /** Makes the folder where it is missing. Throws FOLDER_IN_USE where another app has it. */
  constructor(folder: string, options: FolderLibraryOptions) {
    this.folder = resolve(folder);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    prepareLibrary(this.folder);
    this.#lock = lockLibrary(this.folder);
    this.#runs = new CrawlRuns({ ...options, clock: this.#clock });
    const activity = (place: string) => this.#runs.activity(place);
    this.#catalogue = new CrawlCatalogue(this.folder, { clock: this.#clock, activity });
    this.#schedules = new Schedules(this.folder, this.#clock);
    this.#templates = new Templates(this.folder);
    this.#trash = new Trash(this.folder);
    for (const name of crawlNames(this.folder)) this.#runs.recover(join(this.folder, name));
    this.maintain();
    this.#timer = setInterval(() => this.maintain(), MAINTAIN_MS).unref();
  }

  get takesFolders(): boolean {
    return this.#options.takesFolders === true;
  }

  /** Remembers where the app is, for others that want the same library. */
  served(url: string): void {
    noteAddress(this.folder, url);
  }

  async list(): Promise<readonly LibraryCrawl[]> {
    return (await this.#catalogue.list()).map((crawl) => this.#scheduled(crawl));
  }

  async get(name: string): Promise<LibraryCrawl | undefined> {
    const crawl = await this.#catalogue.get(name);
    return crawl && this.#scheduled(crawl);
  }

  async create(
    draft: CrawlDraft,
    takesFolders = this.takesFolders,
  ): Promise<{ readonly name: string } | { readonly problems: DraftProblems }> {
    const read = await settingsOfDraft(draft, takesFolders);
    const times = scheduleOf(draft, this.#clock.now());
    const name = this.#nameOf(draft, 'settings' in read ? read.settings.seeds : []);
    const problems: DraftProblems = {
      ...('problems' in read ? read.problems : {}),
      ...('problems' in times ? times.problems : {}),
      ...('problem' in name ? { name: name.problem } : {}),
    };
    if ('problems' in read || 'problems' in times || 'problem' in name) return { problems };
    const folder = join(this.folder, name.name);
    // Fails where somebody else has made it meanwhile.
    mkdirSync(folder);
    replaceFile(settingsPath(folder), HEAD + stringify(read.settings.file));
    if (times.schedule !== 'none') this.#schedules.set(name.name, times.schedule);
    return name;
  }

  async createDemo(): Promise<string> {
    const name = freeName(this.folder, 'demo');
    const folder = join(this.folder, name);
    mkdirSync(folder);
    this.#runs.start(folder, { kind: 'demo' });
    return name;
  }

  async start(name: string, { again = false }: { readonly again?: boolean } = {}): Promise<void> {
    const folder = this.#folderOf(name);
    this.#runs.start(folder, { kind: readRun(folder)?.kind ?? 'crawl', again: again && hasState(folder) });
  }

  async stop(name: string, { atOnce = false }: { readonly atOnce?: boolean } = {}): Promise<void> {
    this.#runs.stop(this.#folderOf(name), atOnce);
  }

  async log(name: string): Promise<string> {
    return tailOf(this.#folderOf(name));
  }

  async repeat(name: string, choice: RepeatChoice): Promise<DraftProblems | undefined> {
    const folder = this.#folderOf(name);
    const times = scheduleOf(choice, this.#clock.now());
    if ('problems' in times) return times.problems;
    setContinuous(folder, choice.repeat === 'continuous');
    this.#schedules.set(name, times.schedule === 'none' ? undefined : times.schedule);
    this.#catalogue.forget(folder);
    return undefined;
  }

  async remove(name: string): Promise<void> {
    const folder = this.#folderOf(name);
    if (this.#runs.activity(folder) !== undefined || isFolderLocked(folder)) throw inUse(name);
    await this.#options.onLeave?.(folder);
    // One that comes back from the trash is not started by itself.
    if (readRun(folder) !== undefined) changeRun(folder, { wanted: 'stopped' });
    this.#trash.take(name, this.#clock.now());
    this.#schedules.set(name, undefined);
    this.#catalogue.forget(folder);
  }

  async trash(): Promise<readonly TrashedCrawl[]> {
    return this.#trash.list();
  }

  async restore(id: string): Promise<string> {
    return this.#trash.restore(id);
  }

  async purge(id: string): Promise<void> {
    await this.#trash.purge(id);
  }

  async templates(): Promise<readonly CrawlTemplate[]> {
    return this.#templates.list();
  }

  async saveTemplate(name: string, draft: CrawlDraft): Promise<DraftProblems | undefined> {
    return this.#templates.save(name, draft);
  }

  async removeTemplate(id: string): Promise<void> {
    this.#templates.remove(id);
  }

  /** Starts what is due and looks after what runs. */
  maintain(): void {
    try {
      this.#runs.maintain();
      for (const name of this.#schedules.takeDue()) this.#startDue(name);
    } catch (fault) {
      // Such as a disk that is full: the next second tries again.
      this.#options.onFault?.(fault, this.folder);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#runs[Symbol.asyncDispose]();
    this.#lock[Symbol.dispose]();
  }

  #startDue(name: string): void {
    const folder = crawlFolder(this.folder, name);
    if (folder === undefined) {
      this.#schedules.set(name, undefined);
      return;
    }
    try {
      this.#runs.start(folder, { kind: readRun(folder)?.kind ?? 'crawl', again: hasState(folder) });
    } catch (error) {
      if (!(error instanceof OrbweaverError) || error.code !== 'FOLDER_IN_USE') throw error;
      noteInLog(folder, `== ${new Date(this.#clock.now()).toISOString()} A run was due; the last one still goes on.`);
    }
  }

  #scheduled(crawl: LibraryCrawl): LibraryCrawl {
    const schedule = this.#schedules.get(crawl.name);
    const nextRun = this.#schedules.nextRun(crawl.name);
    return { ...crawl, ...(schedule && { schedule }), ...(nextRun !== undefined && { nextRun }) };
  }

  #nameOf({ name }: CrawlDraft, seeds: readonly string[]): { readonly name: string } | { readonly problem: string } {
    if (name === '') return { name: freeName(this.folder, proposedName(seeds)) };
    const problem = nameProblem(name);
    if (problem !== undefined) return { problem };
    return existsSync(join(this.folder, name)) ? { problem: 'There is a crawl of this name already.' } : { name };
  }

  #folderOf(name: string): string {
    const folder = crawlFolder(this.folder, name);
    if (folder !== undefined) return folder;
    throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `There is no crawl ${JSON.stringify(name)} here.`);
  }
}

/** Changes one line of a settings file and leaves the rest, comments too, as it was. */
function setContinuous(folder: string, continuous: boolean): void {
  const path = settingsPath(folder);
  const document = parseDocument(existsSync(path) ? readFileSync(path, 'utf8') : HEAD);
  const isMap = document.contents === null || document.toJS() instanceof Object;
  if (document.errors.length > 0 || !isMap) {
    throw new OrbweaverError('SETTINGS_FILE_UNREADABLE', `${path} cannot be read, and was left as it is.`, {
      remedy: 'Correct or delete it; docs/settings.md tells what it holds.',
    });
  }
  if ((document.get('continuous') === true) === continuous) return;
  if (continuous) document.set('continuous', true);
  else document.delete('continuous');
  replaceFile(path, document.toString());
}
