import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Which stage the time of a file counts for; the first that fits. What several stages use counts for who called it. */
const STAGES: readonly (readonly [path: RegExp, stage: string])[] = [
  [/src\/fetch\/|node_modules\/undici/, 'fetch'],
  [/src\/convert\//, 'charset, documents'],
  [/src\/extract\/(?:extract-page|page-reader|element-reader|link-|anchor-text|index-fields)|src\/url\//, 'links'],
  [/src\/extract\/main-content\//, 'main text'],
  [/src\/extract\/(?:metadata|usage)/, 'metadata'],
  [/src\/extract\/language\//, 'language'],
  [/src\/extract\/spam\//, 'spam'],
  [/src\/extract\/read-page|src\/extract\/html-headings/, 'one pass over the page'],
  [/src\/dedupe\//, 'near-duplicates'],
  [/src\/crawl\/content\/(?:text-digest|folded-text)/, 'digest of the text'],
  [/src\/crawl\/visit\/page-hand-over|src\/search\/indexing\/handed\//, 'handing over to the index'],
  [/src\/archive\//, 'archive'],
  [/src\/engines\/links\//, 'link store'],
  [/src\/index\/analysis\//, 'index: analysis'],
  [/src\/index\//, 'index: segments'],
  [/src\/search\//, 'index: following'],
  [/src\/engines\//, 'state'],
  [/src\/(?:frontier|scope|rank|revisit)\/|src\/crawl\/(?:learning|settlement|revisits)\//, 'deciding'],
  [/src\/crawl\//, 'rest of the visit'],
];
const LOADING = /modules\/(?:esm|cjs|run_main|typescript)|deps\/amaro|bootstrap/;
const NOT_BUSY = new Set(['(idle)', '(root)']);

/** What share of the busy time of all threads each stage took, by the profiles in a folder; the largest first. */
export function stageShares(folder: string): (readonly [stage: string, share: number])[] {
  const times = new Map<string, number>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile')))
    addTimes(JSON.parse(readFileSync(join(folder, file), 'utf8')), times);
  const total = times.values().reduce((sum, time) => sum + time, 0);
  return [...times].map(([stage, time]) => [stage, time / total] as const).sort(([, a], [, b]) => b - a);
}

function addTimes({ nodes, samples, timeDeltas }: Profile, times: Map<string, number>): void {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const stages = new Map<number, string | undefined>();
  for (const { id } of nodes) stages.set(id, stageOf(id, byId, parents));
  for (const [at, id] of samples.entries()) {
    const stage = stages.get(id);
    if (stage !== undefined) times.set(stage, (times.get(stage) ?? 0) + timeDeltas[at]);
  }
}

function stageOf(
  id: number,
  byId: ReadonlyMap<number, ProfileNode>,
  parents: ReadonlyMap<number, number>,
): string | undefined {
  const name = byId.get(id)?.callFrame.functionName ?? '';
  if (NOT_BUSY.has(name)) return undefined;
  if (name === '(garbage collector)') return 'garbage collection';
  if (name === '(program)') return 'engine and system';
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const url = byId.get(at)?.callFrame.url ?? '';
    if (LOADING.test(url)) return 'loading modules';
    const stage = STAGES.find(([path]) => path.test(url))?.[1];
    if (stage !== undefined) return stage;
  }
  return 'engine and system';
}
