import type {
  ExportFolder,
  ExportJob,
  ExportPage,
  ExportSource,
  ExportSummary,
  FolderFormat,
} from '../../contracts/export.ts';
import { extractPage } from '../../extract/extract-page.ts';
import { pageMarkup } from '../page-markup.ts';
import { readablePages } from '../page-parts.ts';
import { pagePath } from '../page-path.ts';
import { closeEmptyTags } from './close-empty-tags.ts';
import { withBase } from './with-base.ts';

/** A folder with an HTML file for each page, as the spiders of the textbooks keep them: in UTF-8, with a BASE that its links count from. */
export const htmlFormat: FolderFormat = {
  target: 'folder',
  options: [],
  write: writeHtml,
};

async function writeHtml(source: ExportSource, folder: ExportFolder, job: ExportJob): Promise<ExportSummary> {
  let rows = job.from?.rows ?? 0;
  let missing = 0;
  const { limit = Number.POSITIVE_INFINITY } = source.filter;
  for await (const page of readablePages(source, job.from)) {
    if (rows >= limit) break;
    const html = await htmlOf(page);
    if (html === undefined) missing++;
    else {
      const file = await folder.file(pagePath(page.url, '.html'));
      await file.write(html.toWellFormed());
      await file.close();
      rows++;
    }
    job.progress(rows);
    if (folder.isDue) await folder.checkpoint({ cursor: page.cursor, rows });
  }
  if (missing > 0) job.notice(`${missing} pages are left out: their copies could not be read.`);
  return { rows };
}

async function htmlOf(page: ExportPage): Promise<string | undefined> {
  const document = await page.document();
  if (document === undefined) return undefined;
  const { html, isMade, isXhtml } = await pageMarkup(page, document);
  const base = isMade ? page.url : extractPage(html, { url: document.address ?? page.url, xhtml: isXhtml }).base;
  return withBase(isXhtml ? closeEmptyTags(html) : html, base);
}
