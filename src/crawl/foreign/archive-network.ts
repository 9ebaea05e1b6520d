import { ArchiveSet } from '../../archive/archive-set.ts';
import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { openCapturesReader } from '../../engines/open-captures.ts';
import { SizeCaps } from '../../fetch/body/size-caps.ts';
import { archiveFolder } from '../crawl-folder.ts';
import { urlOptionsOf } from '../settings-to-parts.ts';
import { ArchiveFetcher } from './archive-fetcher.ts';

/** Room for the heads of a record and of the answer in it. */
const HEADS = 1024 * 1024;

/** Of longer records no more is read. */
export function keptBytes({ maxBody, maxBodyByType }: Pick<Settings, 'maxBody' | 'maxBodyByType'>): number {
  return Math.max(maxBody, ...Object.values(maxBodyByType)) + HEADS;
}

/** The network of a crawl that is answered from archives: it leads nowhere. */
export function openArchiveNetwork(folder: string, settings: Settings, clock: Clock) {
  const captures = openCapturesReader(folder);
  const fetcher = new ArchiveFetcher({
    ...{ captures, clock, maxRatio: settings.decodeMaxRatio, keep: keptBytes(settings) },
    urlOptions: urlOptionsOf(settings),
    held: new ArchiveSet([archiveFolder(folder)], {
      writerId: 'reader',
      clock,
      software: '',
      userAgent: '',
      robots: '',
    }),
    caps: new SizeCaps(settings.maxBody, settings.maxBodyByType),
  });
  return {
    fetcher,
    /** Hosts need none. */
    addressOf: async (): Promise<string> => '',
    /** Whether the archives hold its first page. */
    async tryConnection(origin: string): Promise<'connect-failed' | undefined> {
      return captures.of(`${origin}/` as CanonicalUrl).length > 0 ? undefined : 'connect-failed';
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await fetcher.close();
    },
  };
}
