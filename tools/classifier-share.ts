/** The share of a crawl's CPU whose call stack goes through what tells duplicates, traps, mirrors, soft 404s and spam. */
import { Session } from 'node:inspector/promises';

/** What is called for that reason alone. */
const PARTS: readonly (readonly [name: string, files: RegExp])[] = [
  ['spam', /src\/(?:extract|rank)\/spam\//],
  ['sketches and near duplicates', /src\/dedupe\/near\/|src\/crawl\/learning\/near-duplicates|sketch-rows/],
  ['soft 404s', /src\/dedupe\/soft-not-found\//],
  ['mirrors', /src\/dedupe\/mirrors\//],
  ['traps and budgets', /src\/scope\/traps\/|src\/frontier\/(?:domain-budgets|supporter-counts)|new-host-pace/],
  [
    'the rest',
    /src\/crawl\/(?:learning\/(?:page-classifier|learned-state|switches)|visit\/cloaking-checks|settlement\/out-hosts)\.ts/,
  ],
];

export interface ClassifierShare {
  /** Of all samples that were not idle, 0 to 1. The garbage collector's are spread over all alike. */
  readonly all: number;
  readonly parts: readonly (readonly [name: string, share: number])[];
}

/** Samples the stack while `work` runs. */
export async function classifierShare(work: () => Promise<unknown>): Promise<ClassifierShare> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const partOf = (id: number): number => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const url = nodes.get(at)?.callFrame.url ?? '';
      const part = PARTS.findIndex(([, files]) => files.test(url));
      if (part >= 0) return part;
    }
    return -1;
  };
  const known = new Map(profile.nodes.map(({ id }) => [id, partOf(id)]));
  const spent = PARTS.map(() => 0);
  let total = 0;
  profile.samples?.forEach((id, at) => {
    const name = nodes.get(id)?.callFrame.functionName;
    if (name === '(idle)' || name === '(garbage collector)') return;
    const took = profile.timeDeltas?.[at] ?? 0;
    total += took;
    const part = known.get(id) ?? -1;
    if (part >= 0) spent[part] += took;
  });
  const shares = PARTS.map(([name], part) => [name, spent[part] / total] as const);
  return { all: shares.reduce((sum, [, share]) => sum + share, 0), parts: shares };
}
