import { terminalLines } from './terminal-text.ts';

/** Writes text with strangers' words to standard output: on a terminal nothing steers it. Not for text styled by us. */
export function writeText(text: string): void {
  process.stdout.write(process.stdout.isTTY ? terminalLines(text) : text);
}
