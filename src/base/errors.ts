/** Our own faults and the user's mistakes, with stable codes (docs/errors.md). What the web does is an `Outcome`. */
export const ERROR_CODES = {
  SETTING_UNKNOWN: { exit: 2, meaning: 'A setting, flag or environment variable has a name that does not exist.' },
  SETTING_INVALID: { exit: 2, meaning: 'A setting has a value outside its kind or range.' },
  SETTINGS_FILE_UNREADABLE: { exit: 2, meaning: 'The settings file could not be read or is not valid YAML.' },
  RULES_INVALID: { exit: 2, meaning: 'A rule for extracting rows cannot be used; the message names its line.' },
  USAGE: { exit: 2, meaning: 'The command line is incomplete or contradictory.' },
  SEED_INVALID: { exit: 2, meaning: 'A seed is neither an http or https URL nor a folder or file that can be read.' },
  SEED_FILE_UNREADABLE: { exit: 2, meaning: 'The seed file does not exist or may not be read.' },
  NO_SEEDS: { exit: 2, meaning: 'A new crawl was started without any seed.' },
  FOLDER_NOT_A_CRAWL: { exit: 3, meaning: 'The folder holds no crawl.' },
  INDEX_MISSING: { exit: 3, meaning: 'The folder holds no search index yet.' },
  ROWS_MISSING: { exit: 3, meaning: 'No extraction rule was ever used in the folder.' },
  INDEX_OUTDATED: {
    exit: 3,
    meaning:
      'The search index was written by an earlier version. `orbweaver index --rebuild` rebuilds it; so does a crawl.',
  },
  FOLDER_UNWRITABLE: { exit: 3, meaning: 'The crawl folder cannot be created or written.' },
  FOLDER_IN_USE: { exit: 3, meaning: 'Another process is crawling into this folder.' },
  PARTITION_LOST: { exit: 3, meaning: 'Another process owns this part of the crawl by now; nothing more was written.' },
  FOLDER_NEWER_VERSION: { exit: 3, meaning: 'The folder was written by a newer version of Orbweaver.' },
  FOLDER_CORRUPT: {
    exit: 3,
    meaning: 'The state or the archive of the crawl is damaged. `orbweaver check --repair` mends it.',
  },
  URLS_DAMAGED: {
    exit: 3,
    meaning: 'A file of a URL store (`orbweaver urls`) is cut off or does not hold what was written to it.',
  },
  FORGET_UNFINISHED: {
    exit: 3,
    meaning:
      'A deletion of pages was cut off. `orbweaver forget` completes it; a crawl or a check starts only after that.',
  },
  LOGIN_FAILED: {
    exit: 5,
    meaning:
      'A login could not be recorded: no form was found, robots.txt forbids its page, or the site did not take what was sent.',
  },
  BROWSER_MISSING: {
    exit: 3,
    meaning: 'Pages are to be rendered, but no browser was found, or the one that was named cannot be run.',
  },
  DISK_FULL: { exit: 4, meaning: 'The disk is full; everything settled before is kept, and the same command resumes.' },
  FILE_LIMIT: {
    exit: 4,
    meaning:
      'The process or the machine may not open more files; everything settled before is kept, and the same command resumes.',
  },
  STORE_UNREACHABLE: { exit: 4, meaning: 'The database that keeps the state of the crawl cannot be reached.' },
  STORE_FAILED: { exit: 4, meaning: 'The database that keeps the state of the crawl refused a statement.' },
  STORE_NOT_A_CRAWL: { exit: 3, meaning: 'The database holds no crawl, or none of several nodes.' },
  ARCHIVE_STORE_FAILED: {
    exit: 4,
    meaning: 'The store that archive files were shipped to cannot be reached, or refuses what it is asked for.',
  },
  SINK_FAILED: {
    exit: 4,
    meaning:
      'The OpenSearch or Elasticsearch server that documents are sent to cannot be reached, or refuses what it is asked for.',
  },
  STORAGE_FAILED: { exit: 4, meaning: 'Reading or writing the crawl folder failed.' },
  SEARCH_BUSY: {
    exit: 75,
    meaning: 'More queries wait for the search than it takes; the same query can be asked again soon.',
  },
  URL_NOT_FOUND: {
    exit: 5,
    meaning: 'The crawl does not know this URL or holds no copy of it, or it could not be fetched.',
  },
  COPY_ELSEWHERE: {
    exit: 5,
    meaning: 'The copy of a page lies in the folder of another node of the crawl, which cannot be read from here.',
  },
  ONE_VERSION: { exit: 5, meaning: 'Two copies of a page were to be compared, and there is only one.' },
  NOTHING_STORED: { exit: 5, meaning: 'A crawl is over and holds no page: every seed failed or was refused.' },
  NOTHING_TO_PLAN: { exit: 5, meaning: 'No page was found at the seeds of a plan.' },
  INPUT_INVALID: { exit: 2, meaning: 'An input, or a line of it, is not what the command takes or cannot be read.' },
  PLUGIN_INVALID: { exit: 2, meaning: 'A plug-in was not found, or is none that this version can work with.' },
  PLUGIN_FAILED: { exit: 8, meaning: 'A plug-in failed where that ends the run; the message names it.' },
  INTERNAL: { exit: 70, meaning: 'A fault in Orbweaver itself. Please report it.' },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ErrorDetail {
  /** What the user can do about it. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

export class OrbweaverError extends Error {
  readonly code: ErrorCode;
  readonly remedy: string | undefined;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'OrbweaverError';
    this.code = code;
    this.remedy = detail.remedy;
  }

  get exitCode(): number {
    return ERROR_CODES[this.code].exit;
  }
}
