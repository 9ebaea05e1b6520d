import { EXPORT_FORMATS } from '../../../export/export-formats.ts';
import { EXPORT_TABLES } from '../../../export/tables/export-tables.ts';

/** What `export list` prints: formats, tables, and the columns of each. */
export async function listFormats(): Promise<string> {
  const formats = await Promise.all(EXPORT_FORMATS.map(async (entry) => ({ entry, format: await entry.load() })));
  const lines = formats.map(({ entry: { name, meaning }, format }) => {
    const options = format.options.map((option) => ` --${option}`).join('');
    const takes = options === '' ? '' : `; takes${options}`;
    return `  ${name.padEnd(12)} ${meaning}${format.target === 'folder' ? ' (a folder)' : ''}${takes}\n`;
  });
  const tables = EXPORT_TABLES.map(({ name, meaning, columns }) => {
    const listed = columns.map(({ name: column, meaning: means, onRequest }) => {
      const only = onRequest === true ? ' (only where --columns names it)' : '';
      return `    ${column.padEnd(14)} ${means}${only}\n`;
    });
    return `  ${name.padEnd(12)} ${meaning}\n${listed.join('')}`;
  });
  return `Formats:\n${lines.join('')}Tables of csv, jsonl and parquet, with their columns:\n${tables.join('')}`;
}
