import type { FieldRule, FieldType, FieldValue } from '../../contracts/content/extraction-rules.ts';
import type { ExportOptions, ExportRow } from '../../contracts/export.ts';
import type { CellValue, ColumnType, TableColumn } from './table-column.ts';

const ABOUT_COLUMNS: readonly TableColumn<ExportRow>[] = [
  { name: 'set', type: 'text', meaning: 'name of the set of rules', value: ({ set }) => set },
  { name: 'url', type: 'text', meaning: 'the page it was read from', value: ({ url }) => url },
  { name: 'time', type: 'time', meaning: 'when the page was last read', value: ({ at }) => at },
  { name: 'firstSeen', type: 'time', meaning: 'when the row was first there', value: ({ firstSeen }) => firstSeen },
  {
    name: 'changedAt',
    type: 'time',
    meaning: 'when one of its fields last changed',
    value: ({ changedAt }) => changedAt,
  },
  {
    name: 'goneAt',
    type: 'time',
    meaning: 'since when it is gone; empty where it is there',
    value: ({ goneAt }) => goneAt,
  },
];

/** Rows of all sets. Their fields differ: they are one JSON object. */
export const ROW_COLUMNS: readonly TableColumn<ExportRow>[] = [
  ...ABOUT_COLUMNS,
  {
    name: 'fields',
    type: 'text',
    meaning: 'its fields, as a JSON object',
    value: ({ fields }) => JSON.stringify(fields),
  },
];

/** Rows of one set, with a typed column for each of its fields. */
export function columnsOfSet({ fields }: NonNullable<ExportOptions['set']>): readonly TableColumn<ExportRow>[] {
  return [...ABOUT_COLUMNS, ...fields.map(fieldColumn)];
}

const TYPE_OF: Readonly<Record<FieldType, ColumnType>> = {
  ...{ text: 'text', number: 'real', integer: 'long', date: 'text', boolean: 'flag', url: 'text' },
};

/** To many readers of tables, names that differ in case alone are the same. */
function fieldColumn({ name, type, many }: FieldRule): TableColumn<ExportRow> {
  const isTaken = ABOUT_COLUMNS.some((column) => column.name.toLowerCase() === name.toLowerCase());
  return {
    ...{ name: isTaken ? `fields.${name}` : name, type: many ? 'texts' : TYPE_OF[type], meaning: 'a field of the set' },
    value: ({ fields }) => cellOf(fields[name], many),
  };
}

/** Rows that were read by earlier rules may hold a list where there is none now, or none where there is one. */
function cellOf(value: FieldValue | undefined, many: boolean): CellValue {
  if (value === null || value === undefined) return undefined;
  const values = typeof value === 'object' ? value : [value];
  return many ? values.map(String) : values[0];
}
