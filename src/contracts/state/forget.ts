import type { Fingerprint } from '../../base/fingerprint.ts';
import type { ForgottenPages } from '../forgotten.ts';
import type { Notes } from './notes.ts';
import type { SettledBytes } from './state-reader.ts';

export interface PagesToForget {
  readonly matches: (url: string) => boolean;
  /** Whether the record at a place in the archive is erased, or cannot be read without one that is. */
  readonly isErased: (file: string, offset: number) => boolean;
  /** The page of a batch of links that are not judged yet. */
  readonly batchPage: (links: Uint8Array) => string;
  /** Records go from the archive: the deletion is kept even where no row matches. */
  readonly hasRecords: boolean;
  readonly now: number;
  /** Pages of other partitions that are forgotten with these: links of theirs led here. */
  readonly elsewhere?: ReadonlySet<Fingerprint>;
}

export interface ForgottenRows {
  /** Visited URLs. */
  readonly pages: number;
  /** URLs that were waiting, or refused before they were visited. */
  readonly others: number;
  /** Pages that are not forgotten, but whose copy was that of a forgotten page; they are fetched again. */
  readonly requeued: number;
}

/** What a deletion would take from a state. Changes nothing. */
export interface ForgetPreview extends Pick<Notes, 'read'>, Disposable {
  archiveFiles(): Map<string, SettledBytes>;
  pagesToForget(matches: (url: string) => boolean): Iterable<string>;
  /** URLs that are waiting, or were refused before they were visited. */
  othersToForget(matches: (url: string) => boolean): number;
}

/** A state from which pages are deleted. The caller holds the lock of the folder. */
export interface ForgettingState extends Notes, Disposable {
  archiveFiles(): Map<string, SettledBytes>;
  /** One transaction, `forgotten` in it. Undefined where nothing matches: then nothing is changed. */
  forget(pages: PagesToForget, forgotten: ForgottenPages): ForgottenRows | undefined;
  /** Once archive and index have followed: erases the deleted rows and records what is left of the archive files. */
  complete(files: ReadonlyMap<string, SettledBytes | undefined>, forgotten: ForgottenPages): void;
}
