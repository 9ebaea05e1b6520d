import type { ExportEntry } from '../contracts/export.ts';

/** Formats that hold pages as they are, their texts, or the index over them. */
export const ARCHIVE_FORMATS: readonly ExportEntry[] = [
  {
    ...{ name: 'warc', extension: 'warc.gz', meaning: 'the records of pages in a WARC file, byte for byte' },
    load: async () => (await import('./archive/warc-format.ts')).warcFormat,
  },
  {
    ...{ name: 'cdxj', extension: 'cdxj', meaning: 'the index of the archive, sorted' },
    load: async () => (await import('./archive/cdxj-format.ts')).cdxjFormat,
  },
  {
    ...{ name: 'wacz', extension: 'wacz', meaning: 'a web archive that replays in a browser, with pages and texts' },
    load: async () => (await import('./wacz/wacz-format.ts')).waczFormat,
  },
  {
    ...{ name: 'trec-web', extension: 'trec', meaning: 'documents for the tools of TREC' },
    load: async () => (await import('./trec/trec-format.ts')).trecFormat,
  },
  {
    ...{ name: 'html', extension: '', meaning: 'an HTML file with its BASE for each page' },
    load: async () => (await import('./html/html-format.ts')).htmlFormat,
  },
  {
    ...{ name: 'markdown', extension: '', meaning: 'a Markdown file with front matter for each page' },
    load: async () => (await import('./markdown/markdown-format.ts')).markdownFormat,
  },
  {
    ...{ name: 'ciff', extension: 'ciff', meaning: 'the search index for Anserini, PISA, Terrier and others' },
    load: async () => (await import('./ciff/ciff-format.ts')).ciffFormat,
  },
  {
    ...{ name: 'site-search', extension: '', meaning: 'a search page for static hosting' },
    load: async () => (await import('./site-search/site-search-format.ts')).siteSearchFormat,
  },
];
