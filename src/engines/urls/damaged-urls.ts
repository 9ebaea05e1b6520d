import { OrbweaverError } from '../../base/errors.ts';

/** A file of URLs that does not hold what was written to it. */
export function damagedUrls(path: string, what: string, cause?: unknown): OrbweaverError {
  return new OrbweaverError('URLS_DAMAGED', `${path} is damaged: ${what}.`, {
    remedy: 'Make the store again from the lists or crawls that its URLs came from, or take it from a backup.',
    cause,
  });
}
