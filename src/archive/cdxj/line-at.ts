import type { FileHandle } from 'node:fs/promises';

const LINE_GUESS = 1024;

/** The text from the position to the next line feed (not included), a character per byte; undefined when none follows. */
export async function lineAt(handle: FileHandle, position: number): Promise<string | undefined> {
  for (let size = LINE_GUESS; ; size *= 4) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size), 0, size, position);
    const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
    if (end !== -1) return buffer.toString('latin1', 0, end);
    if (bytesRead < size) return undefined;
  }
}
