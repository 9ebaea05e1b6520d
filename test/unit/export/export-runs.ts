import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportOptions, ExportSource } from '../../../src/contracts/export.ts';
import { exportEntry } from '../../../src/export/export-formats.ts';
import type { Compression } from '../../../src/export/output/compression.ts';
import { type ExportResult, runExport } from '../../../src/export/run-export.ts';

export interface RunParts {
  readonly format: string;
  readonly options?: ExportOptions;
  readonly compression?: Compression;
  readonly checkpointBytes?: number;
  readonly force?: boolean;
  readonly restart?: boolean;
}

/** Exports a source into a file or folder. */
export async function exportTo(path: string, source: ExportSource, parts: RunParts): Promise<ExportResult> {
  const { format: name, options = {}, ...rest } = parts;
  const entry = exportEntry(name);
  return await runExport({ entry, format: await entry.load(), source, options, to: path, ...rest });
}

export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'orbweaver-export-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** What an export has written: the bytes of the file, or of each file of the folder. */
export function writtenTo(path: string): Readonly<Record<string, Buffer>> {
  try {
    const all = readdirSync(path, { recursive: true }) as string[];
    const names = all.filter((name) => statSync(join(path, name)).isFile());
    return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(path, name))]));
  } catch {
    return { '': readFileSync(path) };
  }
}
