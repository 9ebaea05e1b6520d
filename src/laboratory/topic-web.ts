import { hash32, pick, unit } from '../simulate/model/seeded-hash.ts';
import { Zipf } from '../simulate/model/zipf.ts';

export interface TopicWebOptions {
  readonly seed: number;
  readonly pages: number;
  readonly topics: number;
  /** Share of pages about nothing in particular: portals, lists, notes. */
  readonly general?: number;
  /** How often a link leads to a page of the same topic; studies of the web found about one half. */
  readonly locality?: number;
}

export interface TopicWebLink {
  readonly to: number;
  readonly url: string;
  readonly anchor: string;
  readonly around: string;
}

export interface TopicWebPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly links: readonly TopicWebLink[];
}

const TOPIC_WORDS = 400;
const BACKGROUND_WORDS = 6000;
/** A topic takes this many of its words from the topic after it: neighbours are hard to tell apart by single words. */
const BORROWED_WORDS = 80;
/** How often a link leads to a neighbouring topic. */
const NEIGHBOURS = 0.08;
const SYLLABLES =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru ta te ti to tu va ve vi vo vu'.split(
    ' ',
  );

const PURPOSE = {
  topic: 1,
  length: 2,
  mixture: 3,
  side: 4,
  word: 5,
  links: 6,
  target: 7,
  title: 8,
  anchor: 9,
  around: 10,
  url: 11,
};

/**
 * A web of pages on topics, for experiments with focused crawls: words after Zipf's law, mixed from a topic, sometimes a
 * second one, and a background shared by all; links that stay within a topic about half the time; anchors and
 * surroundings that tell of their target, but not reliably. Page 0 is a general one, where crawls begin.
 * Everything follows from the seed; any page can be made alone.
 */
export class TopicWeb {
  readonly pages: number;
  readonly topics: number;
  readonly #seed: number;
  readonly #locality: number;
  readonly #topicOf: Int16Array;
  readonly #members: readonly number[][];
  readonly #topicWords = new Zipf(TOPIC_WORDS, 0.9);
  readonly #backgroundWords = new Zipf(BACKGROUND_WORDS, 1);
  readonly #popularity: readonly Zipf[];
  readonly #popularityOfAll: Zipf;

