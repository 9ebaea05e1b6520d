import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** What all tests together have on the disk at a time is a small part of it. */
const ROOM = 4 * 1024 ** 3;

/** In memory where there is room: tests write small files by the thousand, and no test finds out whether a disk keeps its word. */
export function quickTemporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), 'orbweaver-tests-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}
