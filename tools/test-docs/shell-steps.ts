/** A block of commands in a Markdown page, with what it is expected to print. */
export interface ShellStep {
  /** The line of the page on which the first command is. */
  readonly line: number;
  readonly commands: string;
  /** Lines that must come in this order; `…` stands for anything within a line. */
  readonly expected: readonly string[];
  /** Why the block is not run, where the page says so. */
  readonly notRun?: string;
  /** What has to be there for it. */
  readonly needs?: string;
}

/**
 * The blocks of a page that are marked `sh`. A `text` block right after one is what it prints. Comments of the page steer:
 * `<!-- not run: reason -->` or `<!-- needs: something -->` before a block, and `<!-- check: command -->`, which becomes a step of its own.
 */
export function shellSteps(markdown: string): ShellStep[] {
  const steps: ShellStep[] = [];
  let steered: Pick<ShellStep, 'notRun' | 'needs'> = {};
  for (const block of blocksOf(markdown)) {
    if (block.kind === 'comment') {
      const [, word, rest] = /^(not run|needs|check): (.*)$/.exec(block.text) ?? [];
      if (word === 'not run') steered = { notRun: rest };
      if (word === 'needs') steered = { needs: rest };
      if (word === 'check') steps.push({ line: block.line, commands: `${rest} > checked.txt`, expected: [] });
    } else if (block.kind === 'sh') {
      steps.push({ line: block.line, commands: block.text, expected: [], ...steered });
      steered = {};
    } else if (block.kind === 'text' && block.follows === 'sh') {
      const before = steps.pop();
      if (before !== undefined)
        steps.push({ ...before, expected: block.text.split('\n').filter((line) => line !== '') });
    }
  }
  return steps;
}

/** The first of the expected lines that the output does not have, or not in this order; undefined where all are there. */
export function missingLine(output: string, expected: readonly string[]): string | undefined {
  const lines = output.split('\n');
  let at = 0;
  for (const wanted of expected) {
    while (at < lines.length && !matches(lines[at], wanted)) at++;
    if (at === lines.length) return wanted;
    at++;
  }
  return undefined;
}

function matches(line: string, wanted: string): boolean {
  const parts = wanted.split('…');
  let from = 0;
  for (const [at, part] of parts.entries()) {
    const found = line.indexOf(part, from);
    if (found < 0 || (at === 0 && found > 0)) return false;
    from = found + part.length;
  }
  return parts.length > 1 || line.trimEnd() === wanted;
}

interface Block {
  readonly kind: string;
  readonly text: string;
  readonly line: number;
  /** The kind of the block before, where nothing but blank lines is between. */
  readonly follows?: string;
}

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  let before: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const comment = /^<!-- (.*) -->$/.exec(lines[at])?.[1];
    const kind = /^```([a-z]*)$/.exec(lines[at])?.[1];
    if (comment !== undefined) blocks.push({ kind: 'comment', text: comment, line: at + 1 });
    if (kind === undefined) {
      if (lines[at].trim() !== '') before = undefined;
      continue;
    }
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new Error(`The block of line ${at + 1} has no end.`);
    blocks.push({
      ...{ kind, text: lines.slice(at + 1, end).join('\n'), line: at + 2 },
      ...(before === undefined ? {} : { follows: before }),
    });
    before = kind;
    at = end;
  }
  return blocks;
}
