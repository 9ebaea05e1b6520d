import type { IndexSnapshot } from '../contracts/search-index.ts';

/** Of larger indexes a sample that is spread evenly: which documents are best must not decide on languages. */
const LOOKED_AT = 20_000;
/** A language of fewer documents is more likely a wrong guess than worth a wider search. */
const LEAST_SHARE = 0.02;

/** The languages that the documents of an index are mostly of, the most frequent first. */
export function documentLanguages(snapshot: IndexSnapshot): string[] {
  using all = snapshot.matches({ kind: 'all' }, 1, {}, LOOKED_AT);
  const { values, counts } = snapshot.countFacts(all.documents).language;
  const least = LEAST_SHARE * all.documents.length;
  return values
    .map((language, at) => ({ language, count: counts[at] }))
    .filter(({ language, count }) => language !== '' && count > 0 && count >= least)
    .sort((a, b) => b.count - a.count || (a.language < b.language ? -1 : 1))
    .map(({ language }) => language);
}
