import type { TopicFeatures } from '../contracts/content/topic.ts';
import { topicFeatures } from '../rank/topic/topic-features.ts';
import { createTopicJudge } from '../rank/topic/topic-judge.ts';
import { type RecordedGraph, RecordedGraphBuilder } from './replay/recorded-graph.ts';
import { TopicWeb, type TopicWebOptions } from './topic-web.ts';

/** What a focused crawl is after, what it reads on each page of a graph, and what is true. */
export interface TopicPages {
  /** As somebody would describe it who looks for it. */
  readonly description: string;
  /** Links in the order of the graph's. */
  features(page: number): TopicFeatures;
  isOnTopic(page: number): boolean;
}

/** A web made of topics, as graph and as text; the crawl looks for one of them. */
export function pagesOfTopicWeb(
  options: TopicWebOptions,
  topic: number,
): { readonly graph: RecordedGraph; readonly pages: TopicPages } {
  const web = new TopicWeb(options);
  const builder = new RecordedGraphBuilder();
  for (let page = 0; page < web.pages; page++) for (const to of web.targets(page)) builder.add(page, to);
  // Named pages may share a name; a number behind it keeps each page one page.
  const urls = distinct(Array.from({ length: web.pages }, (_, page) => web.url(page)));
  return {
    graph: builder.build(urls),
    pages: {
      description: web.description(topic),
      features: (page) => {
        const { title, text, links } = web.page(page);
        return topicFeatures({ title, text, links });
      },
      isOnTopic: (page) => web.topicOf(page) === topic,
    },
  };
}

/** The pages of a graph with texts. A judge that has read all of them says which are on topic, for every crawl alike. */
export function pagesAbout(description: string, graph: RecordedGraph): TopicPages {
  const { urls, starts, targets, anchors, texts } = graph;
  const features = (page: number): TopicFeatures => {
    const links = Array.from(targets.subarray(starts[page], starts[page + 1]), (to, at) => ({
      anchor: anchors?.[starts[page] + at] ?? '',
      around: '',
      url: urls[to],
    }));
    return topicFeatures({ title: '', text: texts?.[page] ?? '', links });
  };
  const judge = createTopicJudge({ description, tunnel: 0, dryAfter: Number.MAX_SAFE_INTEGER });
  for (let page = 0; page < urls.length; page++) judge.judge(features(page), 0);
  const onTopic = Uint8Array.from(urls, (_, page) => (judge.judge(features(page), 0).relevance >= 0.5 ? 1 : 0));
  return { description, features, isOnTopic: (page) => onTopic[page] === 1 };
}

function distinct(urls: readonly string[]): string[] {
  const seen = new Set<string>();
  return urls.map((url, page) => {
    const own = seen.has(url) ? `${url}-${page}` : url;
    seen.add(own);
    return own;
  });
}
