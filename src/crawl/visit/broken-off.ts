import type { EarlierVisit } from '../../contracts/revisit.ts';

/** The body ended on its way. One that was cut at our own limit is as long as it will ever be. */
export function isBrokenOff(visit: { readonly truncated?: string } | undefined): boolean {
  return visit?.truncated !== undefined && visit.truncated !== 'length';
}

/** What the next whole copy is compared with. */
export function wholeTextOf(earlier: EarlierVisit | undefined): { wholeTextDigest?: string } {
  const digest = isBrokenOff(earlier) ? earlier?.wholeTextDigest : earlier?.textDigest;
  return digest === undefined ? {} : { wholeTextDigest: digest };
}
