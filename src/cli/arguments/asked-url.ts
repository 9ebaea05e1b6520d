import { OrbweaverError } from '../../base/errors.ts';
import type { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import type { UrlReport } from '../../crawl/report/url-report.ts';
import { completeSeed } from '../../seeds/seed-text.ts';

/** The report of a URL as typed. Without a scheme it is http or https, whichever the crawl knows. */
export async function reportOfAsked(reader: CrawlReader, asked: string): Promise<UrlReport> {
  const text = asked.trim();
  const completed = completeSeed(text, reader.schemes, 'known');
  if ('wrong' in completed) {
    throw new OrbweaverError('INPUT_INVALID', `${JSON.stringify(asked)} is not a URL of a page: ${completed.wrong}.`, {
      remedy: 'Write it as https://example.org/page; characters that are no part of a URL as %20 and the like.',
    });
  }
  const report = await reader.explain(completed.url);
  if (report.page !== undefined || /^[a-z][a-z0-9+.-]*:\//i.test(text)) return { ...report, asked };
  const other = await reader.explain(
    completed.url.replace(/^https?/, (scheme) => (scheme === 'https' ? 'http' : 'https')),
  );
  return { ...(other.page === undefined ? report : other), asked };
}
