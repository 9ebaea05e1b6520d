import type { ExportVersion } from '../../contracts/export.ts';
import type { TableColumn } from './table-column.ts';

/** One row for each copy: the cells of one URL at one time. */
export const VERSION_COLUMNS: readonly TableColumn<ExportVersion>[] = [
  { name: 'row', type: 'text', meaning: 'the URL as a row key, host reversed: com.example.www/page', value: rowKey },
  { name: 'url', type: 'text', meaning: 'the canonical URL', value: ({ url }) => url },
  { name: 'host', type: 'text', meaning: 'its host', value: ({ host }) => host },
  { name: 'timestamp', type: 'time', meaning: 'when the copy was asked for', value: ({ date }) => date },
  { name: 'version', type: 'int', meaning: '1 for the first copy of the URL', value: ({ number }) => number },
  {
    name: 'changed',
    type: 'text',
    meaning: 'against the copy before: first, same or changed',
    value: ({ changed }) => changed,
  },
  { name: 'status', type: 'int', meaning: 'HTTP status', value: ({ status }) => status },
  { name: 'mediaType', type: 'text', meaning: 'media type', value: ({ mediaType }) => mediaType },
  { name: 'digest', type: 'text', meaning: 'SHA-1 of the body as received, base32', value: ({ digest }) => digest },
  {
    ...{ name: 'revisit', type: 'flag', meaning: 'the body was held already: the record refers to it' },
    value: ({ revisit }) => revisit,
  },
  { name: 'warcFile', type: 'text', meaning: 'file of the archive that holds it', value: ({ file }) => file },
  { name: 'warcOffset', type: 'long', meaning: 'where its record begins', value: ({ offset }) => offset },
  { name: 'warcLength', type: 'long', meaning: 'length of its record', value: ({ length }) => length },
  {
    ...{ name: 'text', type: 'text', meaning: 'the main text of this copy', onRequest: true },
    value: (version) => version.text(),
  },
];

/** A cell of the same as a table of single values: family and column name it, the timestamp tells its version. */
export interface VersionCell {
  readonly version: ExportVersion;
  readonly family: string;
  readonly column: string;
  readonly value: string;
}

export const CELL_COLUMNS: readonly TableColumn<VersionCell>[] = [
  {
    name: 'row',
    type: 'text',
    meaning: 'the URL as a row key, host reversed',
    value: ({ version }) => rowKey(version),
  },
  { name: 'url', type: 'text', meaning: 'the canonical URL', value: ({ version }) => version.url },
  { name: 'family', type: 'text', meaning: 'column family: http, content or archive', value: ({ family }) => family },
  { name: 'column', type: 'text', meaning: 'column in the family', value: ({ column }) => column },
  { name: 'timestamp', type: 'time', meaning: 'when the copy was asked for', value: ({ version }) => version.date },
  { name: 'value', type: 'text', meaning: 'the value', value: ({ value }) => value },
];

/** The cells of a copy, without what is not known of it. */
export function* cellsOf(version: ExportVersion): Generator<VersionCell> {
  const { status, mediaType, digest, file, offset, length, changed } = version;
  const cells: readonly (readonly [family: string, column: string, value: string | undefined])[] = [
    ['http', 'status', String(status)],
    ['http', 'mediaType', mediaType],
    ['content', 'digest', digest],
    ['content', 'changed', changed],
    ['archive', 'record', `${file}:${offset}+${length}`],
  ];
  for (const [family, column, value] of cells) if (value !== undefined) yield { version, family, column, value };
}

/** Pages of a host, and hosts of a domain, lie together in a table that is sorted by it. */
export function rowKey({ url, host }: Pick<ExportVersion, 'url' | 'host'>): string {
  const [, scheme, rest] = /^([a-z][a-z\d+.-]*):\/\/[^/]*(.*)$/i.exec(url) ?? [];
  if (scheme === undefined) return url;
  const [, name = host, port = ''] = /^(.*?)(:\d+)?$/.exec(host) ?? [];
  // An address is read from left to right.
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name);
  return `${isAddress ? name : name.split('.').reverse().join('.')}${port}${rest}`;
}
