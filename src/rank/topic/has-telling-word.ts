import { eachWord } from './each-word.ts';
import { bucketOf, WordStatistics } from './word-statistics.ts';

/** Words that are on more pages than this by the first guess tell no topic from another. */
const EVERYWHERE = 0.5;
/** A description that has not said anything by then will not. */
const MOST_WORDS = 5000;

/** Whether a description has a word that is not on nearly every page: else no page could be told from others by it. */
export function hasTellingWord(description: string): boolean {
  const statistics = new WordStatistics();
  let isFound = false;
  eachWord(description, MOST_WORDS, (word) => {
    isFound ||= statistics.share(bucketOf(word)) < EVERYWHERE;
  });
  return isFound;
}
