import type { ExportPage } from '../../contracts/export.ts';
import { extractPage } from '../../extract/extract-page.ts';
import { pageFolder } from '../page-folder.ts';
import { pageMarkup } from '../page-markup.ts';
import { closeEmptyTags } from './close-empty-tags.ts';
import { withBase } from './with-base.ts';

/** A folder with an HTML file for each page, as the spiders of the textbooks keep them: in UTF-8, with a BASE that its links count from. */
export const htmlFormat = pageFolder('.html', htmlOf);

async function htmlOf(page: ExportPage): Promise<string | undefined> {
  const document = await page.document();
  if (document === undefined) return undefined;
  const { html, isMade, isXhtml } = await pageMarkup(page, document);
  const base = isMade ? page.url : extractPage(html, { url: document.address ?? page.url, xhtml: isXhtml }).base;
  return withBase(isXhtml ? closeEmptyTags(html) : html, base);
}
