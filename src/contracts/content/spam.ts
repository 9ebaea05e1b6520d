/** What speaks for spam on one page: found where the page is read, small enough for its record. */
export interface SpamSign {
  readonly technique: SpamTechnique;
  /** 0 to 1: how sure this sign alone makes us. */
  readonly weight: number;
  /** In words, with the measure: "'casino' is 18 % of 420 words". */
  readonly evidence: string;
}

export type SpamTechnique = 'term-stuffing' | 'hidden-text' | 'doorway' | 'link-farm' | 'cloaking';

/** A score from 0 (honest) to 1 (spam) with what it rests on, the strongest first. */
export interface SpamScore {
  readonly score: number;
  readonly signs: readonly SpamSign[];
}
