/** How the last visits of a pattern ended. */
export interface Findings {
  visits: number;
  /** New, and in keeping with a site that has an end. */
  worthwhile: number;
  /** New to look at, but each leads only to more of the same, which nothing else links to. */
  endless: number;
  /** The same on a host that the user asked for, where it costs nothing. */
  growing: number;
  /** Not told apart by the text, but by size and links: a form without content. */
  alike: number;
  nearDuplicates: number;
  duplicates: number;
  softNotFound: number;
  gone: number;
  redirected: number;
  failed: number;
  refused: number;
  slow: number;
}

export function NO_FINDINGS(): Findings {
  return {
    visits: 0,
    worthwhile: 0,
    endless: 0,
    growing: 0,
    alike: 0,
    nearDuplicates: 0,
    duplicates: 0,
    softNotFound: 0,
    gone: 0,
    redirected: 0,
    failed: 0,
    refused: 0,
    slow: 0,
  };
}

const WORDS: readonly (readonly [name: Exclude<keyof Findings, 'visits' | 'worthwhile' | 'growing'>, words: string])[] =
  [
    ['nearDuplicates', 'were near-duplicates'],
    ['duplicates', 'were copies'],
    ['softNotFound', 'were errors in disguise'],
    ['gone', 'were not there'],
    ['redirected', 'were redirects that led to nothing new'],
    ['endless', 'led only to more of the same, which nothing else links to'],
    ['alike', 'were the same form without content'],
    ['failed', 'failed'],
    ['refused', 'were of no use'],
    ['slow', 'came very slowly'],
  ];

/** In words with numbers, the most frequent first: "38 of 40 pages were near-duplicates, 2 were not there". */
export function holdReason(findings: Findings): string {
  const told = WORDS.filter(([name]) => findings[name] > 0).sort(([a], [b]) => findings[b] - findings[a]);
  if (told.length === 0) return `nothing came of ${findings.visits} visits`;
  const parts = told.slice(0, 3).map(([name, words], at) => {
    return at === 0 ? `${findings[name]} of ${findings.visits} pages ${words}` : `${findings[name]} ${words}`;
  });
  return parts.join(', ');
}
