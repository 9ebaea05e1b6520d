import type { ArchiveBytes } from '../shipping/archive-bytes.ts';

const LINE_GUESS = 1024;

/** The text from the position to the next line feed (not included), a character per byte; undefined when none follows. */
export async function lineAt(source: Pick<ArchiveBytes, 'read'>, position: number): Promise<string | undefined> {
  for (let size = LINE_GUESS; ; size *= 4) {
    const bytes = await source.read(position, size);
    const end = bytes.indexOf(0x0a);
    if (end !== -1) return bytes.toString('latin1', 0, end);
    if (bytes.length < size) return undefined;
  }
}
