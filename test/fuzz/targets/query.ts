import { createAnalyzer } from '../../../src/index/analysis/analyzer.ts';
import { parseQuery } from '../../../src/search/query/query-parser.ts';
import { querySyntax, type SyntaxNode } from '../../../src/search/query/query-syntax.ts';
import { type FuzzTarget, promise, same, textOf } from '../target.ts';

const analyzer = createAnalyzer();
const LANGUAGES = ['en', 'de', 'fr'];

/** A query that means the node; undefined where the syntax has no way to write it. */
function printed(node: SyntaxNode): string | undefined {
  switch (node.kind) {
    case 'word':
      return /^[\p{L}\p{N}]+$/u.test(node.text) && node.text !== 'OR' && node.text !== 'AND' && node.text !== 'NOT'
        ? `${node.firm ? '+' : ''}${node.text}`
        : undefined;
    case 'phrase':
      return /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*$/u.test(node.text) ? `"${node.text}"` : undefined;
    case 'and':
    case 'or': {
      const parts = node.nodes.map(printed);
      return parts.includes(undefined) ? undefined : `(${parts.join(node.kind === 'or' ? ' OR ' : ' ')})`;
    }
    case 'not': {
      const inner = printed(node.node);
      return inner === undefined || node.node.kind === 'not' || inner.startsWith('+') ? undefined : `-${inner}`;
    }
    default:
      return undefined;
  }
}

function withoutPlaces(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === 'start' || key === 'end' ? undefined : inner)));
}

function sizeOf(value: unknown): number {
  return (JSON.stringify(value) ?? '').length;
}

export const queryTarget: FuzzTarget = {
  name: 'query',
  samples: [
    'cat OR dog -bird "big cat" intitle:x site:example.org',
    '(a b) OR (c -d) +e f* lang:de before:2026-05 filetype:pdf',
    'inurl:"x y" -site:a.b state-of-the-art 東京タワー',
  ],
  pieces:
    'cat dog OR AND NOT | - + " “ ” „ « » ( ) * : site: -site: inurl: intitle: filetype:pdf lang: lang:de before:2026 after: 2026-05-04 c++ wi-fi don\'t U.S.A. 東京 ß the'
      .split(' ')
      .concat(' ', ' ', ' '),
  corpora: ['hostile'],
  maxLength: 1_200,
  run(input) {
    const typed = textOf(input);
    const syntax = querySyntax(typed);
    same(querySyntax(typed), syntax, 'a query is read the same twice');
    const parsed = parseQuery(typed, (text, language) => analyzer.analyzeQuery(text, language, LANGUAGES));
    promise(sizeOf(parsed) <= typed.length * 3_000 + 4_096, 'what a query becomes is bounded', () => [
      typed.length,
      sizeOf(parsed),
    ]);
    for (const { start, end } of parsed.asked) {
      promise(start >= 0 && end <= typed.length && start <= end, 'words lie within what was typed', () => [start, end]);
    }
    for (const node of syntax.nodes) {
      const text = printed(node);
      if (text === undefined) continue;
      const again = querySyntax(text).nodes;
      // (a) alone is a, and (a b) at the top is read as its parts.
      const whole = again.length === 1 ? again[0] : { kind: 'and', nodes: again };
      same(withoutPlaces(whole), withoutPlaces(node), 'a printed query is read as it was');
    }
  },
};

export const analyzerTarget: FuzzTarget = {
  name: 'analyzer',
  samples: [
    "The state-of-the-art C++ compilers, U.S.A. don't",
    'Straßenbahnhaltestelle größer',
    '東京タワーに行く',
    'https://example.com/a_b?c=d',
    'بسم الله',
  ],
  pieces: "a A é ß İ ı ﬁ Å 東京 タワー ไทย 한국 - _ . ' ’ + # @ / : 1 1,000.5 \u0301 \u200d \u00ad 😀 running running"
    .split(' ')
    .concat(' '),
  corpora: ['language/samples.jsonl'],
  maxLength: 2_048,
  run(input) {
    const text = textOf(input);
    for (const language of ['', 'en', 'de', 'ru', 'tr', 'zxx']) {
      let last = -1;
      let tokens = 0;
      analyzer.analyzeSpans(text, language, (term, position, start, end) => {
        tokens++;
        promise(term.length > 0 && term.length <= 200, 'a term is short', () => term);
        promise(position >= last && start <= end && end <= text.length, 'tokens come in order', () => [
          position,
          start,
          end,
        ]);
        last = position;
      });
      promise(tokens <= text.length * 4 + 4, 'no more tokens than four for each character', () => [
        tokens,
        text.length,
      ]);
    }
    analyzer.analyzeQuery(text, undefined, LANGUAGES);
  },
};
