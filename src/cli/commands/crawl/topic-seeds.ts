import { OrbweaverError } from '../../../base/errors.ts';
import type { Settings } from '../../../base/settings/schema.ts';
import { topicDescription } from '../../../crawl/learning/open-focus.ts';
import { openSearcher } from '../../../search/open-searcher.ts';

/** As many as a person would look through; a focused crawl finds the way from there. */
const MOST_SEEDS = 20;
/** A long description says the same again and again. */
const MOST_WORDS = 40;

/** The best pages on the topic in a collection that was crawled before: seeds of a focused crawl. */
export async function topicSeeds(folder: string, settings: Settings): Promise<string[]> {
  const words = new Set(
    topicDescription(settings)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]{2,}/gu),
  );
  if (words.size === 0)
    throw new OrbweaverError('USAGE', '--seeds-from takes the best pages on a topic, and none is described in words.', {
      remedy: 'Describe it: --topic "jumping spiders", or --topic-file FILE.',
    });
  await using searcher = await openSearcher(folder);
  const query = [...words].slice(0, MOST_WORDS).join(' OR ');
  const { hits } = await searcher.search({ query, perPage: MOST_SEEDS, unfolded: true });
  const urls = hits.flatMap(({ url }) => (url !== undefined && /^https?:/.test(url) ? [url] : []));
  if (urls.length > 0) return urls;
  throw new OrbweaverError('NO_SEEDS', `No page in ${folder} is on the topic.`, {
    remedy: 'Describe it with other words, or name pages to begin with.',
  });
}
