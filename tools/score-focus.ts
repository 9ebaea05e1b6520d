/**
 * How much sooner a focused crawl finds the pages of a topic than breadth-first, from the same general page:
 *
 *   npx node tools/score-focus.ts [mdn] [web] [--pages=30000] [--each] [--json]
 *
 * `mdn`: links, titles and anchor texts of a documentation site (data set web-graph beside the checkout); the words of a
 * page are its title and the anchors of its links, and areas of the site, told by URL, are the topics. Therefore it is
 * scored with and without the words of URLs. `web`: the synthetic web of topics. Each with a description of a few words,
 * and with five sample pages of the topic and five of others, which then do not count as found.
 * Ends with 1 where the mean falls short of three times breadth-first's harvest or of half the relevant pages after 10 %.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { BinaryHeap } from '../src/base/binary-heap.ts';
import { fingerprint } from '../src/base/fingerprint.ts';
import type { TopicFeatures } from '../src/contracts/content/topic.ts';
import { TopicWeb } from '../src/laboratory/topic-web.ts';
import { topicFeatures } from '../src/rank/topic/topic-features.ts';
import { createTopicJudge, type TopicJudgeOptions } from '../src/rank/topic/topic-judge.ts';
import { hash32 } from '../src/simulate/model/seeded-hash.ts';
import { corpus } from '../test/corpora.ts';

/** Shares of the graph at which is counted. */
const BUDGETS = [0.01, 0.02, 0.05, 0.1, 0.25];
const TARGET = BUDGETS.indexOf(0.1);
const SAMPLES = 5;
const TUNNEL = 3;

export interface FocusGraph {
  readonly name: string;
  readonly pages: number;
  readonly start: number;
  features(page: number, names?: boolean): TopicFeatures;
  links(page: number): readonly number[];
}

export interface FocusTopic {
  readonly description: string;
  isRelevant(page: number): boolean;
}

/** Per budget: relevant pages among those fetched, and the share of all relevant pages that they are. */
export interface Found {
  readonly harvest: readonly number[];
  readonly recall: readonly number[];
}

export interface FocusScore {
  readonly graph: string;
  readonly topic: string;
  readonly by: 'description' | 'samples';
  readonly relevant: number;
  readonly breadth: Found;
  readonly focused: Found;
  /** The judge's own word on the pages it met, against the truth. */
  readonly precision: number;
  readonly kept: number;
  readonly microsecondsPerPage: number;
}

export function scoreTopic(graph: FocusGraph, topic: FocusTopic, by: FocusScore['by']): FocusScore {
  const relevant = Array.from({ length: graph.pages }, (_, page) => page).filter((page) => topic.isRelevant(page));
  const others = Array.from({ length: SAMPLES }, (_, at) => hash32(1, at, 0, 7) % graph.pages);
  const like = by === 'samples' ? spread(relevant, SAMPLES) : [];
  const unlike = by === 'samples' ? others.filter((page) => !topic.isRelevant(page)) : [];
  const wanted = new Set(relevant.filter((page) => !like.includes(page)));
  const options: TopicJudgeOptions = {
    ...(by === 'description' ? { description: topic.description } : {}),
    like: like.map((page) => graph.features(page, true)),
    unlike: unlike.map((page) => graph.features(page, true)),
    tunnel: TUNNEL,
    dryAfter: graph.pages,
  };
  const most = Math.round(graph.pages * Math.max(...BUDGETS));
  const focused = crawlFocused(graph, options, most);
  return {
    graph: graph.name,
    topic: topic.description,
    by,
    relevant: wanted.size,
    breadth: found(crawlBreadth(graph, most), wanted, graph.pages),
    focused: found(focused.order, wanted, graph.pages),
    ...agreement(focused.order, focused.judgedRelevant, topic),
    microsecondsPerPage: focused.microsecondsPerPage,
  };
}

/** Pages so far apart in the list that they are not of one corner. */
function spread(pages: readonly number[], count: number): number[] {
  return Array.from(
    { length: Math.min(count, pages.length) },
    (_, at) => pages[Math.floor(((at + 0.5) * pages.length) / count)],
  );
}

interface FocusedCrawl {
  readonly order: readonly number[];
  readonly judgedRelevant: ReadonlySet<number>;
  readonly microsecondsPerPage: number;
}

interface Waiting {
  readonly page: number;
  readonly promise: number;
  readonly number: number;
  readonly offTopicBefore: number;
}

