import type { IndexSnapshot, QueryNode } from '../../contracts/search-index.ts';
import { type AnalyzeQuery, FOLDED_ONLY } from '../query/asked-words.ts';
import { parseQuery } from '../query/query-parser.ts';
import type { SurfaceForms } from './surface-forms.ts';

export interface CompletionParts {
  readonly snapshot: IndexSnapshot;
  readonly analyze: AnalyzeQuery;
  readonly forms: SurfaceForms;
}

/** A stem may be so much shorter than what was typed of the word. */
const LONGEST_ENDING = 4;
const SHORTEST_STEM = 3;

/**
 * What was typed, with its last word completed by words of the index: the ones first that most documents have together
 * with the words before.
 */
export async function completions(typed: string, limit: number, parts: CompletionParts): Promise<string[]> {
  const { analyze } = parts;
  const [, before = '', word = ''] = /^(.*?)([\p{L}\p{N}\p{M}]*)$/su.exec(typed) ?? [];
  const beginning = analyze(word, FOLDED_ONLY).at(-1)?.terms[0] ?? '';
  // After a colon stands the value of an operator, which is no word of a text.
  if (tooShort(beginning) || /:\S*$/.test(before) || limit < 1) return [];
  const context = parseQuery(before, analyze);
  const found = new Map<string, number>();
  for (const { term, documents } of candidates(beginning, word, limit, parts)) {
    const forms = await parts.forms.of(term, 1, parts);
    const form = forms.find(({ folded }) => folded.startsWith(beginning))?.form;
    if (form === undefined || form === word.toLowerCase()) continue;
    const matches = context.node === undefined ? documents : together(context.node, term, parts);
    if (matches > 0) found.set(form, Math.max(matches, found.get(form) ?? 0));
  }
  return [...found]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit)
    .map(([form]) => before + form);
}

/** One letter begins so many words that it says nothing; one sign of a script without letters is half a word. */
function tooShort(beginning: string): boolean {
  return beginning.length < (/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(beginning) ? 1 : 2);
}

function candidates(
  beginning: string,
  word: string,
  limit: number,
  { snapshot, analyze }: CompletionParts,
): { readonly term: string; readonly documents: number }[] {
  const stems = analyze(word).flatMap(({ terms }) => terms);
  for (let cut = 1; cut <= LONGEST_ENDING && beginning.length - cut >= SHORTEST_STEM; cut++)
    stems.push(beginning.slice(0, -cut));
  const shorter = [...new Set(stems)]
    .map((term) => ({ term, documents: snapshot.frequency(term) }))
    .filter(({ documents }) => documents > 0);
  const longer = snapshot
    .terms(beginning, 2 * limit)
    // Names with their signs are no words.
    .filter(({ term }) => !stems.includes(term) && !term.includes('_'));
  return [...shorter, ...longer];
}

function together(context: QueryNode, term: string, { snapshot }: CompletionParts): number {
  return snapshot.top({ kind: 'and', nodes: [context, { kind: 'term', terms: [term] }] }, 1).total;
}
