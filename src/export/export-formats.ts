import { OrbweaverError } from '../base/errors.ts';
import type { ExportEntry } from '../contracts/export.ts';

/** Every format, in the order of the list. Each is loaded when it is asked for. */
export const EXPORT_FORMATS: readonly ExportEntry[] = [];

export function exportEntry(name: string): ExportEntry {
  const entry = EXPORT_FORMATS.find((known) => known.name === name);
  if (entry !== undefined) return entry;
  throw new OrbweaverError('USAGE', `There is no export format ${JSON.stringify(name)}.`, {
    remedy: `The formats are: ${EXPORT_FORMATS.map((known) => known.name).join(', ')}; orbweaver export list explains them.`,
  });
}
