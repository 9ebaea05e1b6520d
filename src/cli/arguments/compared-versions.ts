import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { CrawlReader, PageVersion } from '../../crawl/report/crawl-reader.ts';
import { notStored } from '../../crawl/report/not-stored.ts';

export interface ComparedTimes {
  readonly url: string;
  readonly crawl: Pick<CrawlReader, 'name' | 'flag'>;
  /** As typed, in ms; without the second: up to the newest copy; without both: the last change. */
  readonly from?: number;
  readonly to?: number;
}

/** The two copies that are meant; undefined without times: then it is the last change, wherever that was. */
export function comparedVersions(
  versions: readonly PageVersion[],
  { url, crawl, from, to }: ComparedTimes,
): readonly [PageVersion, PageVersion] | undefined {
  if (versions.length === 0) throw notStored(url, crawl);
  if (versions.length === 1) {
    throw new OrbweaverError('ONE_VERSION', `Only one copy of ${url} is stored, of ${written(versions[0].date)}.`, {
      remedy: `A page gets further copies when it is visited again: orbweaver crawl --continuous ${crawl.flag}`,
    });
  }
  if (from === undefined) return undefined;
  const older = nearest(versions, from);
  const newer = to === undefined ? versions[versions.length - 1] : nearest(versions, to);
  if (older !== newer) return [older, newer];
  throw new OrbweaverError('ONE_VERSION', `Both times are nearest to the copy of ${written(older.date)}.`, {
    remedy: `The times of all copies: orbweaver versions ${shellWord(url)} ${crawl.flag}`,
  });
}

function nearest(versions: readonly PageVersion[], at: number): PageVersion {
  return versions.reduce((best, version) => (Math.abs(version.date - at) < Math.abs(best.date - at) ? version : best));
}

function written(date: number): string {
  return new Date(date).toISOString();
}
