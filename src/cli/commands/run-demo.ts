import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { loadSettingsFile } from '../../base/settings/load-settings-file.ts';
import { resolveSettings } from '../../base/settings/resolve-settings.ts';
import { shellWord } from '../../base/shell-word.ts';
import { openCrawl } from '../../crawl/assemble.ts';
import { settingsPath } from '../../crawl/crawl-folder.ts';
import { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { hasState } from '../../engines/state-folder.ts';
import { openHandOver } from '../../search/indexing/handed/hand-over-ports.ts';
import { DEMO_PORT, startDemoWeb } from '../../simulate/demo/demo-web.ts';
import { givenSettings } from '../arguments/setting-options.ts';
import { describeSummary } from '../output/crawl-summary.ts';
import { writeText } from '../output/write-text.ts';
import { crawlAndIndex, exitCodeOf } from './crawl/run-crawl.ts';
import type { Shown } from './crawl/supervise-crawl.ts';

export interface DemoOptions extends Shown {
  readonly folder: string;
  readonly version: string;
  /** Goes on with the demo crawl in the folder, with its settings, where there is one; else it begins again. */
  readonly keep: boolean;
}

/** Crawls the built-in demo web. True: there is something to search. */
export async function runDemo(command: Command, { folder, version, keep, ...shown }: DemoOptions): Promise<boolean> {
  const before = keep ? await demoPort(folder) : undefined;
  // Its URLs hold the port: pages that are known are at no other.
  await using web = await startDemoWeb({ port: before ?? DEMO_PORT, fallbackPort: before === undefined }).catch(
    (cause) => {
      throw new OrbweaverError('USAGE', `Port ${before} of this demo web cannot be used: ${cause.message}`, {
        remedy: 'Wait for the other demo crawl to end; or begin again, in another folder or without --keep.',
        cause,
      });
    },
  );
  // As if they stood in a settings file, so that flags beat them. The environment is meant for other crawls.
  const ofDemo = { scope: 'any', delay: '100ms', 'delay-factor': 0, 'allow-private': true, hosts: web.hostsMap() };
  const ofFolder = keep ? await loadSettingsFile(settingsPath(folder), { optional: true }) : {};
  const { settings } = resolveSettings({ flags: givenSettings(command), file: { ...ofDemo, ...ofFolder } });
  if (!keep) await forgetOldDemo(folder);
  process.stdout.write(`Crawling the demo web (${web.web.hosts.count} hosts on this machine) into ${folder}/\n`);
  const handOver = openHandOver(settings);
  // A crawl that is over goes another round; one that was cut off goes on.
  await using crawl = await openCrawl({
    ...{ folder, settings, version, again: keep },
    ...(handOver === undefined ? {} : { handOver }),
  });
  await crawl.addSeeds(web.origins.slice(0, 1));
  const summary = await crawlAndIndex(crawl, folder, settings, shown, handOver);
  writeText(describeSummary(summary, folder));
  process.stdout.write(whatNext(web.origins[0], folder));
  process.exitCode = exitCodeOf(summary);
  return settings.index && summary.pages > 0;
}

/** The port of the demo web whose crawl is in a folder; undefined where none has begun. */
async function demoPort(folder: string): Promise<number | undefined> {
  if (!hasState(folder)) return undefined;
  using reader = new CrawlReader(folder);
  const [seed] = (await reader.status(0)).run?.seeds ?? [];
  return seed === undefined ? undefined : Number(new URL(seed).port || DEMO_PORT);
}

/** The demo begins again each time, but only a folder that it made itself is removed. */
async function forgetOldDemo(folder: string): Promise<void> {
  if (!existsSync(folder) || isEmptyFolder(folder)) return;
  const remedy = 'Move it away, or name another folder with --dir.';
  if (!hasState(folder)) {
    throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `${folder} exists, but is no crawl of the demo web.`, { remedy });
  }
  {
    using reader = new CrawlReader(folder);
    const { run } = await reader.status(0);
    if (run === undefined || !run.seeds.every((seed) => new URL(seed).hostname.endsWith('.demo.test'))) {
      throw new OrbweaverError('FOLDER_IN_USE', `${folder} holds a crawl of your own.`, { remedy });
    }
  }
  rmSync(folder, { recursive: true });
}

function isEmptyFolder(folder: string): boolean {
  return statSync(folder).isDirectory() && readdirSync(folder).length === 0;
}

function whatNext(home: string, folder: string): string {
  const command = (rest: string): string => `  npx orbweaver ${rest} --dir ${shellWord(folder)}\n`;
  return [
    '\nWhat to try next:\n',
    command('status'),
    command(`explain ${home}editors/queue.html`),
    command(`get ${home} --text`),
    command('search silk'),
    '  npm start -- https://example.org/      (a site of your choice; set --contact to your own page)\n',
  ].join('');
}
