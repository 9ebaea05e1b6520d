import type { ArchivedDocument } from '../../contracts/archive.ts';
import type {
  ExportJob,
  ExportOutput,
  ExportPage,
  ExportSource,
  ExportSummary,
  StreamFormat,
} from '../../contracts/export.ts';
import { charsetOf, decode } from '../../convert/charset.ts';
import { mediaTypeOf } from '../../convert/media-type.ts';
import { readablePages } from '../page-parts.ts';
import { trecDocument } from './trec-document.ts';

/** Documents for the tools of TREC: `<DOC>`, `<DOCNO>`, `<DOCHDR>`, then the page in UTF-8. */
export const trecFormat: StreamFormat = {
  target: 'stream',
  isCompressible: true,
  options: [],
  write: writeTrec,
};

async function writeTrec(source: ExportSource, output: ExportOutput, job: ExportJob): Promise<ExportSummary> {
  let rows = job.from?.rows ?? 0;
  let missing = 0;
  const { limit = Number.POSITIVE_INFINITY } = source.filter;
  for await (const page of readablePages(source, job.from)) {
    if (rows >= limit) break;
    const document = await page.document();
    if (document === undefined) missing++;
    else {
      const { url, date, statusLine, rawHeaders } = document;
      const address = page.facts.address === undefined ? {} : { address: page.facts.address };
      const html = await htmlOf(page, document);
      await output.write(trecDocument({ url, date, statusLine, rawHeaders, html, ...address }));
      rows++;
    }
    job.progress(rows);
    if (output.isDue) await output.checkpoint({ cursor: page.cursor, rows });
  }
  if (missing > 0) job.notice(`${missing} pages are left out: their copies could not be read.`);
  return { rows };
}

/** The page itself, in Unicode; of a document of another kind its title and its text. */
async function htmlOf(page: ExportPage, { body, url, rawHeaders }: ArchivedDocument): Promise<string> {
  const type = rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type');
  const media = mediaTypeOf(type === -1 ? undefined : rawHeaders[type + 1], body, url);
  if (media.isHtml) {
    const label = media.charset === undefined ? {} : { label: media.charset };
    return decode(body, charsetOf(body, { xml: media.isXml, ...label }).encoding);
  }
  const title = page.facts.about?.title ?? page.facts.title ?? '';
  const text = (await page.text()) ?? '';
  return `<html><head><title>${escaped(title)}</title></head><body><pre>\n${escaped(text)}\n</pre></body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
