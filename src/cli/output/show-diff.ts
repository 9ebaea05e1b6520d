import type { ComparedCopies } from '../../web/copies/diff-view.ts';
import type { DiffBlock, DiffPart } from '../../web/copies/text-diff.ts';
import { time } from '../commands/status.ts';
import { terminalText } from './terminal-text.ts';

export interface DiffLook {
  /** Colours. */
  readonly terminal: boolean;
  /** Unchanged paragraphs that stay around a change. */
  readonly context: number;
}

const RED = ['\u001b[31m', '\u001b[39m'] as const;
const GREEN = ['\u001b[32m', '\u001b[39m'] as const;
const FAINT = ['\u001b[2m', '\u001b[22m'] as const;
const REVERSED = ['\u001b[7m', '\u001b[27m'] as const;
type Style = readonly [string, string];

/** Two texts laid over each other: a line for each paragraph, - for what went, + for what came. */
export function formatDiff({ url, from, to, blocks }: ComparedCopies, look: DiffLook): string {
  const style = (text: string, [on, off]: Style): string => (look.terminal ? on + text + off : text);
  const lines = [
    style(`--- ${terminalText(url)}  ${time(from)}`, RED),
    style(`+++ ${terminalText(url)}  ${time(to)}`, GREEN),
  ];
  if (blocks.every(({ kind }) => kind === 'same')) return [...lines, 'The main text is the same.'].join('\n');
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'changed') {
      lines.push(
        style(`- ${wordsOf(block.parts, 'removed', look.terminal)}`, RED),
        style(`+ ${wordsOf(block.parts, 'added', look.terminal)}`, GREEN),
      );
    } else if (block.kind === 'removed') lines.push(style(`- ${terminalText(block.text)}`, RED));
    else if (block.kind === 'added') lines.push(style(`+ ${terminalText(block.text)}`, GREEN));
    else if (nearChange(blocks, at, look.context)) lines.push(`  ${terminalText(block.text)}`);
    else if (at === 0 || blocks[at - 1].kind !== 'same' || nearChange(blocks, at - 1, look.context))
      lines.push(style(skipped(blocks, at, look.context), FAINT));
  }
  return lines.join('\n');
}

/** One side of a rewritten paragraph; the words of the other side are left out. */
function wordsOf(parts: readonly DiffPart[], side: 'removed' | 'added', terminal: boolean): string {
  return parts
    .filter(({ kind }) => kind === 'same' || kind === side)
    .map(({ kind, text }) => {
      const words = terminalText(text);
      return kind === 'same' || !terminal ? words : REVERSED[0] + words.trimEnd() + REVERSED[1] + gapOf(words);
    })
    .join('');
}

function gapOf(words: string): string {
  return words.slice(words.trimEnd().length);
}

function nearChange(blocks: readonly DiffBlock[], at: number, context: number): boolean {
  return blocks.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same');
}

function skipped(blocks: readonly DiffBlock[], at: number, context: number): string {
  let end = at;
  while (end < blocks.length && !nearChange(blocks, end, context)) end++;
  return `@@ ${end - at} unchanged paragraph${end - at === 1 ? '' : 's'} @@`;
}
