import type { ArchivedDocument, ArchivedVersion, RecordPlace } from './archive.ts';
import type { RuleSet } from './content/extraction-rules.ts';
import type { Link } from './content/page.ts';
import type { PageFacts } from './content/page-facts.ts';
import type { KnownUrl } from './state/known-url.ts';
import type { StoredRow } from './state/row-store.ts';
import type { CanonicalUrl, HostKey } from './url.ts';

/** What a publisher may have an opinion on; see `UsageFacts`. */
export type UsageKind = 'search' | 'ai-input' | 'ai-train' | 'ai-images' | 'tdm';

/** Which part of a crawl is exported. What is absent does not restrict. */
export interface ExportFilter {
  readonly hosts?: readonly HostKey[];
  /** Date of the copy in ms since the epoch: `from` is included, `to` is not. */
  readonly from?: number;
  readonly to?: number;
  /** Of the text, ISO 639-1; of the document as it declares it where the text does not tell. */
  readonly languages?: readonly string[];
  /** Media types, such as `text/html`, or all of a kind, such as `image/*`. */
  readonly mediaTypes?: readonly string[];
  /** Only pages that the search index finds for it, with the syntax of `orbweaver search`. */
  readonly query?: string;
  /** Without pages whose publisher disallows the use; with `explicit` only those whose publisher allows it. */
  readonly usage?: { readonly use: UsageKind; readonly explicit: boolean };
  /** Most rows of a stream. */
  readonly limit?: number;
}

export type FilterName = keyof ExportFilter;

/** Where an export is: what it needs to go on after a kill. Kept as JSON. */
export interface ExportMark {
  /** Of the last row that was written, as its stream gave it; '' before the first. */
  readonly cursor: string;
  /** Rows that were written up to here. */
  readonly rows: number;
  /** What the format needs besides. */
  readonly state?: unknown;
}

/** Where a stream begins: behind a row, or at its beginning where the cursor is ''. `rows` counts for the limit. */
export interface StreamFrom extends Pick<ExportMark, 'cursor' | 'rows'> {
  /** Instead of the limit of the filter: for formats that leave rows out. */
  readonly limit?: number;
}

/** A page whose copy is held. What is read from the archive is read when it is asked for, and not kept. */
export interface ExportPage extends KnownUrl {
  readonly cursor: string;
  /** Of the copy. */
  readonly facts: PageFacts;
  /** The copy; undefined where it cannot be read. The body of a duplicate is that of its original. */
  document(): Promise<ArchivedDocument | undefined>;
  /** The main text that was stored with the copy, paragraphs on lines of their own. */
  text(): Promise<string | undefined>;
  /** The main content as Markdown, made from the copy; '' where it has none. */
  markdown(): Promise<string | undefined>;
  /** As the copy shows them, in its order. */
  links(): Promise<readonly Link[]>;
}

/** A URL that is known, visited or not. */
export interface ExportUrl extends KnownUrl {
  readonly cursor: string;
}

/** One link of a page, as the link store has it. */
export interface ExportLink {
  readonly cursor: string;
  readonly source: CanonicalUrl;
  readonly target: CanonicalUrl;
  readonly text: string;
  readonly nofollow: boolean;
  /** When the source was seen with it. */
  readonly seenAt: number;
}

/** One archived visit of a URL: a cell of the table URL × time. */
export interface ExportVersion extends ArchivedVersion {
  readonly cursor: string;
  readonly url: CanonicalUrl;
  readonly host: HostKey;
  /** 1 for the first copy of the URL. */
  readonly number: number;
  /** Against the copy before. */
  readonly changed: 'first' | 'same' | 'changed';
  document(): Promise<ArchivedDocument | undefined>;
  text(): Promise<string | undefined>;
}

/** A row that extraction rules have read from a page, or had. */
export interface ExportRow extends Omit<StoredRow, 'cursor'> {
  readonly cursor: string;
}

/** What an export says of its crawl. */
export interface ExportAbout {
  /** For people, and for whoever gets the export: no path of this machine. */
  readonly name: string;
  readonly seeds: readonly CanonicalUrl[];
  /** Folders that hold an archive each. */
  readonly folders: readonly string[];
}

/**
 * A crawl as streams, filtered. Each has an order that stays as it is while nothing is added, so that `from` goes on behind a row; beside
 * a running crawl what is new may come or not, and no row of `pages`, `links` and `versions` comes twice. Nothing is held but a few rows.
 */
