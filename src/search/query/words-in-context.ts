import type { QueryTerm } from '../../index/analysis/analyzer.ts';
import type { AnalyzeQuery } from './asked-words.ts';
import type { SyntaxNode } from './query-syntax.ts';

/**
 * Analyses the words of a query together: which language they are of, and which of them are stop words, only all of
 * them tell. Answers the terms of each text; a text that is not of the query is analysed by itself.
 */
export function wordsInContext(
  nodes: readonly SyntaxNode[],
  analyze: (text: string) => ReturnType<AnalyzeQuery>,
): (text: string) => readonly QueryTerm[] {
  const texts = nodes.flatMap(textsOf);
  const alone = new Map(texts.map((text) => [text, analyze(text)]));
  const together = analyze(texts.join('\n'));
  const known = new Map<string, readonly QueryTerm[]>();
  let at = 0;
  for (const text of texts) {
    const length = alone.get(text)?.length ?? 0;
    known.set(text, together.slice(at, at + length));
    at += length;
  }
  // Where the analyzer cuts the whole otherwise than its parts, the parts stand by themselves.
  const words = at === together.length ? known : alone;
  return (text) => words.get(text) ?? analyze(text);
}

function textsOf(node: SyntaxNode): readonly string[] {
  switch (node.kind) {
    case 'word':
    case 'phrase':
    case 'prefix':
      return [node.text];
    case 'operator':
      return [];
    case 'not':
      return textsOf(node.node);
    case 'and':
    case 'or':
      return node.nodes.flatMap(textsOf);
  }
}