/** The most promising first; a page that is promised more later moves up. */
export function crawlFocused(graph: FocusGraph, options: TopicJudgeOptions, most: number): FocusedCrawl {
  const judge = createTopicJudge(options);
  const names = Array.from({ length: graph.pages }, (_, page) => fingerprint(`${graph.name}/${page}`));
  const best = new Float32Array(graph.pages).fill(-1);
  const visited = new Uint8Array(graph.pages);
  const waiting = new BinaryHeap<Waiting>(
    (a, b) => a.promise > b.promise || (a.promise === b.promise && a.number < b.number),
  );
  waiting.push({ page: graph.start, promise: 1, number: 0, offTopicBefore: 0 });
  const order: number[] = [];
  const judgedRelevant = new Set<number>();
  let number = 0;
  let time = 0;
  while (order.length < most) {
    const next = waiting.pop();
    if (next === undefined) break;
    const { page, offTopicBefore } = next;
    if (visited[page] === 1) continue;
    visited[page] = 1;
    order.push(page);
    const features = graph.features(page);
    const links = graph.links(page);
    const urls = { page: names[page], links: BigUint64Array.from(links, (to) => names[to]) };
    const start = performance.now();
    const { relevance, promise } = judge.judge(features, offTopicBefore, urls);
    time += performance.now() - start;
    if (relevance >= 0.5) judgedRelevant.add(page);
    if (!judge.follows(relevance, offTopicBefore)) continue;
    for (const [at, to] of links.entries()) {
      if (visited[to] === 1 || promise[at] <= best[to]) continue;
      best[to] = promise[at];
      waiting.push({
        page: to,
        promise: promise[at],
        number: ++number,
        offTopicBefore: relevance >= 0.5 ? 0 : offTopicBefore + 1,
      });
    }
  }
  return { order, judgedRelevant, microsecondsPerPage: (1000 * time) / order.length };
}

export function crawlBreadth(graph: FocusGraph, most: number): number[] {
  const order = [graph.start];
  const known = new Set(order);
  for (let at = 0; at < order.length && order.length < most; at++) {
    for (const to of graph.links(order[at])) {
      if (known.has(to)) continue;
      known.add(to);
      order.push(to);
    }
  }
  return order.slice(0, most);
}

function found(order: readonly number[], wanted: ReadonlySet<number>, pages: number): Found {
  const counts = BUDGETS.map(
    (share) => order.slice(0, Math.round(share * pages)).filter((page) => wanted.has(page)).length,
  );
  return {
    harvest: counts.map((count, at) => count / Math.round(BUDGETS[at] * pages)),
    recall: counts.map((count) => count / wanted.size),
  };
}

function agreement(
  order: readonly number[],
  judged: ReadonlySet<number>,
  topic: FocusTopic,
): { precision: number; kept: number } {
  const met = order.filter((page) => topic.isRelevant(page));
  const right = met.filter((page) => judged.has(page)).length;
  return { precision: right / Math.max(1, judged.size), kept: right / Math.max(1, met.length) };
}

export function readMdn(folder: string, urlWords: boolean): { graph: FocusGraph; topics: FocusTopic[] } {
  const pages = linesOf(`${folder}/mdn-nodes.jsonl.gz`).map(
    (line) => JSON.parse(line) as { url: string; title: string },
  );
  const links: { to: number; anchor: string }[][] = pages.map(() => []);
  for (const line of linesOf(`${folder}/mdn-edges.tsv.gz`)) {
    // An anchor text may go on in lines of its own.
    const edge = /^(\d+)\t(\d+)(?:\t(.*))?$/.exec(line);
    if (edge !== null) links[Number(edge[1])].push({ to: Number(edge[2]), anchor: edge[3] ?? '' });
  }
  const graph: FocusGraph = {
    name: urlWords ? 'mdn' : 'mdn without URL words',
    pages: pages.length,
    start: pages.findIndex(({ url }) => url.endsWith('/docs/Web')),
    links: (page) => links[page].map(({ to }) => to),
    features: (page, names = false) => {
      const list = links[page];
      return topicFeatures({
        title: pages[page].title,
        text: list.map(({ anchor }) => anchor).join('. '),
        links: list.map(({ to, anchor }, at) => ({
          anchor,
          around: `${list[at - 1]?.anchor ?? ''} ${list[at + 1]?.anchor ?? ''}`,
          url: urlWords ? pages[to].url : '',
        })),
        names,
      });
    },
  };
  const topics = MDN_TOPICS.map(([description, area]) => ({
    description,
    isRelevant: (page: number) => area.test(pages[page].url),
  }));
  return { graph, topics };
}

const MDN_TOPICS: readonly (readonly [string, RegExp])[] = [
  ['WebGL', /\/Web\/API\/WebGL/],
  ['SVG', /\/Web\/(SVG|API\/SVG)/],
  ['IndexedDB', /\/Web\/API\/(IDB|IndexedDB)/],
  ['CSS grid layout', /\/Web\/CSS\/.*grid/i],
  ['WebRTC peer connection', /\/Web\/API\/(RTC|WebRTC)/],
  ['WebAssembly', /\/docs\/WebAssembly/],
  ['web audio', /\/Web\/API\/.*Audio/],
  ['accessibility ARIA', /\/Accessibility\/ARIA/],
  ['Temporal dates and times', /\/Global_Objects\/Temporal/],
  ['XSLT and XPath', /\/Web\/XML\/(XSLT|XPath|EXSLT)/],
  ['browser extensions, WebExtensions', /\/Add-ons\/WebExtensions/],
  ['HTTP headers', /\/HTTP\/Reference\/Headers/],
];

