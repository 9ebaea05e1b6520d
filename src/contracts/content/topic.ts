/** The words of a page and its links as hashes: made where it is read, judged where links are, by one model for all. */
export interface TopicFeatures {
  /** Distinct words of title and main text, and how often each is there. */
  readonly words: Uint32Array;
  readonly counts: Uint16Array;
  /** Of each link (in the order of the page's links) the words of its anchor, its surroundings and its URL, one after another. */
  readonly linkWords: Uint32Array;
  /** Where the words of each link end in `linkWords`. */
  readonly linkEnds: Uint32Array;
  /** The words themselves in the order of `words`, of sample pages only: what the topic is can then be told in words. */
  readonly names?: readonly string[];
}

/** Which page was visited and whereto its links lead, by which the judge learns what its promises were worth. */
export interface TopicUrls {
  readonly page: bigint;
  /** Fingerprints in the order of the page's links; 0 for a link that is not followed. */
  readonly links: BigUint64Array;
}

export interface TopicJudgement {
  /** How far the page is on the topic, 0 to 1; from one half on it counts as relevant. */
  readonly relevance: number;
  /** For each link what its words and its page promise, 0 to 1. */
  readonly promise: Float32Array;
  /** In words, for `explain`. */
  readonly why: string;
}

export interface Harvest {
  readonly pages: number;
  readonly relevant: number;
  /** Share of relevant pages among the last ones. */
  readonly recentRate: number;
}

/** Decides what is on topic, and learns while it crawls. In the deciding thread; all state is plain data in `toJSON`. */
export interface TopicJudge {
  /** `offTopicBefore`: pages in a row before this one, on the way to it, that were off topic. */
  judge(features: TopicFeatures, offTopicBefore: number, urls?: TopicUrls): TopicJudgement;
  /** The same for a page that was judged before: it counts in no harvest, and nothing is learnt from it a second time. */
  judgeAgain(features: TopicFeatures, offTopicBefore: number, urls?: TopicUrls): TopicJudgement;
  /** Whether links of a page may be followed at all: a few pages off topic may be tunnelled through. */
  follows(relevance: number, offTopicBefore: number): boolean;
  harvest(): Harvest;
  /** Nothing relevant has come for so long that the rest is hardly worth it. */
  readonly driedUp: boolean;
  toJSON(): unknown;
}
