import { OrbweaverError } from '../base/errors.ts';
import type { PageVersion } from '../crawl/crawl-reader.ts';

export interface ComparedTimes {
  readonly url: string;
  readonly folder: string;
  /** As typed, in ms; without the second: up to the newest copy; without both: the last change. */
  readonly from?: number;
  readonly to?: number;
}

/**
 * The two copies that are meant. A visit that found the page as it was is no version of its own, and neither is an error page:
 * without times the last two that differ are compared.
 */
export function comparedVersions(
  versions: readonly PageVersion[],
  { url, folder, from, to }: ComparedTimes,
): readonly [PageVersion, PageVersion] {
  if (versions.length === 0) {
    throw new OrbweaverError('URL_NOT_FOUND', `No copy of ${url} is stored in ${folder}.`, {
      remedy: `To see why: orbweaver explain ${url} --dir ${folder}`,
    });
  }
  if (versions.length === 1) {
    throw new OrbweaverError('ONE_VERSION', `Only one copy of ${url} is stored, of ${written(versions[0].date)}.`, {
      remedy: `A page gets further copies when it is visited again: orbweaver crawl --continuous --dir ${folder}`,
    });
  }
  if (from !== undefined) {
    const older = nearest(versions, from);
    const newer = to === undefined ? versions[versions.length - 1] : nearest(versions, to);
    if (older !== newer) return [older, newer];
    throw new OrbweaverError('ONE_VERSION', `Both times are nearest to the copy of ${written(older.date)}.`, {
      remedy: `The times of all copies: orbweaver versions ${url} --dir ${folder}`,
    });
  }
  const pages = versions.filter(({ status, revisit }) => status < 300 || (revisit && status === 304));
  const usable = pages.length > 1 ? pages : versions;
  const found = usable.findLastIndex(({ changed }) => changed === 'changed');
  const newer = found > 0 ? found : usable.length - 1;
  return [usable[newer - 1], usable[newer]];
}

function nearest(versions: readonly PageVersion[], at: number): PageVersion {
  return versions.reduce((best, version) => (Math.abs(version.date - at) < Math.abs(best.date - at) ? version : best));
}

function written(date: number): string {
  return new Date(date).toISOString();
}
