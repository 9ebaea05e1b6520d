import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { OrbweaverError } from '../../base/errors.ts';

/**
 * One JSON request per line in, one JSON answer per line out, in order. A request that cannot be answered gets
 * `{error: {code, message}}` in its place, so that answer n always belongs to request n. Blank lines are no requests.
 */
export async function answerLines(
  input: Readable,
  output: Writable,
  answer: (request: Record<string, unknown>) => unknown,
): Promise<void> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const text = `${JSON.stringify(await answered(line, answer))}\n`;
    if (!output.write(text)) await new Promise<void>((resolve) => output.once('drain', () => resolve()));
  }
}

async function answered(line: string, answer: (request: Record<string, unknown>) => unknown): Promise<unknown> {
  try {
    const request: unknown = JSON.parse(line);
    if (typeof request !== 'object' || request === null || Array.isArray(request)) {
      throw new OrbweaverError('INPUT_INVALID', 'A request is one JSON object on a line.');
    }
    return await answer(request as Record<string, unknown>);
  } catch (error) {
    const code =
      error instanceof OrbweaverError ? error.code : error instanceof SyntaxError ? 'INPUT_INVALID' : 'INTERNAL';
    return { error: { code, message: error instanceof Error ? error.message : String(error) } };
  }
}

/** The bytes of a request: `text` as it stands, or base64. */
export function bytesOf(request: Record<string, unknown>, textName: string, base64Name: string): Uint8Array {
  const text = request[textName];
  const base64 = request[base64Name];
  if (typeof text === 'string') return Buffer.from(text, 'utf8');
  if (typeof base64 === 'string') return Buffer.from(base64, 'base64');
  throw new OrbweaverError('INPUT_INVALID', `The request needs "${textName}" or "${base64Name}".`);
}

export function stringOf(request: Record<string, unknown>, name: string): string {
  const value = request[name];
  if (typeof value !== 'string') throw new OrbweaverError('INPUT_INVALID', `The request needs "${name}", a string.`);
  return value;
}

export function optionalString(request: Record<string, unknown>, name: string): string | undefined {
  const value = request[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new OrbweaverError('INPUT_INVALID', `"${name}" must be a string.`);
  return value;
}
