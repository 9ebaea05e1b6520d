import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import { addSettingOptions, settingsOf } from '../arguments/setting-options.ts';
import { wholeNumber } from '../arguments/whole-number.ts';
import { terminalText } from '../output/terminal-text.ts';
import { writeText } from '../output/write-text.ts';

interface PlanFlags {
  readonly dir: string;
  readonly sample: string;
  readonly sampleTime: string;
  readonly json?: boolean;
}

/** `plan`: what a crawl will come to, by robots.txt, sitemaps and a polite look at a few pages. */
export function addPlanCommand(program: Command, version: string): void {
  const command = program
    .command('plan')
    .description('Estimates pages, bytes and time of a crawl, and the hosts that bound it, by a look at a few pages.')
    .argument('<url...>', 'seeds; without a scheme https is assumed')
    .option('--dir <folder>', 'a folder whose orbweaver.yaml counts; nothing is written to it', 'my-crawl')
    .option('--sample <n>', 'requests to look with: more give a better estimate', '100')
    .option('--sample-time <seconds>', 'longest time to look', '120')
    .option('--json', 'as one JSON object');
  addSettingOptions(command);
  command.action(async (urls: string[], flags: PlanFlags) => {
    await showPlan(command, urls, flags, version);
  });
}

async function showPlan(command: Command, urls: readonly string[], flags: PlanFlags, version: string): Promise<void> {
  const requests = wholeNumber('--sample', flags.sample, 1, 100_000);
  const maxMs = 1000 * wholeNumber('--sample-time', flags.sampleTime, 1, 86_400);
  const { settings } = await settingsOf(command, flags.dir);
  const { readSeeds } = await import('../../seeds/read-seeds.ts');
  const { sampleCrawl } = await import('../../crawl/plan/sample-crawl.ts');
  const { fatesOfSeeds } = await import('../output/nothing-stored.ts');
  const { planCrawl } = await import('../../crawl/plan/crawl-plan.ts');
  const seeds = await readSeeds({ args: urls, files: [] });
  const live = process.stderr.isTTY === true && flags.json !== true;
  let fates = { lines: [] as string[], helps: [] as string[] };
  const sample = await sampleCrawl({
    ...{ settings, seeds, version, requests, maxMs },
    onNothing: async (folder) => {
      fates = await fatesOfSeeds(folder);
    },
    onWarning: (message) => {
      process.stderr.write(`${live ? '\r\u001b[K' : ''}${terminalText(message)}\n`);
    },
    onRequest: (count) => {
      if (live) process.stderr.write(`\r\u001b[KLooking: ${count} of ${requests} requests`);
    },
  });
  if (live) process.stderr.write('\r\u001b[K');
  if (sample.found === 0) {
    const message = [
      'No page was found, so there is nothing to reckon with. What became of the seeds:',
      ...fates.lines,
    ];
    const seed = shellWord(seeds[0]);
    const more = `The whole story: orbweaver crawl ${seed} --max-pages 1, then orbweaver explain ${seed}`;
    throw new OrbweaverError('NOTHING_TO_PLAN', message.join('\n  '), { remedy: [...fates.helps, more].join('\n  ') });
  }
  const plan = planCrawl(sample, settings);
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ seeds, ...plan, sample })}\n`);
    return;
  }
  const { formatPlan } = await import('../output/show-plan.ts');
  writeText(`${formatPlan({ seeds, sample, plan, settings })}\n`);
}
