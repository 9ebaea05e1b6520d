import type { StreamFormat } from '../../contracts/export.ts';
import { eachPage } from '../each-page.ts';
import { pageMarkup } from '../page-markup.ts';
import { trecDocument } from './trec-document.ts';

/** Documents for the tools of TREC: `<DOC>`, `<DOCNO>`, `<DOCHDR>`, then the page in UTF-8. */
export const trecFormat: StreamFormat = {
  target: 'stream',
  isCompressible: true,
  options: [],
  write: (source, output, job) =>
    eachPage(source, output, job, async (page) => {
      const document = await page.document();
      if (document === undefined) return false;
      const { url, date, statusLine, rawHeaders } = document;
      const address = page.facts.address === undefined ? {} : { address: page.facts.address };
      const { html } = await pageMarkup(page, document);
      await output.write(trecDocument({ url, date, statusLine, rawHeaders, html, ...address }));
      return true;
    }),
};
