import { readW3cDate } from '../../../base/dates/w3c-date.ts';
import type { DocumentFacts } from '../document-builder.ts';

const MAX_LINES = 200;

/** Facts between the dashes (or pluses) at the start of Markdown: `key: value` and lists. Returns the first line after. */
export function readFrontMatter(lines: readonly string[], facts: DocumentFacts): number {
  const mark = lines[0]?.replace(/^\ufeff/, '').trimEnd();
  if (mark !== '---' && mark !== '+++') return 0;
  const end = lines.slice(1, MAX_LINES).findIndex((line) => line.trimEnd() === mark || line.trimEnd() === '...');
  if (end < 0) return 0;
  const lists = new Map<string, string[]>();
  let key = '';
  for (const line of lines.slice(1, end + 1)) {
    const pair = /^([A-Za-z][\w-]*)\s*[:=]\s*(.*)$/.exec(line.slice(0, 2_000));
    const entry = /^\s*-\s+(.*)$/.exec(line.slice(0, 2_000));
    if (pair !== null) {
      key = pair[1].toLowerCase();
      lists.set(key, valuesOf(pair[2]));
    } else if (entry !== null) lists.get(key)?.push(unquoted(entry[1]));
  }
  const one = (...names: string[]) => names.map((name) => lists.get(name)?.join(', ')).find(Boolean);
  facts.title ??= one('title');
  facts.description ??= one('description', 'summary', 'excerpt');
  facts.language ??= one('lang', 'language');
  facts.authors ??= lists.get('author') ?? lists.get('authors');
  facts.keywords ??= [...(lists.get('tags') ?? []), ...(lists.get('keywords') ?? [])];
  facts.created ??= readW3cDate(one('date', 'created', 'published') ?? '')?.at;
  facts.modified ??= readW3cDate(one('modified', 'updated', 'lastmod') ?? '')?.at;
  return end + 2;
}

/** `[a, b]` is a list, everything else one value. */
function valuesOf(text: string): string[] {
  const value = text.trim();
  if (value === '' || value === '>' || value === '|') return [];
  if (!value.startsWith('[') || !value.endsWith(']')) return [unquoted(value)];
  return value.slice(1, -1).split(',').map(unquoted);
}

function unquoted(text: string): string {
  const value = text.trim();
  return /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}
