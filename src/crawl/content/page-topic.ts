import type { TopicFeatures } from '../../contracts/content/topic.ts';
import { topicFeatures } from '../../rank/topic/topic-features.ts';
import type { PackedLinks } from '../workers/packed-links.ts';
import type { ReadDocument } from './document-reader.ts';
import type { ExtractedContent } from './extracted-content.ts';
import { linkSurroundings } from './link-surroundings.ts';

/** The words of a page and of its links, in the order of the links. */
export function pageTopic(
  { page, text }: ReadDocument,
  extracted: ExtractedContent | undefined,
  { urls, texts, fingerprints }: PackedLinks,
): TopicFeatures {
  const anchors = texts.split('\n');
  const around = linkSurroundings(text, anchors);
  const links =
    fingerprints.length === 0
      ? []
      : urls.split('\n').map((url, at) => ({ url, anchor: anchors[at], around: around[at] }));
  return topicFeatures({
    title: page?.title || extracted?.about.title || '',
    text: extracted?.text ?? text,
    links,
  });
}
