import { notStored } from '../../crawl/report/not-stored.ts';
import { type AskedCrawl, openAskedCrawl } from '../arguments/asked-crawl.ts';
import { reportOfAsked } from '../arguments/asked-url.ts';
import { time } from '../commands/status.ts';
import { writeText } from './write-text.ts';

/** Lists the copies of a URL in time. */
export async function listVersions(asked: string, crawl: AskedCrawl, json: boolean): Promise<void> {
  using reader = await openAskedCrawl(crawl, 'urls');
  const { url } = await reportOfAsked(reader, asked);
  const versions = await reader.versions(url);
  if (versions.length === 0) throw notStored(url, reader);
  for (const version of versions) {
    const { date, status, mediaType, revisit, changed, digest, length, file, offset } = version;
    if (json) {
      const line = { url, date: new Date(date).toISOString(), status, mediaType, revisit, changed, digest, length };
      process.stdout.write(`${JSON.stringify({ ...line, file, offset })}\n`);
      continue;
    }
    const kind = revisit ? 'revisit' : mediaType || 'unknown type';
    writeText(`${time(date)}  HTTP ${status}  ${kind}  ${length} bytes in ${file}  ${changed}\n`);
  }
}
