import type { ExportJob, ExportOutput, ExportSource, ExportSummary, StreamFormat } from '../../contracts/export.ts';
import { pageMarkup } from '../page-markup.ts';
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
      const { html } = await pageMarkup(page, document);
      await output.write(trecDocument({ url, date, statusLine, rawHeaders, html, ...address }));
      rows++;
    }
    job.progress(rows);
    if (output.isDue) await output.checkpoint({ cursor: page.cursor, rows });
  }
  if (missing > 0) job.notice(`${missing} pages are left out: their copies could not be read.`);
  return { rows };
}
