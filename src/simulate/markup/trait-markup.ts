import type { SpamTrait } from '../plan/spam-plan.ts';
import { LOOKALIKE_WRITERS } from './lookalike-markup.ts';
import { cloakedPage, SPAM_WRITERS, type TraitContext, type TraitMarkup } from './spam-markup.ts';
import { WordDraw } from './word-draw.ts';
import { WORDS } from './word-lists.ts';

const PURPOSE = { trait: 154, cloaked: 155 } as const;

/** What the trait of a page adds to it. */
export function traitMarkup(seed: number, page: number, trait: SpamTrait, context: TraitContext): TraitMarkup {
  // A cloaked page shows robots nothing but an honest page.
  if (trait === 'cloaking') return {};
  const draw = new WordDraw(seed, page, WORDS, PURPOSE.trait);
  const writers = { ...SPAM_WRITERS, ...LOOKALIKE_WRITERS };
  return writers[trait](draw, context);
}

/** What a browser is shown at the address of a cloaked page. */
export function pageForBrowsers(seed: number, page: number): string {
  return cloakedPage(new WordDraw(seed, page, WORDS, PURPOSE.cloaked));
}

/** Whether a User-Agent header is that of a browser, as those who cloak tell them: by names, and by what robots add. */
export function isBrowser(agent: string | undefined): boolean {
  if (agent === undefined || !/^Mozilla\/.*(?:Gecko|WebKit|Chrome|Firefox|Safari)/i.test(agent)) return false;
  return !/bot|crawl|spider|weaver|compatible;|\+https?:/i.test(agent);
}
