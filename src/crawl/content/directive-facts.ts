import { type DirectiveSources, pageDirectives, type RobotsDirectives } from '../../base/robots-directives.ts';
import type { PageFacts } from '../../contracts/content/page-facts.ts';

/** What robots directives ask of whoever shows the page later. */
export function directiveFacts(
  directives: RobotsDirectives,
): Pick<PageFacts, 'directives' | 'noindex' | 'nosnippet' | 'noarchive'> {
  return {
    directives: directives.said,
    noindex: !directives.index,
    ...(directives.snippet ? {} : { nosnippet: true as const }),
    ...(directives.archive ? {} : { noarchive: true as const }),
  };
}

/** What the directives of a page mean now: a date of `unavailable_after` that has passed is a `noindex`. */
export function directivesAt(now: number, sources: DirectiveSources): RobotsDirectives {
  const directives = pageDirectives(sources);
  return (directives.unavailableAfter ?? Number.POSITIVE_INFINITY) <= now
    ? { ...directives, index: false }
    : directives;
}