export function makeTopicWeb(pages: number): { graph: FocusGraph; topics: FocusTopic[] } {
  const web = new TopicWeb({ seed: 11, pages, topics: 30 });
  const made = new Map<number, TopicFeatures>();
  const features = (page: number, names = false): TopicFeatures => {
    const known = made.get(page);
    if (known !== undefined && !names) return known;
    const fresh = topicFeatures({ ...web.page(page), names });
    if (!names) made.set(page, fresh);
    return fresh;
  };
  const graph: FocusGraph = { name: 'topic web', pages, start: 0, features, links: (page) => web.targets(page) };
  const topics = [3, 9, 15, 21, 27].map((topic) => ({
    description: web.description(topic),
    isRelevant: (page: number) => web.topicOf(page) === topic,
  }));
  return { graph, topics };
}

function linesOf(file: string): string[] {
  return gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

interface Summary {
  readonly harvestRatio: number;
  readonly recall: number;
  readonly text: string;
}

function summarize(title: string, scores: readonly FocusScore[]): Summary {
  const means = (of: (score: FocusScore) => readonly number[]): number[] =>
    BUDGETS.map((_, at) => mean(scores.map((score) => of(score)[at])));
  const breadth = { harvest: means(({ breadth }) => breadth.harvest), recall: means(({ breadth }) => breadth.recall) };
  const focused = { harvest: means(({ focused }) => focused.harvest), recall: means(({ focused }) => focused.recall) };
  const row = (name: string, values: readonly number[]): string =>
    `  ${name.padEnd(30)}${values.map((value) => percent(value).padStart(8)).join('')}`;
  const ratios = BUDGETS.map((_, at) => focused.harvest[at] / breadth.harvest[at]);
  const text = [
    `${title} (${scores.length} topics, ${mean(scores.map(({ relevant }) => relevant)).toFixed(0)} relevant pages each)`,
    row('share of the graph fetched', BUDGETS),
    row('harvest, breadth-first', breadth.harvest),
    row('harvest, focused', focused.harvest),
    `  ${'times breadth-first'.padEnd(30)}${ratios.map((ratio) => ratio.toFixed(1).padStart(8)).join('')}`,
    row('relevant found, breadth-first', breadth.recall),
    row('relevant found, focused', focused.recall),
    `  judged relevant and is: ${percent(mean(scores.map(({ precision }) => precision)))}; is and judged so: ` +
      `${percent(mean(scores.map(({ kept }) => kept)))}; ${mean(scores.map((score) => score.microsecondsPerPage)).toFixed(0)} µs per page judged`,
  ].join('\n');
  return { harvestRatio: ratios[TARGET], recall: focused.recall[TARGET], text };
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}

function describe({ topic, relevant, breadth, focused, precision, kept }: FocusScore): string {
  const shares = [1, 2, 3].map((at) => `${percent(breadth.recall[at])} -> ${percent(focused.recall[at])}`).join(' | ');
  return `    ${topic.padEnd(34)} ${String(relevant).padStart(4)} ${shares}  P ${precision.toFixed(2)} R ${kept.toFixed(2)}`;
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const chosen = args.filter((arg) => !arg.startsWith('--'));
  const wants = (name: string): boolean => chosen.length === 0 || chosen.includes(name);
  const pages = Number(args.find((arg) => arg.startsWith('--pages='))?.slice('--pages='.length) ?? 30_000);
  const folder = corpus('web-graph');
  const sets = [
    ...(wants('mdn') && folder !== undefined ? [readMdn(folder, true), readMdn(folder, false)] : []),
    ...(wants('web') ? [makeTopicWeb(pages)] : []),
  ];
  if (wants('mdn') && folder === undefined) console.log('The data set web-graph is not beside the checkout: left out.');
  let reached = true;
  for (const { graph, topics } of sets) {
    for (const by of ['description', 'samples'] as const) {
      const scores = topics.map((topic) => scoreTopic(graph, topic, by));
      const { harvestRatio, recall, text } = summarize(`${graph.name}, by ${by}`, scores);
      reached &&= harvestRatio >= 3 && recall >= 0.5;
      if (args.includes('--json')) console.log(JSON.stringify(scores));
      else console.log([text, ...(args.includes('--each') ? scores.map(describe) : [])].join('\n'));
    }
  }
  process.exitCode = reached ? 0 : 1;
}
