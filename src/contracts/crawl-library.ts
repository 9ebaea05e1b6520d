/**
 * How a crawl of a library stands.
 * - `new`: it has settings and was never started. `waiting`: it is meant to run, and others have taken all places.
 * - `running`, `stopping`: a process has the folder.
 * - `stopped`, `finished`, `failed`: the last run ended, by whom or what is in the note. `interrupted`: it was cut off.
 * - `imported`: documents without a crawl. `broken`: a crawl that cannot be read. `foreign`: no crawl.
 */
export type CrawlCondition =
  | 'new'
  | 'waiting'
  | 'running'
  | 'stopping'
  | 'stopped'
  | 'finished'
  | 'failed'
  | 'interrupted'
  | 'imported'
  | 'broken'
  | 'foreign';

/** What the state of a crawl tells without going through its pages. */
export interface CrawlFacts {
  readonly seeds: readonly string[];
  readonly pages: number;
  readonly requests: number;
  /** Received from servers. */
  readonly bytes: number;
  readonly queued: number;
  readonly hosts: number;
  /** When the archive last grew. */
  readonly lastVisit?: number;
  /** Share of the pages that are as they are on the web, as a continuous crawl expects it. */
  readonly freshness?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Since when it is to ask for nothing, running or not. */
  readonly pausedAt?: number;
  /** Undefined while it runs, and where it was cut off. */
  readonly ended?: string;
}

/** On disk. */
export interface FolderSize {
  readonly bytes: number;
  /** There were more files than are counted. */
  readonly atLeast: boolean;
}

/** One line of the list. Reading it never fails: what is wrong is told in `condition` and `note`. */
export interface LibraryCrawl {
  /** Of its folder, within the library. */
  readonly name: string;
  readonly folder: string;
  readonly condition: CrawlCondition;
  /** Why it is so, and what can be done; '' where the condition says it all. */
  readonly note: string;
  readonly continuous: boolean;
  readonly facts?: CrawlFacts;
  /** Undefined as long as it is not known. */
  readonly size?: FolderSize;
  readonly schedule?: CrawlSchedule;
  /** ms since the epoch. */
  readonly nextRun?: number;
  /** The last run that the app started. */
  readonly run?: AppRun;
}

/** What the app has to know of a crawl that it started; kept in the crawl folder, so that it goes where the folder goes. */
export interface AppRun {
  /** What the user wants. A crawl that is wanted and does not run is started again, also by the next app. */
  readonly wanted: 'running' | 'stopped';
  /** `demo`: the built-in demo web, which the process of the crawl serves to itself. */
  readonly kind: 'crawl' | 'demo';
  /** One more round over what is known. */
  readonly again: boolean;
  readonly pid?: number;
  /** When that process began, by the system: a number can be given to another process later. */
  readonly processStart?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly exitCode?: number;
  readonly signal?: string;
  /** When it was started again after a death, for how long it may go on like that. */
  readonly restarts: readonly number[];
}

/** When a crawl is run by itself. */
export interface CrawlSchedule {
  /** Minute, hour, day, month, weekday; or @daily and its like. */
  readonly cron: string;
  /** As in the time zone database: Europe/Berlin. */
  readonly timeZone: string;
  /** Up to here runs are made or made up for: the next one is the first time after it. */
  readonly since: number;
}

/** A named set of answers to the questions of the form. */
export interface CrawlTemplate {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly draft: Partial<CrawlDraft>;
  readonly builtIn: boolean;
}

export type DraftScope = 'host' | 'domain' | 'directory' | 'pages' | 'any';

/** What somebody typed who wants a new crawl; every field as text, since a form is shown again as it was sent. */
export interface CrawlDraft {
  /** Of the folder; '' for one that follows from the first address. */
  readonly name: string;
  /** One address per line. */
  readonly addresses: string;
  /** '' where all pages are wanted. */
  readonly topic: string;
  readonly scope: DraftScope;
  readonly maxPages: string;
  readonly maxDuration: string;
  readonly delay: string;
  /** Patterns, one per line. */
  readonly exclude: string;
  readonly contact: string;
  /** 'yes': machines of this network may be asked. */
  readonly allowPrivate: string;
  readonly repeat: Repeat;
  /** 03:00 */
  readonly time: string;
  /** 0 is Sunday. */
  readonly weekday: string;
  readonly cron: string;
  readonly timeZone: string;
}

