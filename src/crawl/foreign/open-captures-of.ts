import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { ForeignFileReport } from '../../contracts/foreign-capture.ts';
import { hasCaptures, openCaptures } from '../../engines/open-captures.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import type { RunRecord } from '../report/run-record.ts';
import { keptBytes } from './archive-network.ts';
import { ImportRun, refuseImportInto } from './import-run.ts';
import { type LookingThrough, lookThrough } from './look-through.ts';
import { isReplay } from './replay-settings.ts';

/** Who wants the pages of archives, and to hear of them. */
export interface ArchiveSource {
  /** Every page of theirs becomes a page of the folder; else a crawl is answered from them. */
  readonly importing?: boolean;
  readonly onProgress?: (progress: LookingThrough) => void;
  /** Once they were looked through. */
  readonly onReports?: (reports: readonly ForeignFileReport[]) => void;
  readonly signal?: AbortSignal;
}

export interface CapturesToOpen {
  readonly folder: string;
  readonly settings: Settings;
  readonly urlOptions: UrlOptions;
  readonly clock: Clock;
  readonly before: RunRecord | undefined;
  readonly source: ArchiveSource;
}

export interface OpenedCaptures extends Disposable {
  readonly importing?: ImportRun;
  readonly notices: readonly string[];
}

const NOTHING: OpenedCaptures = { notices: [], [Symbol.dispose]: () => {} };
const NOW_LIVE =
  'The pages of this folder came from archives. This run asks the network; to be answered from archives again, name them with --from-warc.';

/** Looks the archives through that the settings name, before anything is asked of them. */
export async function openCapturesOf(toOpen: CapturesToOpen): Promise<OpenedCaptures> {
  const { folder, settings, urlOptions, clock, before, source } = toOpen;
  if (!isReplay(settings)) return hasCaptures(folder) ? { ...NOTHING, notices: [NOW_LIVE] } : NOTHING;
  const { importing = false, onProgress, onReports, signal } = source;
  if (importing) refuseImportInto(before, folder);
  const captures = openCaptures(folder);
  try {
    const reports = await lookThrough(settings.fromWarc, {
      ...{ captures, folder, urlOptions, keep: keptBytes(settings) },
      ...(onProgress && { onProgress }),
      ...(signal && { signal }),
    });
    onReports?.(reports);
  } catch (error) {
    captures[Symbol.dispose]();
    throw error;
  }
  return {
    ...(importing ? { importing: new ImportRun(captures, clock) } : {}),
    notices: [],
    [Symbol.dispose]: () => captures[Symbol.dispose](),
  };
}
