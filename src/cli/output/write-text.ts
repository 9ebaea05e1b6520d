import { terminalLines } from './terminal-text.ts';

/**
 * Writes text to standard output, with words of strangers in it: on a terminal nothing in it steers. What goes into a file or
 * another program is left as it is. Not for text that is styled by ourselves.
 */
export function writeText(text: string): void {
  process.stdout.write(process.stdout.isTTY ? terminalLines(text) : text);
}
