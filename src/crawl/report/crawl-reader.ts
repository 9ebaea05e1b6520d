import { ArchiveSet } from '../../archive/archive-set.ts';
import { systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { ArchivedDocument, ArchivedVersion, RecordPlace } from '../../contracts/archive.ts';
import type { ChangeLog, ChangeQuery, LoggedChange } from '../../contracts/change-log.ts';
import type { Link } from '../../contracts/content/page.ts';
import type { RenderingTotals } from '../../contracts/content/renderer.ts';
import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { ForgottenPages } from '../../contracts/forgotten.ts';
import type { HostRecord, PageFacts } from '../../contracts/page-store.ts';
import type { DuplicateListing } from '../../contracts/state/duplicate-listing.ts';
import type { KnownUrlQuery, ListedUrl } from '../../contracts/state/known-url.ts';
import type { InLink } from '../../contracts/state/link-store.ts';
import type { PageCourse } from '../../contracts/state/page-course.ts';
import type { ListedPage, PageQuery } from '../../contracts/state/page-listing.ts';
import type { StateReader } from '../../contracts/state/state-reader.ts';
import type { CanonicalUrl, HostKey, Origin } from '../../contracts/url.ts';
import { openControl } from '../../engines/open-control.ts';
import { openStateReader } from '../../engines/open-reader.ts';
import { matcherOf } from '../../scope/forget-target.ts';
import { admittingSeeds } from '../../scope/seed-scopes.ts';
import { completeSeed } from '../../seeds/seed-text.ts';
import { explainUrl } from '../../url/explain-url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import { defaultUrlOptions, type UrlOptions } from '../../url/url-options.ts';
import { filesSettingsOf } from '../changed-settings.ts';
import { archiveFolder } from '../crawl-folder.ts';
import type { LearnedStateSnapshot } from '../learning/learned-state.ts';
import type { FocusSnapshot } from '../learning/open-focus.ts';
import type { RevisitSchedulerSnapshot } from '../revisits/revisit-scheduler.ts';
import { headStatus } from '../visit/head-requests.ts';
import type { CrawlSource } from './crawl-source.ts';
import type { CrawlStatus } from './crawl-status.ts';
import { notStored } from './not-stored.ts';
import { type AnchorIn, PageLinks } from './page-links.ts';
import type { RunRecord } from './run-record.ts';
import { reportOf, type UrlReport } from './url-report.ts';

const GROWING_SHOWN = 5;
/** As many as browsers follow; a chain of that length is a loop. */
const MAX_REDIRECTS = 20;

/** One column of a page's row in time. */
export interface PageVersion extends ArchivedVersion {
  readonly changed: 'first' | 'same' | 'changed';
}

/** Reads a crawl, also while it is running: that of a folder, or one from elsewhere. */
export class CrawlReader implements ChangeLog, Disposable {
  /** For people: the folder, where there is one. */
  readonly name: string;
  /** By which flag other commands read the same crawl. */
  readonly flag: string;
  readonly folders: readonly string[];
  readonly #whoHas: CrawlSource['whoHas'];
  readonly #learnedState: CrawlSource['learnedState'];
  readonly #shipped: CrawlSource['shipped'];
  readonly #close: CrawlSource['close'];
  readonly #state: StateReader;
  readonly #run: RunRecord | undefined;

  constructor(source: string | CrawlSource) {
    const { name, flag, state, run, folders, whoHas, learnedState, shipped, close } =
      typeof source === 'string' ? folderSource(source) : source;
    this.name = name;
    this.#learnedState = learnedState;
    this.#shipped = shipped;
    this.#close = close;
    this.flag = flag;
    this.folders = folders;
    this.#whoHas = whoHas;
    this.#state = state;
    this.#run = run;
  }

  async status(hosts: number): Promise<CrawlStatus> {
    const { rules: _rules, urlOptions: _options, kept: _kept, ...run } = this.#run ?? ({} as RunRecord);
    return {
      folder: this.name,
      run: this.#run === undefined ? undefined : run,
      totals: await this.#state.pages.totals(),
      ...this.#state.queueCounts(),
      busiest: this.hosts(hosts),
      ...this.#upkeep(),
      ...this.#harvest(),
      ...this.#rendering(),
      ...this.#growing(),
      ...this.#control(),
    };
  }

  #control(): Pick<CrawlStatus, 'control'> {
    if (this.folders.length !== 1) return {};
    using store = openControl(this.folders[0]);
    return { control: store.state() };
  }

  #rendering(): Pick<CrawlStatus, 'rendering'> {
    const rendering = this.#state.read<{ readonly totals: RenderingTotals }>('rendering')?.totals;
    return rendering === undefined ? {} : { rendering };
  }

  #growing(): Pick<CrawlStatus, 'growing'> {
    const growing = this.learnedState()?.patterns.filter((pattern) => pattern.growing === true) ?? [];
    return growing.length === 0 ? {} : { growing: growing.slice(0, GROWING_SHOWN) };
  }

  /** Every visited URL, in no particular order. */
  pages(query: PageQuery = {}): Iterable<ListedPage> {
    return this.#state.listPages(query);
  }

  /** The visits of every page of which a copy is held, or was; in no particular order. */
  courses(): Iterable<PageCourse> {
    return this.#state.pageCourses();
  }

  /** Every URL that the crawl knows; of one in a database, those that were visited. */
  knownUrls(query?: KnownUrlQuery): Iterable<ListedUrl> {
    return this.#state.knownUrls(query);
  }

  /** What the last visit that brought any facts tells of a page. */
  factsOf(url: CanonicalUrl): PageFacts | undefined {
    return this.#state.pages.factsOf([url]).get(url);
  }

  /** Whether a copy of any page is held: also where the last visits of all brought nothing. */
  holdsCopies(): boolean {
    return this.#state.pages.holdsCopies();
  }

  /** The hosts with the longest queues. */
  hosts(max: number): HostRecord[] {
    return this.#state.hosts.busiest(max);
  }

  host(host: HostKey): Promise<HostRecord | undefined> {
    return this.#state.pages.host(host);
  }

  robots(origin: Origin): Promise<RobotsRecord | undefined> {
    return this.#state.pages.robots(origin);
  }

  /** Product token that robots.txt is read for. */
  get agent(): string {
    return this.#run?.agent ?? 'orbweaver';
  }

  #upkeep(): Pick<CrawlStatus, 'upkeep'> {
    const kept = this.#state.read<RevisitSchedulerSnapshot>('upkeep');
    if (kept === undefined) return {};
    const { planner: _planner, feeds: _feeds, signals: _signals, plannedFor: _plannedFor, heads, ...told } = kept;
    const now = systemClock.now();
    const shown = heads === undefined ? {} : { heads: headStatus(heads, now) };
    return { upkeep: { ...told, ...shown, due: this.#state.visitsDue(now) } };
  }

  #harvest(): Pick<CrawlStatus, 'harvest'> {
    const harvest = this.#state.read<FocusSnapshot>('focus')?.harvest;
    return harvest === undefined ? {} : { harvest };
  }

  /** Those of plug-ins that the crawl had, with their colons, separated by blanks. */
  get schemes(): string {
    return this.#run?.urlOptions.schemes ?? '';
  }

  get seeds(): readonly CanonicalUrl[] {
    return this.#run?.seeds ?? [];
  }

  /** By which files the last run has read: one may have begun since this was opened. */
  get filesSettings(): ReturnType<typeof filesSettingsOf> {
    return filesSettingsOf((this.#state.read<RunRecord>('run') ?? this.#run)?.kept);
  }

  async explain(asked: string): Promise<UrlReport> {
    const completed = completeSeed(asked, this.schemes, 'known');
    if ('wrong' in completed) throw new OrbweaverError('SEED_INVALID', `${asked}: ${completed.wrong}`);
    const explained = explainUrl(completed.url, this.urlOptions);
    if (!explained.ok)
      throw new OrbweaverError('SEED_INVALID', `${asked} is not an http or https URL (${explained.reason}).`);
    const report = await reportOf(asked, explained.url, explained.steps, this.#state.pages, this.agent);
    const learnedState = this.learnedState();
    const hostSpam = learnedState?.spamHosts.find(({ host }) => host === hostKeyOf(explained.url))?.spam;
    const cloaked = learnedState?.cloaked?.find(({ url }) => url === explained.url)?.sign;
    const forgotten = this.#state
      .read<ForgottenPages>('forgotten')
      ?.entries.findLast(({ target }) => matcherOf(target)(explained.url));
    return {
      ...report,
      ...(hostSpam === undefined ? {} : { hostSpam }),
      ...(cloaked === undefined ? {} : { cloaked }),
      ...(forgotten === undefined ? {} : { forgotten }),
      ...this.#admittedBy(explained.url, report.page?.depth),
    };
  }

  #admittedBy(url: CanonicalUrl, depth: number | undefined): Pick<UrlReport, 'admittedBy'> {
    const { seeds = [], seedScopes = {}, within } = this.#run ?? {};
    if (within === undefined || Object.keys(seedScopes).length === 0) return {};
    const { scope, maxDepth = Number.POSITIVE_INFINITY } = within;
    const asked = { url, host: hostKeyOf(url), ...(depth === undefined ? {} : { depth }) };
    return { admittedBy: admittingSeeds(asked, { scope, maxDepth }, seeds, seedScopes) };
  }

  /** The newest copy, or the one nearest to a time. */
  async get(asked: string, at?: number): Promise<ArchivedDocument> {
    const { url, page } = await this.explain(asked);
    const archive = this.archive();
    const location = at === undefined ? page?.facts?.location : undefined;
    const document = location === undefined ? await archive.get(url, at) : await archive.readAt(location);
    if (document !== undefined) return document;
    await this.#refuseElsewhere(url, page?.facts?.location, archive);
    throw notStored(url, this);
  }

  /** The copy lies in an archive that cannot be read from here. */
  async #refuseElsewhere(url: CanonicalUrl, location: RecordPlace | undefined, archive: ArchiveSet): Promise<void> {
    if (this.#whoHas === undefined || location === undefined || (await archive.has(location.file))) return;
    throw new OrbweaverError(
      'COPY_ELSEWHERE',
      `The copy of ${url} cannot be read here: ${this.#whoHas(location.file)}`,
      {
        remedy:
          'Run the command on that machine; or make the folder readable here, and name it with --dir as well. Nodes with archive-store ship their files to where every machine can read them.',
      },
    );
  }

  /** The URL of the copy that may be shown: its own or its redirect target's. Undefined without a copy or with noarchive. */
  shownCopyOf(asked: string): CanonicalUrl | undefined {
    let url = normalizeUrl(asked, this.urlOptions);
    for (let redirects = 0; url !== undefined && redirects <= MAX_REDIRECTS; redirects++) {
      const copy = this.#state.pages.copyOf(url);
      if (copy === undefined) return undefined;
      if (copy.held) return copy.noarchive ? undefined : url;
      url = this.#state.pages.redirectOf(url);
    }
    return undefined;
  }

  /** Reads many copies, each the one nearest to a time: the archive is opened once. */
  copiesAt(at: number): (url: CanonicalUrl) => Promise<ArchivedDocument | undefined> {
    const archive = this.archive();
    return async (url) => {
      const { status, requestedAt, location } = (await this.#state.pages.page(url))?.facts ?? {};
      // Where the newest copy is the older one, none is nearer: it is read without a look into the index.
      const isNearest = status !== undefined && status < 300 && requestedAt !== undefined && requestedAt <= at;
      const newest = isNearest && location !== undefined ? await archive.readAt(location) : undefined;
      return newest ?? (await archive.get(url, at));
    };
  }

  /** A copy of which `versions` has told: quicker than by its time. Undefined where it cannot be read. */
  async copyOf(version: PageVersion): Promise<ArchivedDocument | undefined> {
    return this.archive().readAt(version);
  }

  /** A copy as a browser has shown it; the copy itself where none has. */
  shown(document: ArchivedDocument): Promise<ArchivedDocument> {
    return this.archive().shown(document);
  }

  /** The same, and a document that was converted as the page that it was converted to. */
  asPage(document: ArchivedDocument): Promise<ArchivedDocument> {
    return this.archive().asPage(document);
  }

  /** The text that was stored with a copy; undefined where none was. */
  async textOf({ location }: ArchivedDocument): Promise<string | undefined> {
    return this.archive().textAt(location);
  }

  /** Every copy of a URL, oldest first: when, what, and whether it was another than before. */
  async versions(asked: string): Promise<PageVersion[]> {
    const { url, page } = await this.explain(asked);
    const archive = this.archive();
    const versions = await archive.versions(url);
    if (versions.length === 0) await this.#refuseElsewhere(url, page?.facts?.location, archive);
    let before: string | undefined;
    return versions.map((version) => {
      const changed = before === undefined ? 'first' : version.digest === before ? 'same' : 'changed';
      before = version.digest ?? before;
      return { ...version, changed };
    });
  }

  /** What has happened to pages, in the order in which it was noticed. */
  changes(query: ChangeQuery): Iterable<LoggedChange> {
    return this.#state.changes.changes(query);
  }

  /** The links of a copy. */
  async linksOf(document: ArchivedDocument): Promise<readonly Link[]> {
    await using links = new PageLinks(this.urlOptions);
    return await links.of(document);
  }

  /** Links with the time of the last visit that found them: a page that is as before is not read for its links again. */
  async lastSeen(links: readonly InLink[]): Promise<InLink[]> {
    return await Promise.all(
      links.map(async (link) => {
        const page = await this.#state.pages.page(link.from as CanonicalUrl);
        const last = page?.history.findLast(({ kind }) => kind === 'stored' || kind === 'unchanged');
        return last?.kind === 'unchanged' && last.at > link.at ? { ...link, at: last.at } : link;
      }),
    );
  }

  /** Links to a URL from the stored pages, in the order in which they were stored. Reads the whole archive. */
  async *anchorsTo(url: string): AsyncGenerator<AnchorIn> {
    await using links = new PageLinks(this.urlOptions);
    yield* links.anchorsTo(url, this.archive().scan());
  }

  /** Pages that say the same, or nearly so; for `duplicateClusters` and `searchNear`. */
  get duplicateListing(): DuplicateListing {
    return this.#state.duplicates;
  }

  /** The main text of every stored document, in the order in which they were stored. */
  async *texts(): AsyncGenerator<{ readonly id: string; readonly text: string }> {
    const archive = this.archive();
    for await (const { url, location } of archive.scan()) {
      const text = await archive.textAt(location);
      if (text !== undefined) yield { id: url, text };
    }
  }

  /** What the crawl had learnt when it last wrote it down. */
  learnedState(): LearnedStateSnapshot | undefined {
    return this.#state.read<LearnedStateSnapshot>('lessons') ?? this.#learnedState?.();
  }

  get urlOptions(): UrlOptions {
    return this.#run?.urlOptions ?? defaultUrlOptions;
  }

  /** The archives of the crawl, for those who read many copies. */
  archive(): ArchiveSet {
    return new ArchiveSet(this.folders.map(archiveFolder), {
      writerId: 'reader',
      clock: systemClock,
      software: '',
      userAgent: '',
      robots: '',
      elsewhere: (this.#run?.duplicatesOf ?? []).map((earlier) => archiveFolder(earlier)),
      ...(this.#shipped === undefined ? {} : { shipped: this.#shipped }),
    });
  }

  [Symbol.dispose](): void {
    this.#state[Symbol.dispose]();
    this.#close?.();
  }
}

function folderSource(folder: string): CrawlSource {
  const state = openStateReader(folder);
  return {
    ...{ name: folder, flag: `--dir ${shellWord(folder)}`, state, folders: [folder] },
    run: state.read<RunRecord>('run'),
  };
}
