import { formatReport } from '../../crawl/report/format-report.ts';
import { type AskedCrawl, openAskedCrawl } from '../arguments/asked-crawl.ts';
import { reportOfAsked } from '../arguments/asked-url.ts';
import { writeText } from '../output/write-text.ts';

export async function explain(url: string, crawl: AskedCrawl, json: boolean): Promise<void> {
  using reader = await openAskedCrawl(crawl, 'urls');
  const report = await reportOfAsked(reader, url);
  writeText(json ? `${JSON.stringify(report)}\n` : `${formatReport(report).join('\n')}\n`);
  if (report.page === undefined) process.exitCode = 5;
}
