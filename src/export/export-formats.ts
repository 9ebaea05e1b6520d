import { OrbweaverError } from '../base/errors.ts';
import type { ExportEntry } from '../contracts/export.ts';
import { ARCHIVE_FORMATS } from './archive-formats.ts';

/** Every format, in the order of the list. Each is loaded when it is asked for. */
export const EXPORT_FORMATS: readonly ExportEntry[] = [
  {
    ...{ name: 'csv', extension: 'csv', meaning: 'a table with the names of the columns in its first line' },
    load: async () => (await import('./tables/line-format.ts')).csvFormat,
  },
  {
    ...{ name: 'jsonl', extension: 'jsonl', meaning: 'a table with a JSON object on each line' },
    load: async () => (await import('./tables/line-format.ts')).jsonlFormat,
  },
  {
    ...{ name: 'parquet', extension: 'parquet', meaning: 'a typed table for DuckDB, pandas, Spark and others' },
    load: async () => (await import('./tables/parquet-format.ts')).parquetFormat,
  },
  {
    ...{ name: 'edges', extension: 'tsv', meaning: 'links as an edge list: source, target, nofollow, text' },
    load: async () => (await import('./graph/edge-list.ts')).edgeListFormat,
  },
  {
    ...{ name: 'graphml', extension: 'graphml', meaning: 'the link graph for Gephi, NetworkX, igraph and others' },
    load: async () => (await import('./graph/graphml-format.ts')).graphmlFormat,
  },
  {
    ...{ name: 'webgraph', extension: '', meaning: 'the link graph as WebGraph reads it (ASCIIGraph), with its URLs' },
    load: async () => (await import('./graph/webgraph-format.ts')).webgraphFormat,
  },
  {
    ...{ name: 'sitemap', extension: '', meaning: 'sitemap.xml of one site' },
    load: async () => (await import('./site/sitemap-format.ts')).sitemapFormat,
  },
  {
    ...{ name: 'llms.txt', extension: 'txt', meaning: 'llms.txt of one site: its pages with titles and descriptions' },
    load: async () => (await import('./site/llms-format.ts')).llmsFormat,
  },
  ...ARCHIVE_FORMATS,
];

export function exportEntry(name: string): ExportEntry {
  const entry = EXPORT_FORMATS.find((known) => known.name === name);
  if (entry !== undefined) return entry;
  throw new OrbweaverError('USAGE', `There is no export format ${JSON.stringify(name)}.`, {
    remedy: `The formats are: ${EXPORT_FORMATS.map((known) => known.name).join(', ')}; orbweaver export list explains them.`,
  });
}
