import { OrbweaverError } from '../base/errors.ts';

/** A line of a given file that is not what it should be. */
export function badLine(file: string, line: number, what: string, remedy: string): OrbweaverError {
  return new OrbweaverError('INPUT_INVALID', `${file}, line ${line}: ${what}`, { remedy });
}

/** The first line of a file without the mark that some editors put before it. */
export function withoutMark(firstLine: string): string {
  return firstLine.startsWith('\ufeff') ? firstLine.slice(1) : firstLine;
}
