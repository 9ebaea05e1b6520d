import type { TopicFeatures } from '../../contracts/content/topic.ts';
import { eachWord } from './each-word.ts';

/** Of a page; what comes after says little more of its topic. */
const MOST_WORDS = 20_000;
const MOST_DISTINCT = 2048;
/** A word of the title counts as this many in the text. */
const TITLE_COUNT = 3;
const MOST_TITLE_WORDS = 40;
const MOST_LINKS = 2000;
/** Words taken of each part of a link. */
const MOST_ANCHOR_WORDS = 16;
const MOST_AROUND_WORDS = 16;
const MOST_URL_WORDS = 16;
/** Twice the distinct words, for short searches. */
const SLOTS = 4096;

/** In the two lowest bits of a link's words: where the word stands. */
export const ANCHOR = 1;
export const AROUND = 2;
export const URL_WORD = 3;

export interface TopicLink {
  readonly anchor: string;
  /** Words before and after the link, without the anchor. */
  readonly around: string;
  readonly url: string;
}

export interface TopicText {
  readonly title: string;
  readonly text: string;
  readonly links: readonly TopicLink[];
  /** Keeps the words themselves too, for sample pages: what a crawl is after can then be told in words. */
  readonly names?: boolean;
}

/** The words of a page and of its links as hashes; links beyond the 2000th have none. */
export function topicFeatures({ title, text, links, names = false }: TopicText): TopicFeatures {
  const words = new WordCounter(names);
  words.source = title;
  words.step = TITLE_COUNT;
  eachWord(title, MOST_TITLE_WORDS, words.take);
  words.source = text;
  words.step = 1;
  eachWord(text, MOST_WORDS, words.take);
  return { ...words.counted(), ...linkFeatures(links) };
}

class WordCounter {
  source = '';
  step = 1;
  readonly #slots = new Uint16Array(SLOTS);
  readonly #words = new Uint32Array(MOST_DISTINCT);
  readonly #counts = new Uint16Array(MOST_DISTINCT);
  readonly #names: string[] | undefined;
  #size = 0;

  constructor(names: boolean) {
    this.#names = names ? [] : undefined;
  }

  readonly take = (hash: number, from: number, to: number): void => {
    let slot = hash >>> 20;
    for (;;) {
      const place = this.#slots[slot] - 1;
      if (place < 0) break;
      if (this.#words[place] === hash) {
        this.#counts[place] = Math.min(0xffff, this.#counts[place] + this.step);
        return;
      }
      slot = (slot + 1) % SLOTS;
    }
    if (this.#size === MOST_DISTINCT) return;
    this.#words[this.#size] = hash;
    this.#counts[this.#size] = this.step;
    this.#names?.push(this.source.slice(from, to).toLowerCase());
    this.#slots[slot] = ++this.#size;
  };

  counted(): Pick<TopicFeatures, 'words' | 'counts' | 'names'> {
    return {
      words: this.#words.slice(0, this.#size),
      counts: this.#counts.slice(0, this.#size),
      ...(this.#names === undefined ? {} : { names: this.#names }),
    };
  }
}

function linkFeatures(links: readonly TopicLink[]): Pick<TopicFeatures, 'linkWords' | 'linkEnds'> {
  const linkEnds = new Uint32Array(links.length);
  let found = new Uint32Array(Math.min(links.length, MOST_LINKS) * 24 + 64);
  let size = 0;
  let kind = ANCHOR;
  const take = (hash: number): void => {
    if (size === found.length) {
      const longer = new Uint32Array(2 * size);
      longer.set(found);
      found = longer;
    }
    found[size++] = (hash | kind) >>> 0;
  };
  for (let link = 0; link < links.length; link++) {
    if (link < MOST_LINKS) {
      const { anchor, around, url } = links[link];
      kind = ANCHOR;
      eachWord(anchor, MOST_ANCHOR_WORDS, take);
      kind = AROUND;
      eachWord(around, MOST_AROUND_WORDS, take);
      kind = URL_WORD;
      eachWord(wordsOfUrl(url), MOST_URL_WORDS, take);
    }
    linkEnds[link] = size;
  }
  return { linkWords: found.slice(0, size), linkEnds };
}

/** Without the scheme and the fragment; escapes are read where they are sound. */
function wordsOfUrl(url: string): string {
  const scheme = url.indexOf('://');
  const host = scheme < 0 ? 0 : scheme + 3;
  const fragment = url.indexOf('#', host);
  const part = url.slice(url.startsWith('www.', host) ? host + 4 : host, fragment < 0 ? url.length : fragment);
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
