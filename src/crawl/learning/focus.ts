import { fingerprint } from '../../base/fingerprint.ts';
import type { Harvest, TopicJudge } from '../../contracts/content/topic.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import type { PageWork } from '../visit/page-work.ts';

/** What a focused crawl makes of a page. */
export interface Focused {
  readonly relevance: number;
  readonly why: string;
  /** For each link. */
  readonly promise: Float32Array;
  /** Why none of its links is followed. */
  readonly deadEnd?: string;
  /** Pages off topic in a row, this one included: what its links begin with. */
  readonly offTopic: number;
}

const RELEVANT = 0.5;

/** Keeps a crawl on its topic. */
export class Focus {
  readonly #judge: TopicJudge;

  constructor(judge: TopicJudge) {
    this.#judge = judge;
  }

  /** Nothing has come for so long that the rest is not worth it. */
  get driedUp(): boolean {
    return this.#judge.driedUp;
  }

  get harvest(): Harvest {
    return this.#judge.harvest();
  }

  /** Undefined where the visit gave no page. One that is visited again is judged as it is now, but counts no second time. */
  of({ task, earlier }: Claim, work: PageWork): Focused | undefined {
    if (work.kind !== 'page' || work.topic === undefined) return undefined;
    const { topic: features, links } = work;
    const before = task.offTopic ?? 0;
    const urls = { page: task.fingerprint ?? fingerprint(task.url), links: links.fingerprints };
    const judge = this.#judge;
    const { relevance, promise, why } =
      earlier?.digest === undefined ? judge.judge(features, before, urls) : judge.judgeAgain(features, before, urls);
    const offTopic = relevance >= RELEVANT ? 0 : before + 1;
    const follows = judge.follows(relevance, before);
    const deadEnd = follows
      ? undefined
      : `the page that links to it is off topic, the last of ${offTopic} in a row (${why})`;
    return { relevance, why, promise, offTopic, ...(deadEnd === undefined ? {} : { deadEnd }) };
  }

  toJSON(): unknown {
    return this.#judge.toJSON();
  }
}
