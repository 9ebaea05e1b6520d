import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { Fetcher } from '../../contracts/fetcher.ts';
import { SizeCaps } from '../../fetch/body/size-caps.ts';
import { FileFetcher } from '../../files/file-fetcher.ts';
import { FileRules } from '../../files/file-rules.ts';
import { rootsOf } from '../../seeds/folder-seeds.ts';
import { fileTypeOf } from './file-type.ts';

export type FilesSettings = Pick<Settings, 'filesExclude' | 'filesGitignore' | 'filesHidden' | 'filesSafe'>;

/** Ignore files are read again after so long. */
const RULES_LAST_MS = 1000;

/** The rules of a crawl, by its seeds and settings. */
export function fileRulesOf(settings: FilesSettings, seeds: readonly string[], crawlFolder: string): FileRules {
  return new FileRules({
    roots: rootsOf(seeds),
    exclude: settings.filesExclude,
    gitignore: settings.filesGitignore,
    hidden: settings.filesHidden,
    safe: settings.filesSafe,
    crawlFolder: realFolder(crawlFolder),
  });
}

export interface FileFetcherSources {
  readonly settings: Settings;
  /** The crawl folder. */
  readonly folder: string;
  readonly clock: Clock;
  /** As they are now. */
  readonly seeds: () => readonly string[];
  /** Which files count, as it is now; as the settings say where absent. */
  readonly filesSettings?: () => FilesSettings;
}

export function openFileFetcher(sources: FileFetcherSources): Fetcher {
  const { settings, folder, clock, seeds, filesSettings = () => settings } = sources;
  const caps = new SizeCaps(settings.maxBody, settings.maxBodyByType);
  let rules: FileRules | undefined;
  let madeAt = 0;
  return new FileFetcher({
    clock,
    typeOf: fileTypeOf,
    maxBytes: (mediaType) => caps.capFor(mediaType),
    quietMs: settings.filesQuiet,
    rules: () => {
      const now = performance.now();
      if (rules === undefined || now - madeAt >= RULES_LAST_MS) {
        rules = fileRulesOf(filesSettings(), seeds(), folder);
        madeAt = now;
      }
      return rules;
    },
  });
}

function realFolder(folder: string): string {
  try {
    return realpathSync(resolve(folder));
  } catch {
    return resolve(folder);
  }
}
