import { existsSync } from 'node:fs';
import type { ForeignCaptures, ForeignCapturesWriter } from '../contracts/foreign-capture.ts';
import { CaptureStore, captureStorePath } from './captures/capture-store.ts';

/** Opens the captures of foreign archives beside a crawl, for who looks them through. */
export function openCaptures(folder: string): ForeignCapturesWriter {
  return new CaptureStore(folder);
}

/** For who reads what was found. */
export function openCapturesReader(folder: string): ForeignCaptures {
  return new CaptureStore(folder, { readOnly: true });
}

/** Whether foreign archives were looked through for the crawl in a folder. */
export function hasCaptures(folder: string): boolean {
  return existsSync(captureStorePath(folder));
}
