import { readFileSync } from 'node:fs';
import { OrbweaverError } from '../../base/errors.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { Harvest, TopicFeatures } from '../../contracts/content/topic.ts';
import { hasTellingWord } from '../../rank/topic/has-telling-word.ts';
import { topicFeatures } from '../../rank/topic/topic-features.ts';
import { createTopicJudge } from '../../rank/topic/topic-judge.ts';
import { isFocused } from '../settings-to-parts.ts';
import { Focus } from './focus.ts';

/** What a focused crawl keeps from run to run; in the state under the name 'focus'. */
export interface FocusSnapshot {
  /** What the judge has learnt, and on which topic. */
  readonly judge?: unknown;
  readonly topic?: string;
  /** For people. */
  readonly harvest?: Harvest;
  /** Texts of the sample pages by their URLs, so that they are fetched once. */
  readonly samples: Readonly<Record<string, string>>;
}

export interface FocusSources {
  readonly settings: Settings;
  readonly kept: FocusSnapshot | undefined;
  readonly write: (kept: FocusSnapshot) => void;
  /** Main texts of pages, fetched as politely as ever, by their URLs. */
  readonly fetchTexts: (urls: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Told of sample pages that could not be had. */
  readonly onMissing: (urls: readonly string[]) => void;
}

export interface OpenedFocus {
  readonly focus: Focus;
  /** Writes what is kept, where new pages were judged since the last time. */
  save(): void;
}

/** A topic from words, a file, sample pages; undefined where the crawl has none. */
export async function openFocus({
  settings,
  kept,
  write,
  fetchTexts,
  onMissing,
}: FocusSources): Promise<OpenedFocus | undefined> {
  if (!isFocused(settings)) return undefined;
  const { like, unlike, tunnel, dryAfter } = settings;
  const known = { ...kept?.samples };
  const missing = [...like, ...unlike].filter((url) => known[url] === undefined);
  if (missing.length > 0) for (const [url, text] of await fetchTexts(missing)) known[url] = text;
  const absent = missing.filter((url) => known[url] === undefined);
  if (absent.length > 0) onMissing(absent);
  const description = topicDescription(settings);
  const samples = (urls: readonly string[]) => urls.flatMap((url) => sampleOf(known[url]));
  const liked = samples(like);
  if (description === '' && liked.length === 0) {
    throw new OrbweaverError('SETTING_INVALID', 'The topic is empty: none of the sample pages has a text.', {
      remedy: 'Look at them with: orbweaver inspect page URL; or describe the topic with --topic.',
    });
  }
  const topic = JSON.stringify([description, like, unlike]);
  const learnt = kept?.topic === topic ? kept.judge : undefined;
  const judge = createTopicJudge({ description, like: liked, unlike: samples(unlike), tunnel, dryAfter }, learnt);
  const focus = new Focus(judge);
  let savedPages: number | undefined;
  const save = (): void => {
    const { harvest } = focus;
    // What is learnt may be large, and comes from new pages alone: visits again and waiting add nothing to it.
    if (harvest.pages === savedPages) return;
    savedPages = harvest.pages;
    write({ judge: focus.toJSON(), topic, harvest, samples: known });
  };
  // Sample pages are not fetched again, whatever happens.
  save();
  return { focus, save };
}

function sampleOf(text: string | undefined): TopicFeatures[] {
  return text === undefined ? [] : [topicFeatures({ title: '', text, links: [], names: true })];
}

/** The topic in words, as the user gave it. One that no page could be told by is refused, unless sample pages say more. */
export function topicDescription(settings: Settings): string {
  const description = writtenTopic(settings);
  if (!isFocused(settings) || settings.like.length > 0 || hasTellingWord(description)) return description;
  const words = JSON.stringify(description.length > 60 ? `${description.slice(0, 60)}…` : description);
  throw new OrbweaverError('SETTING_INVALID', `The topic ${words} has no word by which pages could be told apart.`, {
    remedy: 'Describe it with words that pages on it have and others have not, such as: --topic "jumping spiders".',
  });
}

function writtenTopic({ topic, topicFile }: Settings): string {
  if (topicFile === '') return topic;
  try {
    return `${topic}\n${readFileSync(topicFile, 'utf8')}`.trim();
  } catch (cause) {
    throw new OrbweaverError('SETTING_INVALID', `topic-file: ${topicFile} cannot be read.`, {
      cause,
      remedy: 'Name a text file that describes the topic, or describe it with --topic.',
    });
  }
}