  constructor({ seed, pages, topics, general = 0.25, locality = 0.5 }: TopicWebOptions) {
    this.#seed = seed;
    this.pages = pages;
    this.topics = topics;
    this.#locality = locality;
    this.#topicOf = new Int16Array(pages).fill(-1);
    const members: number[][] = Array.from({ length: topics }, () => []);
    for (let page = 1; page < pages; page++) {
      const chance = this.#unit(page, 0, PURPOSE.topic);
      if (chance < general) continue;
      this.#topicOf[page] = Math.floor(((chance - general) / (1 - general)) * topics);
      members[this.#topicOf[page]].push(page);
    }
    this.#members = members;
    this.#popularity = members.map((list) => new Zipf(Math.max(1, list.length), 0.6));
    this.#popularityOfAll = new Zipf(pages, 0.5);
  }

  /** -1 for a page about nothing in particular. */
  topicOf(page: number): number {
    return this.#topicOf[page];
  }

  members(topic: number): readonly number[] {
    return this.#members[topic];
  }

  /** What somebody who looks for the topic would write: a few of its usual words. */
  description(topic: number): string {
    return [0, 2, 5].map((rank) => this.#topicWord(topic, rank)).join(' ');
  }

  url(page: number): string {
    const host = `site-${hash32(this.#seed, page, 0, PURPOSE.url) % Math.ceil(this.pages / 60)}.test`;
    if (page === 0) return `http://${host}/`;
    // Half of the sites name their pages, half number them.
    const named = hash32(this.#seed, page, 1, PURPOSE.url) % 2 === 0;
    return named ? `http://${host}/${this.#title(page).replaceAll(' ', '-')}` : `http://${host}/page/${page}`;
  }

  page(page: number): TopicWebPage {
    return { url: this.url(page), title: this.#title(page), text: this.#text(page), links: this.#links(page) };
  }

  /** Where the links of a page lead, each page once. */
  targets(page: number): number[] {
    const count = page === 0 ? 40 : 5 + pick(hash32(this.#seed, page, 0, PURPOSE.links), 25);
    const targets = new Set<number>();
    for (let link = 0; link < count; link++) targets.add(this.#target(page, link));
    targets.delete(page);
    return [...targets];
  }

  #target(page: number, link: number): number {
    const topic = this.#topicOf[page];
    const chance = this.#unit(page, 2 * link, PURPOSE.target);
    const place = this.#unit(page, 2 * link + 1, PURPOSE.target);
    if (topic >= 0 && chance < this.#locality) return this.#member(topic, place);
    if (topic >= 0 && chance < this.#locality + NEIGHBOURS) return this.#member((topic + 1) % this.topics, place);
    // Spread over the numbers, so that what is popular is not what was made first.
    return (this.#popularityOfAll.rank(place) * 7919 + 13) % this.pages;
  }

  #member(topic: number, place: number): number {
    const members = this.#members[topic];
    return members.length === 0 ? 0 : members[this.#popularity[topic].rank(place)];
  }

  #links(page: number): TopicWebLink[] {
    return this.targets(page).map((to, link) => ({
      to,
      url: this.url(to),
      anchor: this.#anchor(page, link, to),
      around: this.#words(page, link * 16, 8, PURPOSE.around, this.#topicOf[to], 0.25, this.#topicOf[page], 0.2),
    }));
  }

  #anchor(page: number, link: number, to: number): string {
    const kind = this.#unit(page, link, PURPOSE.anchor);
    if (kind < 0.2) return this.#backgroundWord(kind * 5);
    const length = 1 + Math.floor(kind * 4);
    return this.#words(
      page,
      1000 + link * 16,
      length,
      PURPOSE.anchor,
      this.#topicOf[to],
      0.5,
      this.#topicOf[page],
      0.1,
    );
  }

  #title(page: number): string {
    const length = 2 + (hash32(this.#seed, page, 99, PURPOSE.title) % 4);
    return this.#words(page, 0, length, PURPOSE.title, this.#topicOf[page], 0.5, -1, 0);
  }

  #text(page: number): string {
    const length = Math.floor(60 * 8 ** this.#unit(page, 0, PURPOSE.length));
    const share = 0.12 + 0.3 * this.#unit(page, 0, PURPOSE.mixture);
    const aside = this.#unit(page, 0, PURPOSE.side);
    const side = aside < 0.3 ? Math.floor((aside / 0.3) * this.topics) : -1;
    return this.#words(page, 0, length, PURPOSE.word, this.#topicOf[page], share, side, 0.1);
  }

  /** This many words: a share of each of two topics (none where it is -1), the rest of the background. */
  #words(
    page: number,
    from: number,
    count: number,
    purpose: number,
    topic: number,
    share: number,
    second: number,
    secondShare: number,
  ): string {
    let text = '';
    for (let at = 0; at < count; at++) {
      const chance = this.#unit(page, from + at, purpose);
      const place = this.#unit(page, from + at, purpose + 32);
      let word: string;
      if (topic >= 0 && chance < share) word = this.#topicWord(topic, this.#topicWords.rank(place));
      else if (second >= 0 && chance > 1 - secondShare) word = this.#topicWord(second, this.#topicWords.rank(place));
      else word = this.#backgroundWord(place);
      text = at === 0 ? word : `${text} ${word}`;
    }
    return text;
  }

  #topicWord(topic: number, rank: number): string {
    const borrowed = rank % (TOPIC_WORDS / BORROWED_WORDS) === 4;
    const owner = borrowed ? (topic + 1) % this.topics : topic;
    return spell(BACKGROUND_WORDS + owner * TOPIC_WORDS + rank);
  }

  #backgroundWord(place: number): string {
    return spell(this.#backgroundWords.rank(place));
  }

  #unit(page: number, at: number, purpose: number): number {
    return unit(hash32(this.#seed, page, at, purpose));
  }
}

/** A number as a word that can be spoken; another word for each number below 4 million. */
function spell(number: number): string {
  const { length } = SYLLABLES;
  // Scattered, so that neighbours in rank do not look alike.
  let rest = (number * 1_000_003 + 517) % length ** 4;
  let word = '';
  for (let at = 0; at < 4; at++) {
    word += SYLLABLES[rest % length];
    rest = Math.floor(rest / length);
  }
  return word;
}
