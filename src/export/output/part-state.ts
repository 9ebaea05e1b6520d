import { open, readFile, rename, rm } from 'node:fs/promises';
import { diskError } from '../../base/disk-error.ts';
import type { ExportMark } from '../../contracts/export.ts';

/** What a checkpoint has written down. */
export interface PartState {
  /** Of the command: another one does not go on with it. */
  readonly signature: string;
  readonly mark: ExportMark;
  /** By path, of the files that were open: how much of each counts. */
  readonly files: Readonly<Record<string, { readonly stored: number; readonly bytes: number }>>;
}

/** Undefined where there is none, or none that can be read: then the export begins again. */
export async function readPartState(path: string): Promise<PartState | undefined> {
  try {
    const state: PartState = JSON.parse(await readFile(path, 'utf8'));
    const isWhole = typeof state.signature === 'string' && typeof state.mark?.cursor === 'string';
    return isWhole && typeof state.files === 'object' ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the one before. The data that it speaks of must be on the disk by then. */
export async function writePartState(path: string, state: PartState): Promise<void> {
  const next = `${path}.next`;
  try {
    const file = await open(next, 'w');
    try {
      await file.writeFile(JSON.stringify(state));
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (cause) {
    throw diskError(cause, `the export ${path}`);
  }
}

export async function removePartState(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(`${path}.next`, { force: true });
}
