/** A piece of TypeScript: enough to find imports without being misled by comments, strings and expressions. */
export interface Token {
  readonly kind: 'word' | 'string' | 'sign' | 'other';
  /** Of a string: what it holds, without the quotes. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** After these a slash begins a regular expression, not a division. */
const BEFORE_EXPRESSION = new Set(
  'return typeof case in of delete void throw new else do instanceof await yield'.split(' '),
);

const PIECE =
  /(?<space>\s+|\/\/[^\n]*|\/\*.*?\*\/)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?<word>[\p{ID_Start}$_#][\p{ID_Continue}$]*)|(?<number>\d[\w.]*)|(?<sign>.)/suy;
const EXPRESSION = /\/(?:[^\\/[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[a-z]*/uy;

/** Cuts a source into tokens. Text inside templates is left out, the code inside their `${}` is not. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  /** For every open `${`: how many braces are open inside it. */
  const templates: number[] = [];
  let at = 0;
  let line = 1;
  const advance = (to: number): void => {
    for (; at < to; at++) if (source.charCodeAt(at) === 10) line++;
  };
  const push = (kind: Token['kind'], text: string): void => {
    tokens.push({ kind, text, line });
  };
  while (at < source.length) {
    const char = source[at];
    if (char === '/' && source[at + 1] !== '/' && source[at + 1] !== '*' && expressionMayBegin(tokens.at(-1))) {
      EXPRESSION.lastIndex = at;
      if (EXPRESSION.test(source)) {
        push('other', '');
        advance(EXPRESSION.lastIndex);
        continue;
      }
    }
    if (char === '`' || (char === '}' && templates.at(-1) === 0)) {
      if (char === '}') templates.pop();
      else push('other', '');
      const end = templateEnd(source, at + 1);
      if (source[end - 1] === '{') templates.push(0);
      advance(end);
      continue;
    }
    if (templates.length > 0 && char === '{') templates[templates.length - 1]++;
    if (templates.length > 0 && char === '}') templates[templates.length - 1]--;
    PIECE.lastIndex = at;
    const groups = PIECE.exec(source)?.groups ?? {};
    if (groups.string !== undefined) push('string', groups.string.slice(1, -1));
    else if (groups.word !== undefined) push('word', groups.word);
    else if (groups.number !== undefined) push('other', groups.number);
    else if (groups.sign !== undefined) push('sign', groups.sign);
    advance(PIECE.lastIndex);
  }
  return tokens;
}

/** The position after the closing back quote, or after the next `${`. */
function templateEnd(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '`') return at + 1;
    else if (source[at] === '$' && source[at + 1] === '{') return at + 2;
  }
  return source.length;
}

function expressionMayBegin(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === 'word') return BEFORE_EXPRESSION.has(before.text);
  return before.kind === 'sign' && !')]}'.includes(before.text);
}
