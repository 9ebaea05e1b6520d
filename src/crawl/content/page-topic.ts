import type { TopicFeatures } from '../../contracts/content/topic.ts';
import { topicFeatures } from '../../rank/topic/topic-features.ts';
import type { PackedLinks } from '../workers/packed-links.ts';
import type { ReadDocument } from './document-reader.ts';
import type { ExtractedContent } from './extracted-content.ts';

/** Characters of the text before and after a link that say what it is about. */
const REACH = 120;

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

/** The words around each link: its text is looked for in the page's, in order. None where it is not found. */
function linkSurroundings(text: string, anchors: readonly string[]): string[] {
  let from = 0;
  return anchors.map((anchor) => {
    if (anchor === '') return '';
    const at = text.indexOf(anchor, from);
    if (at === -1) return '';
    from = at + anchor.length;
    const before = text.lastIndexOf('\n', at) + 1;
    const lineEnd = text.indexOf('\n', from);
    const after = lineEnd === -1 ? text.length : lineEnd;
    return `${text.slice(Math.max(before, at - REACH), at)} ${text.slice(from, Math.min(after, from + REACH))}`;
  });
}
