import { posix } from 'node:path';
import type { FileTexts } from './repository.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Where a file names another. */
export interface ImportSite {
  /** As written; undefined where it is not a plain string. */
  readonly specifier: string | undefined;
  readonly line: number;
}

/**
 * Everything a source loads: `import`, `import type`, `export ... from`, `import()` (also as a type), and
 * `new URL('./x.ts', import.meta.url)`, which is how threads are started.
 */
export function importsOf(source: string): ImportSite[] {
  const tokens = tokensOf(source);
  return tokens.flatMap((token, at): ImportSite[] => {
    if (token.kind !== 'word' || isSign(tokens[at - 1], '.')) return [];
    const next = tokens[at + 1];
    if (token.text === 'URL') {
      return isSign(next, '(') ? threadFiles(tokens, at + 2) : [];
    }
    if (token.text === 'import') {
      if (next?.kind === 'string') return [site(next)];
      if (isSign(next, '(')) return isMethod(tokens, at + 2) ? [] : [site(tokens[at + 2], token.line)];
      return isSign(next, '.') || isSign(next, ':') ? [] : fromClause(tokens, at + 1);
    }
    if (token.text === 'export') {
      const first = isWord(next, 'type') ? tokens[at + 2] : next;
      return isSign(first, '{') || isSign(first, '*') ? fromClause(tokens, at + 1) : [];
    }
    return [];
  });
}

/** The file that a relative specifier of `from` names, as a path from the root; undefined for packages. */
export function targetOf(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;
}

/** file -> files it imports, for the files that exist. */
export function importGraph(sources: FileTexts): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const [file, source] of sources) {
    const targets = importsOf(source).flatMap(({ specifier }) => targetOf(file, specifier ?? '') ?? []);
    graph.set(
      file,
      [...new Set(targets)].filter((target) => sources.has(target)),
    );
  }
  return graph;
}

/** The sources named in the first argument of `new URL`, also as `isSource ? './x.ts' : './x.js'`. */
function threadFiles(tokens: readonly Token[], start: number): ImportSite[] {
  const files: ImportSite[] = [];
  for (let at = start; at < tokens.length && !isSign(tokens[at], ','); at++) {
    const token = tokens[at];
    if (isSign(token, ';')) break;
    if (token.kind === 'string' && /^\.\.?\/.*\.ts$/.test(token.text)) files.push(site(token));
  }
  return files;
}

/** Reads on to `from "..."`; a clause without one (`export { a }`) imports nothing. */
function fromClause(tokens: readonly Token[], start: number): ImportSite[] {
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at];
    if (isWord(token, 'from') && tokens[at + 1]?.kind === 'string') return [site(tokens[at + 1])];
    if (isSign(token, ';') || isSign(token, '=')) return [];
    if (isSign(token, '}') && !isWord(tokens[at + 1], 'from')) return [];
  }
  return [];
}

/** `import(text: string): void {` in a class, seen from its first parameter. */
function isMethod(tokens: readonly Token[], start: number): boolean {
  let open = 1;
  let at = start;
  for (; at < tokens.length && open > 0; at++) {
    if (isSign(tokens[at], '(')) open++;
    if (isSign(tokens[at], ')')) open--;
  }
  return tokens[start]?.kind !== 'string' && (isSign(tokens[at], '{') || isSign(tokens[at], ':'));
}

function site(token: Token | undefined, line = token?.line ?? 0): ImportSite {
  return { specifier: token?.kind === 'string' ? token.text : undefined, line };
}

function isSign(token: Token | undefined, text: string): boolean {
  return token?.kind === 'sign' && token.text === text;
}

function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text === text;
}
