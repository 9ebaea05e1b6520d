import { diskError } from '../base/disk-error.ts';
import type { OrbweaverError } from '../base/errors.ts';

export function storageError(cause: unknown, folder: string): OrbweaverError {
  return diskError(cause, `the archive in ${folder}`);
}
