import type { HiddenPiece, SeenPage } from '../../contracts/content/renderer.ts';
import type { SpamSign } from '../../contracts/content/spam.ts';
import { areAlike, hexOf } from './colour.ts';
import { HiddenTexts } from './hidden-texts.ts';
import { OtherSites } from './page-signs.ts';
import { wordStatistics } from './word-statistics.ts';

/** Where a page was seen in a browser, that is better evidence of what it hides than its markup; the other signs stand. */
export function withSeen(signs: readonly SpamSign[], seen: SeenPage | undefined, url: string): readonly SpamSign[] {
  if (seen === undefined) return signs;
  const hidden = hiddenSign(seen.hidden, url);
  const others = signs.filter(({ technique }) => technique !== 'hidden-text');
  // What was not looked at is known by its markup alone: who fills a page with empty elements hides nothing behind them.
  const written = seen.isPartial === true ? signs.find(({ technique }) => technique === 'hidden-text') : undefined;
  const stronger = (hidden?.weight ?? 0) >= (written?.weight ?? 0) ? hidden : written;
  return stronger === undefined ? others : [...others, stronger].sort((a, b) => b.weight - a.weight);
}

/** Words that nobody can see: labels for screen readers too, but not what is folded. */
export function hiddenWords({ hidden }: SeenPage): number {
  const pieces = hidden.filter((piece) => piece.hiding !== 'folded' && isHidden(piece));
  return pieces.reduce((words, { text }) => words + wordStatistics(text).allWords, 0);
}

function hiddenSign(pieces: readonly HiddenPiece[], url: string): SpamSign | undefined {
  const texts = new HiddenTexts();
  const sites = new OtherSites(url);
  for (const { hiding, how, labels, colours, text, links } of pieces.filter(isHidden)) {
    const away = { hiding, how: colours === undefined ? how : `colour ${colours.map(hexOf).join(' on ')}`, labels };
    if (text !== '') texts.add(away, text);
    for (const link of links) {
      const site = sites.siteOf(link);
      if (site !== undefined) texts.addForeignLink(away, site);
    }
  }
  return texts.sign();
}

function isHidden({ colours }: HiddenPiece): boolean {
  return colours === undefined || areAlike(...colours);
}
