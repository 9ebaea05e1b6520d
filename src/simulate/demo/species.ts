export type Habitat = 'gardens' | 'meadows' | 'water' | 'woods' | 'houses' | 'caves' | 'warm-lands';
export type WebKind = 'orb' | 'sheet' | 'funnel' | 'tangle' | 'cast-net' | 'line' | 'burrow' | 'bell' | 'none';

export interface Species {
  readonly name: string;
  readonly latin: string;
  readonly family: string;
  /** Body length of the female. */
  readonly millimetres: string;
  readonly web: WebKind;
  readonly range: string;
  readonly habitat: Habitat;
  /** Months, from 1, in which adults are easiest to find. */
  readonly months: readonly [first: number, last: number];
  readonly looks: string;
  readonly story: string;
}

export function speciesPath(species: Species): string {
  return `/species/${species.latin.toLowerCase().replace(' ', '-')}.html`;
}

/** Whether adults are about in a month; seasons may run over the new year. */
export function isAbout(species: Species, month: number): boolean {
  const [first, last] = species.months;
  return first <= last ? month >= first && month <= last : month >= first || month <= last;
}