export type Repeat = 'once' | 'continuous' | 'hourly' | 'daily' | 'weekly' | 'cron';

/** What is wrong with a draft, by field. */
export type DraftProblems = { -readonly [Field in keyof CrawlDraft]?: string };

/** A crawl that was deleted and can be brought back. */
export interface TrashedCrawl {
  /** Unique in the trash. */
  readonly id: string;
  readonly name: string;
  readonly deletedAt: number;
}

/** A folder of crawl folders. One app has it at a time. */
export interface CrawlLibrary {
  readonly folder: string;
  /** Folders of this machine may be named as seeds: nobody else can reach the app. */
  readonly takesFolders: boolean;
  list(): Promise<readonly LibraryCrawl[]>;
  /** Undefined where there is no such folder. */
  get(name: string): Promise<LibraryCrawl | undefined>;
  /** Makes the folder with its settings; `problems` where the draft cannot be one, and then nothing is made. */
  create(
    draft: CrawlDraft,
    takesFolders?: boolean,
  ): Promise<{ readonly name: string } | { readonly problems: DraftProblems }>;
  /** A crawl of the built-in demo web, started at once. */
  createDemo(): Promise<string>;
  /** Throws FOLDER_IN_USE where it runs. */
  start(name: string, options?: { readonly again?: boolean }): Promise<void>;
  /** What is under way is finished and saved; `atOnce`: it is killed, which loses nothing that was settled. */
  stop(name: string, options?: { readonly atOnce?: boolean }): Promise<void>;
  /** The last lines that the crawl printed. */
  log(name: string): Promise<string>;
  /** 'once' takes the schedule away; 'continuous' changes the settings of the crawl. */
  repeat(name: string, repeat: RepeatChoice): Promise<DraftProblems | undefined>;
  /** Moves the folder to the trash of the library. Throws FOLDER_IN_USE where it runs. */
  remove(name: string): Promise<void>;
  trash(): Promise<readonly TrashedCrawl[]>;
  /** The name under which it is back: another one where its own is taken. */
  restore(id: string): Promise<string>;
  /** Deletes the files. */
  purge(id: string): Promise<void>;
  templates(): Promise<readonly CrawlTemplate[]>;
  saveTemplate(name: string, draft: CrawlDraft): Promise<DraftProblems | undefined>;
  removeTemplate(id: string): Promise<void>;
}

export type RepeatChoice = Pick<CrawlDraft, 'repeat' | 'time' | 'weekday' | 'cron' | 'timeZone'>;

/** A look at what a crawl will come to. */
export interface PlanPreview {
  readonly id: string;
  readonly draft: CrawlDraft;
  readonly state: 'looking' | 'done' | 'failed' | 'cancelled';
  readonly startedAt: number;
  readonly result?: PlanResult;
  /** Why there is none. */
  readonly problem?: string;
}

export interface PlanRange {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/** The part of the JSON of `orbweaver plan` that is shown. */
export interface PlanResult {
  readonly pages: PlanRange;
  readonly requests: PlanRange;
  readonly bytes: PlanRange;
  readonly ms: PlanRange;
  readonly basis: string;
  readonly noEndInSight?: number;
  readonly limit?: string;
  readonly bounds: readonly {
    readonly host: string;
    readonly requests: number;
    readonly everyMs: number;
    readonly ms: number;
  }[];
  readonly sample: {
    readonly requests: number;
    readonly elapsedMs: number;
    readonly found: number;
    readonly asked: number;
    readonly failed: number;
    /** Links that robots.txt forbids. */
    readonly forbidden: number;
    readonly hosts: readonly {
      readonly host: string;
      readonly listed: number;
      readonly crawlDelayMs?: number;
      readonly sitemaps: { readonly read: number; readonly waiting: number };
    }[];
  };
}
