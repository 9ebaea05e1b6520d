import type { Fingerprint } from '../../base/fingerprint.ts';
import type { RecordPlace } from '../archive.ts';
import type { CrawlTask, Discovery } from '../crawl-task.ts';
import type { FolderProblem } from '../folder-check.ts';
import type { CanonicalUrl } from '../url.ts';
import type { Notes } from './notes.ts';
import type { SettledBytes } from './state-reader.ts';

/** How bad the state is: a damaged one has to be salvaged row by row. */
export interface StateCheck {
  readonly problems: readonly FolderProblem[];
  readonly isReadable: boolean;
}

/** Where the copy of a settled page lies, by the fingerprint of its URL. */
export interface PageCopy {
  readonly fp: Fingerprint;
  /** By its outcome there is a copy, also where no place is known. */
  readonly isHeld: boolean;
  readonly location?: RecordPlace;
}

/** What a state says of the archive beside it. */
export interface ArchiveClaims extends Pick<Notes, 'read'> {
  archiveFiles(): Map<string, SettledBytes>;
  copies(): Iterable<PageCopy>;
}

/** A state that is compared with its archive. */
export interface StateInspection extends ArchiveClaims, Disposable {
  /** Visited URLs. */
  pageCount(): number;
}

/** What a salvage has brought of one kind of rows. */
export interface SalvagedTable {
  readonly table: string;
  readonly rows: number;
  /** Rows that can be read but are not what Orbweaver wrote. */
  readonly unsound: number;
  /** Pages of the file whose rows are lost. */
  readonly damagedPages: number;
}

export interface SalvageReport {
  readonly tables: readonly SalvagedTable[];
  /** The log of the last transactions could not be read. */
  readonly logLost: boolean;
}

/** A URL of which nothing is left but that it was known. */
export interface LostUrl {
  readonly fp: Fingerprint;
  /** As the engine numbers its hosts. */
  readonly host: number;
  readonly lane: number;
}

/** A URL whose rows were lost and that was found again. */
export interface FoundUrl extends Omit<LostUrl, 'fp'> {
  readonly url: CanonicalUrl;
  readonly depth: number;
  readonly how: Discovery['how'];
  readonly from?: CanonicalUrl;
}

/** Where visits of the state were sent on to. */
export interface KnownRedirect {
  readonly url: CanonicalUrl;
  readonly depth: number;
  readonly target: string;
}

/** The state as a repair rebuilds it, beside the damaged one. Counts for nothing before `commit`. */
export interface StateDraft extends ArchiveClaims, Disposable {
  /** Undefined where the state could be copied whole. */
  readonly salvage: SalvageReport | undefined;
  /** Hosts, leases, queues and sums follow from the other rows again. */
  restore(now: number): void;
  /** A file of the archive that the state has forgotten belongs to it again. */
  adoptArchiveFile(name: string, settled: SettledBytes): void;
  /** Undefined takes the file out. */
  setArchiveFile(name: string, settled: SettledBytes | undefined): void;
  /** Pages that are to be tried again, and wait nowhere. */
  strandedPages(): Iterable<Fingerprint>;
  /** Puts pages back into their queues, without what was read in their copies; answers how many. */
  requeuePages(pages: ReadonlySet<Fingerprint>, why: string, now: number): number;
  urlsLost(): Iterable<LostUrl>;
  isVisited(fp: Fingerprint): boolean;
  /** Every URL that the state has heard of. Undefined where its log of them is whole: then none is missing from it. */
  knownUrls(): { has(fp: Fingerprint): boolean } | undefined;
  depthOf(url: CanonicalUrl): number | undefined;
  redirects(): Iterable<KnownRedirect>;
  queueFoundUrls(found: readonly FoundUrl[], now: number): void;
  /** The next start judges these as it does links when the rules have changed; until then they count as refused. */
  judgeAgain(tasks: readonly CrawlTask[], now: number): void;
  /** Writes the log of known URLs again, without those that were found nowhere. */
  restoreKnownUrls(lost: ReadonlySet<Fingerprint>): void;
  commit(): void;
  /** What is still wrong. */
  check(): FolderProblem[];
}
