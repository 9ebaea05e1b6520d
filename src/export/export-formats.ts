import { OrbweaverError } from '../base/errors.ts';
import type { ExportEntry } from '../contracts/export.ts';

/** Every format, in the order of the list. Each is loaded when it is asked for. */
export const EXPORT_FORMATS: readonly ExportEntry[] = [
  {
    name: 'warc',
    meaning: 'records of the pages as a WARC file, byte for byte',
    extension: 'warc.gz',
    load: async () => (await import('./archive/warc-format.ts')).warcFormat,
  },
  {
    name: 'cdxj',
    meaning: 'index of the archive, sorted, in one file',
    extension: 'cdxj',
    load: async () => (await import('./archive/cdxj-format.ts')).cdxjFormat,
  },
  {
    name: 'wacz',
    meaning: 'web archive that replays in a browser, with pages and texts',
    extension: 'wacz',
    load: async () => (await import('./wacz/wacz-format.ts')).waczFormat,
  },
  {
    name: 'trec-web',
    meaning: 'documents for the tools of TREC',
    extension: 'trec',
    load: async () => (await import('./trec/trec-format.ts')).trecFormat,
  },
  {
    name: 'markdown',
    meaning: 'a Markdown file with front matter for each page',
    extension: '',
    load: async () => (await import('./markdown/markdown-format.ts')).markdownFormat,
  },
  {
    name: 'ciff',
    meaning: 'search index in the Common Index File Format',
    extension: 'ciff',
    load: async () => (await import('./ciff/ciff-format.ts')).ciffFormat,
  },
  {
    name: 'site-search',
    meaning: 'search page for static hosting, which needs no server code',
    extension: '',
    load: async () => (await import('./site-search/site-search-format.ts')).siteSearchFormat,
  },
];

export function exportEntry(name: string): ExportEntry {
  const entry = EXPORT_FORMATS.find((known) => known.name === name);
  if (entry !== undefined) return entry;
  throw new OrbweaverError('USAGE', `There is no export format ${JSON.stringify(name)}.`, {
    remedy: `The formats are: ${EXPORT_FORMATS.map((known) => known.name).join(', ')}; orbweaver export list explains them.`,
  });
}
