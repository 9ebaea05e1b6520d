import { OrbweaverError } from '../../base/errors.ts';

/**
 * Runs `read`, and turns what damaged bytes make it throw (a place beyond the end, a head that is no JSON, a section that is
 * missing) into FOLDER_CORRUPT. Files that are not there pass through: another process may have removed them.
 */
export function readingIndex<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError)) throw error;
    throw damagedIndex(error);
  }
}

export function damagedIndex(cause: unknown): OrbweaverError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new OrbweaverError('FOLDER_CORRUPT', `The search index is damaged and cannot be read: ${why}`, {
    remedy: 'orbweaver index --rebuild makes it again from what is stored.',
    cause,
  });
}
