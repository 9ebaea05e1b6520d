import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { reportOfAsked } from '../arguments/asked-url.ts';
import { time } from '../commands/status.ts';
import { writeText } from './write-text.ts';

/** Lists the copies of a URL in time. */
export async function listVersions(asked: string, folder: string, json: boolean): Promise<void> {
  using reader = new CrawlReader(folder);
  const { url } = await reportOfAsked(reader, asked);
  const versions = await reader.versions(url);
  if (versions.length === 0) {
    throw new OrbweaverError('URL_NOT_FOUND', `No copy of ${url} is stored in ${folder}.`, {
      remedy: `To see why: orbweaver explain ${shellWord(url)} --dir ${shellWord(folder)}`,
    });
  }
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
