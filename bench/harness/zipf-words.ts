import { seededRandom } from '../../src/base/seeded-random.ts';

const VOCABULARY = 200_000;
/** The first step of each search for a share, so that drawing a word costs a few comparisons. */
const STARTS = 1 << 16;

export interface ZipfWords {
  /** The most frequent first. */
  readonly words: readonly string[];
  /** The place of a word in the list, drawn by Zipf's law. */
  readonly drawRank: (random: () => number) => number;
}

/** A made-up language whose words are as unevenly frequent as those of a real one. */
export function zipfWords(): ZipfWords {
  const shares = new Float64Array(VOCABULARY);
  for (let rank = 0, sum = 0; rank < VOCABULARY; rank++) {
    sum += 1 / (rank + 1);
    shares[rank] = sum;
  }
  const starts = new Uint32Array(STARTS + 1).fill(VOCABULARY - 1);
  for (let at = 0, rank = 0; at < STARTS; at++) {
    while (shares[rank] / shares[VOCABULARY - 1] < at / STARTS) rank++;
    starts[at] = rank;
  }
  const drawRank = (random: () => number): number => {
    const value = random();
    let low = starts[Math.floor(value * STARTS)];
    let high = starts[Math.floor(value * STARTS) + 1];
    const wanted = value * shares[VOCABULARY - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (shares[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { words: vocabulary(), drawRank };
}

/** Words of pronounceable letters; the common ones are the shorter, as in a language. */
function vocabulary(): string[] {
  const random = seededRandom(7);
  const taken = new Set<string>();
  const consonants = 'bcdfghklmnprstvwz';
  const vowels = 'aeiou';
  for (let rank = 0; taken.size < VOCABULARY; rank++) {
    const syllables = 1 + Math.floor(Math.log10(rank + 10) / 2.2 + random());
    let word = '';
    for (let at = 0; at < syllables; at++) {
      word += consonants[Math.floor(random() * consonants.length)] + vowels[Math.floor(random() * vowels.length)];
      if (random() < 0.5) word += consonants[Math.floor(random() * consonants.length)];
    }
    if (taken.has(word)) word += taken.size.toString(36);
    taken.add(word);
  }
  return [...taken];
}
