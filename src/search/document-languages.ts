import type { IndexSnapshot } from '../contracts/search-index.ts';

const LOOKED_AT = 500;
/** A language of fewer documents is more likely a wrong guess than worth a wider search. */
const LEAST_SHARE = 0.02;

/** The languages that the documents of an index are mostly of, the most frequent first. */
export function documentLanguages(snapshot: IndexSnapshot): string[] {
  const counts = new Map<string, number>();
  const { top } = snapshot.top({ kind: 'all' }, LOOKED_AT);
  for (const { document } of top) {
    const language = snapshot.fact('language', document);
    counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .filter(([language, count]) => language !== '' && count >= LEAST_SHARE * top.length)
    .sort((a, b) => b[1] - a[1])
    .map(([language]) => language);
}
