import type { Readable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import { SyntheticWeb } from '../simulate/model/synthetic-web.ts';
import { type WebSpecOverrides, webSpec } from '../simulate/model/web-spec.ts';
import { type GeneratedGraphOptions, generateGraph, startOfGenerated } from './generated-graph.ts';
import { readChangeFiles } from './replay/change-file.ts';
import type { ChangeRecord } from './replay/change-record.ts';
import { readGraph } from './replay/graph-file.ts';
import { readRecordedCrawl } from './replay/recorded-crawl.ts';
import type { RecordedGraph } from './replay/recorded-graph.ts';
import { readWarcFiles } from './replay/recorded-warc.ts';
import type { ReportSource } from './report/laboratory-report.ts';
import { changesOfWeb, graphOfWeb } from './synthetic-record.ts';
import { pagesAbout, pagesOfTopicWeb, type TopicPages } from './topic-pages.ts';

/** Where an experiment is to take place: one of them, but for a graph and a history, which may come together. */
export interface SourceChoice {
  /** Parameters of a synthetic web. */
  readonly spec?: WebSpecOverrides;
  /** Pages of a graph that is grown like the web. */
  readonly generate?: number;
  /** Pages of a web made of topics, for focused crawls. */
  readonly topicWeb?: number;
  /** Words that a focused crawl looks for, in a crawl or a graph with titles. */
  readonly topic?: string;
  /** Folder of a crawl. */
  readonly crawl?: string;
  /** WARC files, of whatever crawler. */
  readonly warc?: readonly string[];
  /** Files of a graph. */
  readonly graph?: string;
  readonly nodes?: string;
  /** Files of change histories. */
  readonly changes?: readonly string[];
}

export interface LaboratorySource {
  readonly kind: ReportSource['kind'];
  readonly name: string;
  /** Absent where nothing is known of links, or of changes. */
  graph?(): RecordedGraph;
  changes?(): ChangeRecord;
  /** The pages that a crawl would start from, where it is not the first. */
  readonly start?: readonly number[];
  /** What a focused crawl is after, where pages have text. */
  readonly topic?: TopicPages;
}

/** Half of its pages change, once in 100 days to several times a day. */
const DEFAULT_SPEC: WebSpecOverrides = { hosts: 20, pagesPerHost: 100, changingShare: 0.5, changesPerDay: [0.01, 4] };
/** Small hosts, so that each node has many of them. */
export const CLUSTER_SPEC: WebSpecOverrides = { hosts: 250, pagesPerHost: 16 };
const DEFAULT_DAYS = 90;
const PAGES_PER_TOPIC = 400;

export async function openSource(
  choice: SourceChoice,
  days: number | undefined,
  { clock, standardInput, seed }: { readonly clock: Clock; readonly standardInput: Readable; readonly seed: number },
): Promise<LaboratorySource> {
  refuseContradictions(choice);
  const { crawl, warc, graph, nodes, changes, topic } = choice;
  if (crawl !== undefined) {
    const recorded = await readRecordedCrawl(crawl, clock, topic !== undefined);
    return {
      ...{ kind: 'recorded crawl', name: crawl, graph: () => recorded.graph, changes: () => recorded.changes },
      ...(recorded.seeds.length === 0 ? {} : { start: recorded.seeds }),
      ...topicIn(recorded.graph, topic),
    };
  }
  if (warc !== undefined) {
    const recorded = await readWarcFiles(warc, topic !== undefined);
    const name = warc.map(fileName).join(', ');
    return {
      ...{ kind: 'recorded crawl', name, graph: () => recorded.graph, changes: () => recorded.changes },
      ...topicIn(recorded.graph, topic),
    };
  }
  if (choice.generate !== undefined) return generatedSource({ pages: choice.generate, seed });
  if (choice.topicWeb !== undefined) return topicSource(choice.topicWeb, seed);
  if (graph === undefined && changes === undefined) return syntheticSource(choice.spec ?? DEFAULT_SPEC, days);
  const links = graph === undefined ? undefined : await readGraph(graph, nodes, standardInput);
  const record = changes === undefined ? undefined : await readChangeFiles(changes, standardInput);
  return {
    kind: record === undefined ? 'graph' : links === undefined ? 'change history' : 'graph and change history',
    name: [...(graph === undefined ? [] : [graph]), ...(changes ?? [])].map(fileName).join(', '),
    ...(links === undefined ? {} : { graph: () => links, ...topicIn(links, topic) }),
    ...(record === undefined ? {} : { changes: () => record }),
  };
}

function topicIn(graph: RecordedGraph, topic: string | undefined): { readonly topic?: TopicPages } {
  if (topic === undefined) return {};
  if (graph.texts?.some((text) => text !== '') === true) return { topic: pagesAbout(topic, graph) };
  throw new OrbweaverError('USAGE', 'A topic needs pages that say something, but these have no texts and no titles.', {
    remedy: 'Give --nodes with a "title" for each page, or a crawl whose pages were stored with their texts.',
  });
}

function syntheticSource(overrides: WebSpecOverrides, days = DEFAULT_DAYS): LaboratorySource {
  const spec = webSpec(overrides);
  const web = new SyntheticWeb(spec, { mode: 'names', port: 80, hostsPerAddress: 0 });
  return {
    kind: 'synthetic web',
    name: `with seed ${spec.seed}`,
    graph: () => graphOfWeb(web),
    ...(spec.changingShare === 0 ? {} : { changes: () => changesOfWeb(web, days) }),
  };
}

function generatedSource(options: GeneratedGraphOptions): LaboratorySource {
  const graph = generateGraph(options);
  const start = startOfGenerated(graph, options);
  return { kind: 'generated graph', name: `with seed ${options.seed}`, graph: () => graph, start: [start] };
}

function topicSource(count: number, seed: number): LaboratorySource {
  const { graph, pages } = pagesOfTopicWeb(
    { seed, pages: count, topics: Math.max(2, Math.round(count / PAGES_PER_TOPIC)) },
    0,
  );
  return { kind: 'web of topics', name: `with seed ${seed}`, graph: () => graph, topic: pages };
}

function refuseContradictions(choice: SourceChoice): void {
  const { spec, generate, topicWeb, topic, crawl, warc, graph, nodes, changes } = choice;
  const given = [
    ...(spec === undefined ? [] : ['--spec']),
    ...(generate === undefined ? [] : ['--generate']),
    ...(topicWeb === undefined ? [] : ['--topic-web']),
    ...(crawl === undefined ? [] : ['--crawl']),
    ...(warc === undefined ? [] : ['--warc']),
    ...(graph === undefined && changes === undefined ? [] : [graph === undefined ? '--changes' : '--graph']),
  ];
  if (given.length > 1) {
    throw new OrbweaverError('USAGE', `${given.join(' and ')} cannot be used together.`, {
      remedy:
        'Name one place to experiment on: --spec, --generate, --topic-web, --crawl, --warc, or --graph and --changes.',
    });
  }
  if (topic !== undefined && crawl === undefined && warc === undefined && graph === undefined) {
    throw new OrbweaverError('USAGE', '--topic looks into the pages of a crawl or of a graph, but none is given.', {
      remedy:
        'Add --crawl FOLDER, --warc FILE or --graph EDGES --nodes NODES; a web made of topics is --topic-web PAGES.',
    });
  }
  if (nodes !== undefined && graph === undefined) {
    throw new OrbweaverError('USAGE', '--nodes names the pages of a graph, but no --graph is given.', {
      remedy: 'Add --graph FILE with the links between them.',
    });
  }
}

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
