import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { OrbweaverError } from '../../../base/errors.ts';
import type { RevisitPolicyName } from '../../../contracts/revisit.ts';
import type { LaneChoice } from '../../../frontier/front-queues.ts';
import type { Budget } from '../../../laboratory/budget.ts';
import type { SourceChoice } from '../../../laboratory/laboratory-source.ts';
import type { LaboratoryOptions } from '../../../laboratory/run-laboratory.ts';
import type { WebSpecOverrides } from '../../../simulate/model/web-spec.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';

interface RunFlags extends Pick<SourceChoice, 'topic' | 'crawl' | 'warc' | 'graph' | 'nodes' | 'changes'> {
  readonly spec?: string;
  readonly generate?: string;
  readonly topicWeb?: string;
  readonly policy?: string;
  readonly order?: string;
  readonly budget?: string;
  readonly days?: string;
  readonly cluster?: string | true;
  readonly frontier?: string | true;
  readonly backQueues?: string;
  readonly laneChoice?: string;
  readonly lanes?: string;
  readonly rest?: string;
  readonly seed: string;
  readonly start?: readonly string[];
  readonly goal?: string;
  readonly knownRates?: boolean;
  readonly priorDays?: string;
  readonly json?: boolean;
  readonly out?: string;
  readonly threads?: string;
  readonly quiet?: boolean;
}

const DEFAULT_NODES = '4';
const MOST_NODES = 64;
const DEFAULT_THREADS = '20';
const DEFAULT_BACK_QUEUES: readonly string[] = ['1', '3', '10'];
const DEFAULT_REST = '10';
const MOST_THREADS = 10_000;
const LANE_CHOICES: readonly LaneChoice[] = ['strict', 'biased'];
const SPEC_FORM = 'Give parameters such as {"hosts": 50, "changingShare": 0.5}; see docs/synthetic-web.md.';

/** `orbweaver simulate run`: the crawler's own orders and re-visit policies over a known web, in virtual time. */
export function addSimulateRun(simulate: Command, version: string): void {
  simulate
    .command('run')
    .description(
      'Compare crawl orders and re-visit policies in virtual time, over a synthetic web, a crawl, a graph or a change history.',
    )
    .option('--spec <json>', 'a synthetic web, with parameters as for simulate serve')
    .option('--generate <pages>', 'a graph of this many pages that is grown like the web: orders')
    .option('--topic-web <pages>', 'a web of this many pages on topics, one of which is looked for: focused crawls')
    .option('--crawl <folder>', 'a recorded crawl: its pages, links and versions')
    .option('--warc <file...>', 'WARC files of any crawler (plain or gzip): the same')
    .option('--graph <file>', 'links, one "from to" per line (plain or gzip)')
    .option('--nodes <file>', 'the pages of the graph, one URL or {"url"} per line')
    .option('--changes <file...>', 'change histories, one {"url", "changes": [time...]} per line (plain or gzip)')
    .option('--topic <words>', 'focused crawls of a crawl, or of a graph with titles: what to look for')
    .option('--policy <names>', 're-visit policies: uniform, proportional, freshness, age')
    .option(
      '--order <names>',
      'crawl orders, such as breadth-first,opic,pagerank; a mix is joined by +: opic:2+depth:1',
    )
    .option('--budget <list>', 'visits per page and day (0.1 or 10%), or requests per day (500/day)')
    .option('--days <n>', 'the last days of a history; for orders the length of the crawl')
    .option('--goal <share>', 'a freshness such as 0.95 or 95%: what it costs by each policy')
    .option('--start <url...>', 'pages that orders start from; the first of the graph by default')
    .option(
      '--cluster [nodes]',
      'compare how nodes share a crawl: links that leave, partitions, assignment; 4 by default',
    )
    .option(
      '--frontier [threads]',
      "compare front and back queues: Mercator's beside a queue for every host, which a crawl has; 20 threads by default",
    )
    .option('--back-queues <list>', 'with --frontier: back queues for each thread; 1,3,10 by default')
    .option('--lane-choice <list>', 'with --frontier: how a front queue is selected; strict,biased by default')
    .option(
      '--lanes <n>',
      'with --frontier: front queues; by default those of a crawl: 8, or 64 for orders with scores',
    )
    .option('--rest <n>', 'with --frontier: rest of a host, in times that a request takes; 10 by default')
    .option('--known-rates', 'policies know the true rates of change, rather than learn them')
    .option('--prior-days <n>', 'policies begin with the rates that a crawl of so many days before has learnt')
    .option('--seed <n>', 'seed of all chance', '1')
    .option('--threads <n>', 'threads for replays of changes; one per core by default')
    .option('--json', 'print the measures as one JSON document')
    .option('--out <folder>', 'write a page with tables and plots, each plot as SVG, and the measures as JSON')
    .option('--quiet', 'no progress')
    .action((flags: RunFlags) => run(flags, version));
}

