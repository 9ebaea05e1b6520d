import type { ShippedArchive } from '../../archive/shipping/shipped-captures.ts';
import type { StateReader } from '../../contracts/state/state-reader.ts';
import type { LearnedStateSnapshot } from '../learning/learned-state.ts';
import type { RunRecord } from './run-record.ts';

/** A crawl whose state and archives do not lie in one folder. */
export interface CrawlSource {
  /** For people. */
  readonly name: string;
  /** By which flag other commands read it. */
  readonly flag: string;
  readonly state: StateReader;
  readonly run: RunRecord | undefined;
  /** What was learnt, where the state does not have it. */
  readonly learnedState?: () => LearnedStateSnapshot | undefined;
  /** Folders with an archive each. */
  readonly folders: readonly string[];
  /** Who has an archive file that is in none of them. */
  readonly whoHas?: (file: string) => string;
  /** What was shipped of the crawl. */
  readonly shipped?: ShippedArchive;
  /** Closes what was opened for the above. */
  readonly close?: () => void;
}
