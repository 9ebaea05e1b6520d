import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Removes the lines of a JSON lines file whose `url` or `topic` matches. */
export function removeLines(path: string, matches: (url: string) => boolean): void {
  rewriteLines(path, matches, () => undefined);
}

/** The same for a file that is read by its offsets: blanks take the place of the line. */
export function blankLines(path: string, matches: (url: string) => boolean): void {
  rewriteLines(path, matches, (line) => ' '.repeat(Buffer.byteLength(line)));
}

function rewriteLines(
  path: string,
  matches: (url: string) => boolean,
  replacement: (line: string) => string | undefined,
): void {
  if (!existsSync(path)) return;
  const lines = readFileSync(path, 'utf8').split('\n');
  const kept = lines
    .map((line) => (speaksOf(line, matches) ? replacement(line) : line))
    .filter((line) => line !== undefined);
  const text = kept.join('\n');
  if (text === lines.join('\n')) return;
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
}

function speaksOf(line: string, matches: (url: string) => boolean): boolean {
  try {
    const { url, topic } = JSON.parse(line) as { url?: unknown; topic?: unknown };
    return [url, topic].some((value) => typeof value === 'string' && matches(value));
  } catch {
    return false;
  }
}
