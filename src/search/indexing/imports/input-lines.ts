import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OrbweaverError } from '../../../base/errors.ts';

/** The lines of a file, or of standard input for '-'; gzip is recognized by its content. */
export async function* inputLines(path: string, standardInput: Readable): AsyncGenerator<string> {
  const source = path === '-' ? standardInput : await opened(path);
  let fault: Error | undefined;
  try {
    for await (const line of createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })) yield line;
  } catch (error) {
    fault = error as Error;
  }
  fault ??= source.errored ?? undefined;
  if (fault !== undefined) throw unreadable(path, fault);
}

async function opened(path: string): Promise<Readable> {
  let gzip: boolean;
  try {
    const handle = await open(path, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close());
    gzip = bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } catch (error) {
    throw unreadable(path, error);
  }
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  // A file that is cut or damaged ends the lines with an error, which the reader of the lines tells.
  return gzip ? (pipeline(file, createGunzip(), () => {}) as unknown as Readable) : file;
}

function unreadable(path: string, cause: unknown): OrbweaverError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new OrbweaverError('INPUT_INVALID', `${path} cannot be read to its end (${why}).`, {
    remedy: 'Give the path of a file (plain or gzip), or - for standard input.',
    cause,
  });
}
