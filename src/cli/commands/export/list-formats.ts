import { EXPORT_FORMATS } from '../../../export/export-formats.ts';

/** What `export list` prints. */
export async function listFormats(): Promise<string> {
  const formats = await Promise.all(EXPORT_FORMATS.map(async (entry) => ({ entry, format: await entry.load() })));
  const lines = formats.map(({ entry: { name, meaning }, format }) => {
    const options = format.options.map((option) => ` --${option}`).join('');
    return `  ${name.padEnd(12)} ${meaning}${format.target === 'folder' ? ' (a folder)' : ''}${options === '' ? '' : `;${options}`}\n`;
  });
  return `Formats:\n${lines.join('')}`;
}
