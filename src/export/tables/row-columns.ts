import type { ExportRow } from '../../contracts/export.ts';
import type { TableColumn } from './table-column.ts';

/** Rows of extraction rules. The fields of each set differ: here they are one JSON object; `orbweaver rows SET --csv` has a column for each. */
export const ROW_COLUMNS: readonly TableColumn<ExportRow>[] = [
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
  {
    name: 'fields',
    type: 'text',
    meaning: 'its fields, as a JSON object',
    value: ({ fields }) => JSON.stringify(fields),
  },
];
