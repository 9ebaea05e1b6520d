import type { Command } from 'commander';
import { OrbweaverError } from '../../../base/errors.ts';
import { duration } from '../../../base/settings/scalar-kinds.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';

interface AuditFlags {
  readonly seed?: readonly string[];
  readonly agent?: string;
  readonly scope: string;
  readonly maxDepth?: string;
  readonly delay?: string;
  readonly delayFrom: string;
  readonly parallel: string;
  readonly sitemaps?: boolean;
  readonly feeds?: boolean;
  readonly ignoreRobots?: boolean;
  readonly partial?: boolean;
  readonly revisits?: boolean;
  readonly refetched?: string;
  readonly json?: boolean;
}

const FAILED = 1;

/** `orbweaver simulate audit`: was a crawl of a simulated web complete and polite, by the log of its server? */
export function addSimulateAudit(simulate: Command): void {
  simulate
    .command('audit')
    .description(
      'Judge a crawl of a simulated web, by any crawler, from the log of "simulate serve". Exit status 1: failed.',
    )
    .argument('<log>', 'the file that was given as --log')
    .option('--seed <url...>', 'where the crawl began; by default the page that "simulate serve" names')
    .option('--agent <token>', "the crawler's token in robots.txt", 'orbweaver')
    .option('--scope <which>', 'any: all hosts; host: those of the seeds', 'any')
    .option('--max-depth <n>', 'links from a seed that the crawl was to follow')
    .option('--delay <duration>', 'least delay between two requests to a host; a Crawl-delay always counts')
    .option('--delay-from <end>', 'whether the delay counts from the start or the end of a request', 'end')
    .option('--parallel <n>', 'most requests at a time to a host', '1')
    .option('--sitemaps', 'pages that only sitemaps name are expected too')
    .option('--feeds', 'pages that only feeds name are expected too')
    .option('--ignore-robots', 'for a crawler that does not ask for robots.txt')
    .option('--partial', 'the crawl was ended early: pages that are missing do not count')
    .option('--revisits', 'pages may be fetched again')
    .option('--refetched <n>', 'pages that may be fetched twice, such as those under way when a crawl was killed', '0')
    .option('--json', 'the whole report as JSON')
    .action(judge);
}

async function judge(log: string, flags: AuditFlags): Promise<void> {
  const { auditLogFile } = await import('../../../simulate/audit/audit-log-file.ts');
  const { formatAudit } = await import('../../../simulate/audit/format-audit.ts');
  const report = auditLogFile(
    log,
    {
      ...(flags.seed === undefined ? {} : { seeds: flags.seed }),
      ...(flags.agent === undefined ? {} : { agent: flags.agent }),
      ...(flags.maxDepth === undefined ? {} : { maxDepth: wholeNumber('--max-depth', flags.maxDepth, 0, 1e9) }),
      scope: oneOf('--scope', flags.scope, ['any', 'host']),
      followSitemaps: flags.sitemaps === true,
      followFeeds: flags.feeds === true,
      obeyRobots: flags.ignoreRobots !== true,
    },
    {
      ...(flags.delay === undefined ? {} : { minGapMs: milliseconds('--delay', flags.delay) }),
      gapFrom: oneOf('--delay-from', flags.delayFrom, ['start', 'end']),
      maxParallel: wholeNumber('--parallel', flags.parallel, 1, 1e6),
      complete: flags.partial !== true,
      revisits: flags.revisits === true,
      maxWasted: wholeNumber('--refetched', flags.refetched ?? '0', 0, 1e9),
    },
  );
  process.stdout.write(`${flags.json === true ? JSON.stringify(report) : formatAudit(report)}\n`);
  if (!report.passed) process.exitCode = FAILED;
}

function milliseconds(flag: string, given: string): number {
  const reading = duration({ min: 0 }).read(given, 'documented');
  if ('value' in reading) return reading.value;
  throw new OrbweaverError('USAGE', `${flag} ${reading.wrong}`, { remedy: `Leave ${flag} out for its default.` });
}

function oneOf<const Choice extends string>(flag: string, given: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === given);
  if (found !== undefined) return found;
  throw new OrbweaverError('USAGE', `${flag} is ${JSON.stringify(given)}, but takes ${choices.join(' or ')}.`, {
    remedy: `Leave ${flag} out for its default.`,
  });
}
