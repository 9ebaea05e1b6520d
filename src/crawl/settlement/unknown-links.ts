import type { Frontier, LinkKeys } from '../../contracts/frontier.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { PackedLinks } from '../workers/packed-links.ts';

/** Places of the links of each page that are worth judging, in ascending order: one question for all pages. */
export async function unknownLinks(
  frontier: Pick<Frontier, 'unknown'>,
  pages: readonly PackedLinks[],
): Promise<(readonly number[])[]> {
  if (pages.length === 0) return [];
  const verdicts = await frontier.unknown(pages.map(keysOf));
  return verdicts.map(({ unknown, foreign }) =>
    // Those that another partition may know are judged here, where the page is: the same rules hold everywhere.
    foreign.length === 0 ? unknown : [...unknown, ...foreign].sort((a, b) => a - b),
  );
}

function keysOf({ fingerprints, urls }: PackedLinks): LinkKeys {
  let lines: string[] | undefined;
  return {
    fingerprints,
    host(place) {
      lines ??= urls.split('\n');
      return hostKeyOf(lines[place] as CanonicalUrl);
    },
  };
}
