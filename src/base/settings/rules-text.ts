/** Rules as text, and where they are written: for messages that name the line. */
export interface RulesText {
  readonly text: string;
  /** Undefined where they came from a program. */
  readonly file?: string;
  /** Of the first line of the text. */
  readonly line: number;
}

const MARK = /^#@ ([^\n]*):(\d+)\n/;

/** Writes down where a text comes from, in its first line. */
export function markedRules({ text, file, line }: Required<RulesText>): string {
  return `#@ ${file}:${line}\n${text}`;
}

export function unmarkedRules(marked: string): RulesText {
  const [mark, file, line] = MARK.exec(marked) ?? [];
  return mark === undefined ? { text: marked, line: 1 } : { text: marked.slice(mark.length), file, line: Number(line) };
}

/** Whether a value of `extract` holds rules; otherwise it is the name of a file. */
export function holdsRules(value: string): boolean {
  return value.includes('\n') || value.trimStart().startsWith('{');
}