async function run(flags: RunFlags, version: string): Promise<void> {
  const { systemClock } = await import('../../../base/clock.ts');
  const { parseBudget } = await import('../../../laboratory/budget.ts');
  const { CLUSTER_SPEC, openSource } = await import('../../../laboratory/laboratory-source.ts');
  const { reportAsJson } = await import('../../../laboratory/report/laboratory-report.ts');
  const { namedMethods } = await import('../../../laboratory/named-methods.ts');
  const { runLaboratory } = await import('../../../laboratory/run-laboratory.ts');
  const { describeReport, makeReportFolder, writeLaboratoryReport } = await import(
    '../../../laboratory/report/write-laboratory-report.ts'
  );
  // Mistakes in the flags are told before long files are read.
  const methods: { readonly policies?: readonly RevisitPolicyName[]; readonly orders?: readonly string[] } =
    namedMethods(listed(flags.policy), listed(flags.order));
  const budgets: readonly Budget[] | undefined = listed(flags.budget)?.map(parseBudget);
  if (budgets?.length === 0)
    throw new OrbweaverError('USAGE', '--budget names nothing.', {
      remedy:
        'Give visits per page and day, such as 0.1 or 10%, or requests per day, such as 500/day; or leave it out.',
    });
  const days = flags.days === undefined ? undefined : daysOf('--days', flags.days);
  const priorDays = flags.priorDays === undefined ? undefined : daysOf('--prior-days', flags.priorDays);
  if (priorDays !== undefined && flags.knownRates === true)
    throw new OrbweaverError('USAGE', '--prior-days and --known-rates exclude each other.', {
      remedy: 'Leave one of them out: rates that are known need not be learnt.',
    });
  const goal = flags.goal === undefined ? undefined : goalOf(flags.goal);
  const seed = wholeNumber('--seed', flags.seed, 0, 0xffffffff);
  const threads =
    flags.threads === undefined ? availableParallelism() : wholeNumber('--threads', flags.threads, 1, 256);
  const nodes =
    flags.cluster === undefined
      ? undefined
      : wholeNumber('--cluster', flags.cluster === true ? DEFAULT_NODES : flags.cluster, 2, MOST_NODES);
  const frontier: FrontierFlags | undefined = frontierOf(flags);
  if (nodes !== undefined) refuseBeside('--cluster', flags);
  if (frontier !== undefined) refuseBeside('--frontier', flags);
  const tellsProgress = flags.quiet !== true && process.stderr.isTTY === true;
  const isNamed = [flags.generate, flags.topicWeb, flags.crawl, flags.warc, flags.graph, flags.changes].some(
    (flag) => flag !== undefined,
  );
  const choice = {
    ...(flags.spec === undefined
      ? (nodes === undefined && frontier === undefined) || isNamed
        ? {}
        : { spec: CLUSTER_SPEC }
      : { spec: specOf(flags.spec) }),
    ...(flags.generate === undefined ? {} : { generate: wholeNumber('--generate', flags.generate, 10, 100_000_000) }),
    ...(flags.topicWeb === undefined ? {} : { topicWeb: wholeNumber('--topic-web', flags.topicWeb, 100, 10_000_000) }),
    ...(flags.topic === undefined ? {} : { topic: flags.topic }),
    ...(flags.crawl === undefined ? {} : { crawl: flags.crawl }),
    ...(flags.warc === undefined ? {} : { warc: flags.warc }),
    ...(flags.graph === undefined ? {} : { graph: flags.graph }),
    ...(flags.nodes === undefined ? {} : { nodes: flags.nodes }),
    ...(flags.changes === undefined ? {} : { changes: flags.changes }),
  };
  const source = await openSource(choice, watchedDays(days, priorDays), {
    clock: systemClock,
    standardInput: process.stdin,
    seed,
  });
  if (flags.out !== undefined) makeReportFolder(flags.out);
  const report = await runLaboratory(source, {
    ...methods,
    ...{ seed, threads, knownRates: flags.knownRates === true },
    ...(budgets === undefined ? {} : { budgets }),
    ...(days === undefined ? {} : { days }),
    ...(priorDays === undefined ? {} : { priorDays }),
    ...(goal === undefined ? {} : { goal }),
    ...(flags.start === undefined ? {} : { start: flags.start }),
    ...(nodes === undefined ? {} : { nodes }),
    ...(frontier === undefined ? {} : { frontier }),
    ...(tellsProgress ? { onDone: (what: string) => process.stderr.write(`${what}\n`) } : {}),
  });
  process.stdout.write(flags.json === true ? `${reportAsJson(report)}\n` : describeReport(report));
  if (flags.out === undefined) return;
  const files = writeLaboratoryReport(flags.out, report, version);
  if (flags.json !== true) process.stdout.write(`\nWritten to ${flags.out}: ${files.join(', ')}\n`);
}