export interface ExportSource extends AsyncDisposable {
  readonly about: ExportAbout;
  readonly filter: ExportFilter;
  /** Of the crawl, whatever it is called: another one in its place has another. */
  readonly identity: string;
  /** Changes whenever the crawl has changed: for formats that number things. */
  signature(): string;
  /** Whether cursors mean the same in the next process. */
  readonly isResumable: boolean;
  pages(from?: StreamFrom): AsyncIterable<ExportPage>;
  /** All known URLs; from and to are about the last visit, or the discovery where there was none. */
  urls(from?: StreamFrom): AsyncIterable<ExportUrl>;
  /** URLs about which something was decided: visited ones with their outcome, and links that a rule refused. */
  decisions(from?: StreamFrom): AsyncIterable<ExportUrl>;
  /** Links on the pages that match. Throws INDEX_MISSING where links were not gathered. */
  links(from?: StreamFrom): AsyncIterable<ExportLink>;
  /** Every copy of every page that matches, oldest first; from and to, and media types, are about the single copy. */
  versions(from?: StreamFrom): AsyncIterable<ExportVersion>;
  /** Rows of extraction rules, those that are gone included; from and to are about the last reading of the page. Throws ROWS_MISSING where there were no rules. */
  rows(from?: StreamFrom, set?: string): AsyncIterable<ExportRow>;
  /** A record of the archive, by its place. */
  documentAt(place: RecordPlace): Promise<ArchivedDocument | undefined>;
}

/** Bytes in order. `write` resolves when more can be taken. */
export interface ExportFile {
  /** Written so far, before compression, by earlier runs of the same export included. */
  readonly bytes: number;
  write(piece: Uint8Array | string): Promise<void>;
}

export interface ExportCheckpoints {
  /** Enough was written since the last checkpoint. Cheap: ask after every row. Depends on what was written, not on time. */
  readonly isDue: boolean;
  /** What was written up to here counts: after a kill, the same command cuts everything behind it and goes on from the mark. */
  checkpoint(mark: ExportMark): Promise<void>;
}

/** One file, or standard output. */
export interface ExportOutput extends ExportFile, ExportCheckpoints {}

/** A file of a folder. Not kept where it is not closed, and no checkpoint saw it open. */
export interface ExportFolderFile extends ExportFile {
  close(): Promise<void>;
}

/** A folder that gets its name when the export is whole. */
export interface ExportFolder extends ExportCheckpoints {
  /**
   * Opens a file by its path below the folder, with slashes. It is empty, but for one that was open at the checkpoint which this run
   * goes on from: that one is as long as it was then. Files that were closed before are as they were.
   */
  file(path: string): Promise<ExportFolderFile>;
  /** Gives a closed file another name. */
  rename(from: string, to: string): Promise<void>;
}

/** What a user can choose for some formats. */
export interface ExportOptions {
  /** Which table: pages, urls, links, decisions, versions, rows. */
  readonly table?: string;
  readonly columns?: readonly string[];
  /** Of the table of rows: those of one set alone, with a column for each of its fields. */
  readonly set?: Pick<RuleSet, 'name' | 'fields'>;
  /** Where the files will be published. */
  readonly base?: string;
  readonly title?: string;
}

export interface ExportJob {
  readonly options: ExportOptions;
  /** Where an earlier run of the same export was cut off; absent at the beginning. */
  readonly from?: ExportMark;
  /** Aborted when nobody wants the export any more. The streams of the source end by themselves; other long work has to look. */
  readonly signal?: AbortSignal;
  /** Tells how many rows are written, now and then. */
  progress(rows: number): void;
  /** Warnings for people: what was left out, and why. */
  notice(text: string): void;
}

export interface ExportSummary {
  /** Of the export as a whole, earlier runs included. */
  readonly rows: number;
}

interface AnyFormat {
  /** Which of the options it takes. */
  readonly options: readonly (keyof ExportOptions)[];
  /** Throws USAGE where the options are wrong; before anything is opened. */
  check?(options: ExportOptions): void;
  /** Filters that make no sense for it, each with the reason. */
  unfit?(options: ExportOptions): Readonly<Partial<Record<FilterName, string>>>;
  /** Has to begin again where the crawl has changed since it was cut off. */
  readonly needsSameCrawl?: boolean;
}

/** Writes one file; it may go to standard output. */
export interface StreamFormat extends AnyFormat {
  readonly target: 'stream';
  /** May be compressed as a whole. */
  readonly isCompressible: boolean;
  write(source: ExportSource, output: ExportOutput, job: ExportJob): Promise<ExportSummary>;
}

/** Writes several files. */
export interface FolderFormat extends AnyFormat {
  readonly target: 'folder';
  write(source: ExportSource, folder: ExportFolder, job: ExportJob): Promise<ExportSummary>;
}

export type ExportFormat = StreamFormat | FolderFormat;

/** A line of the list of formats; its code is loaded when it is asked for. */
export interface ExportEntry {
  readonly name: string;
  readonly meaning: string;
  /** Of the file, without the dot; '' for a folder. */
  readonly extension: string;
  load(): Promise<ExportFormat>;
}