/** How long a synthetic web is watched. */
function watchedDays(days: number | undefined, priorDays: number | undefined): number | undefined {
  return days === undefined ? undefined : days + (priorDays ?? 0);
}

/** Nodes and frontiers are compared by themselves. */
function refuseBeside(
  flag: string,
  { policy, budget, days, goal, topic, topicWeb, knownRates, priorDays, cluster, frontier }: RunFlags,
): void {
  const others = {
    policy,
    budget,
    days,
    goal,
    topic,
    'topic-web': topicWeb,
    'known-rates': knownRates,
    'prior-days': priorDays,
  };
  const beside = Object.entries({ ...others, cluster, frontier })
    .filter(([name, value]) => value !== undefined && `--${name}` !== flag)
    .map(([name]) => `--${name}`);
  if (beside.length === 0) return;
  throw new OrbweaverError('USAGE', `${flag} goes without ${beside.join(', ')}.`, {
    remedy: `Leave one of them out. With ${flag}, --order names the orders that the quality is measured with.`,
  });
}

type FrontierFlags = NonNullable<LaboratoryOptions['frontier']>;

function frontierOf({ frontier, backQueues, laneChoice, lanes, rest }: RunFlags): FrontierFlags | undefined {
  if (frontier === undefined) {
    const [alone] = Object.entries({ 'back-queues': backQueues, 'lane-choice': laneChoice, lanes, rest }).filter(
      ([, value]) => value !== undefined,
    );
    if (alone === undefined) return undefined;
    throw new OrbweaverError('USAGE', `--${alone[0]} is a setting of --frontier, which is not there.`, {
      remedy: 'Add --frontier to compare front and back queues.',
    });
  }
  return {
    threads: wholeNumber('--frontier', frontier === true ? DEFAULT_THREADS : frontier, 1, MOST_THREADS),
    backQueues: (listed(backQueues) ?? DEFAULT_BACK_QUEUES).map((each) =>
      wholeNumber('--back-queues', each, 1, MOST_THREADS),
    ),
    choices: (listed(laneChoice) ?? LANE_CHOICES).map(choiceOf),
    ...(lanes === undefined ? {} : { lanes: wholeNumber('--lanes', lanes, 1, 64) }),
    rest: wholeNumber('--rest', rest ?? DEFAULT_REST, 0, 100_000),
  };
}

function choiceOf(text: string): LaneChoice {
  const choice = LANE_CHOICES.find((one) => one === text);
  if (choice !== undefined) return choice;
  throw new OrbweaverError('USAGE', `--lane-choice is ${JSON.stringify(text)}, but takes strict or biased.`, {
    remedy: 'Leave --lane-choice out to compare both.',
  });
}

function listed(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function daysOf(flag: string, text: string): number {
  const days = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (days > 0 && days <= 36_500) return days;
  throw new OrbweaverError('USAGE', `${flag} is ${JSON.stringify(text)}, but takes a number of days up to 36500.`, {
    remedy: flag === '--days' ? 'Leave --days out for the whole history.' : `Leave ${flag} out to begin with nothing.`,
  });
}

function goalOf(text: string): number {
  const [, number, percent] = /^(\d+(?:\.\d+)?|\.\d+)\s*(%)?$/.exec(text.trim()) ?? [];
  const goal = Number(number) / (percent === undefined ? 1 : 100);
  if (goal > 0 && goal < 1) return goal;
  throw new OrbweaverError('USAGE', `--goal is ${JSON.stringify(text)}, which is no freshness between 0 and 1.`, {
    remedy: 'Give a share such as 0.95, or 95%.',
  });
}

function specOf(text: string): WebSpecOverrides {
  try {
    const spec: unknown = JSON.parse(text);
    if (typeof spec === 'object' && spec !== null && !Array.isArray(spec)) return spec;
  } catch (cause) {
    throw new OrbweaverError('USAGE', `--spec is not JSON: ${(cause as Error).message}`, { remedy: SPEC_FORM, cause });
  }
  throw new OrbweaverError('USAGE', '--spec is not a JSON object.', {
    remedy: SPEC_FORM,
  });
}
