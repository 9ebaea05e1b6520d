import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { resolveSettings } from '../../base/settings/resolve-settings.ts';
import { shellWord } from '../../base/shell-word.ts';
import { openCrawl } from '../../crawl/assemble.ts';
import { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { hasState } from '../../engines/state-folder.ts';
import { openHandOver } from '../../search/indexing/handed/hand-over-ports.ts';
import { DEMO_PORT, startDemoWeb } from '../../simulate/demo/demo-web.ts';
import { givenSettings } from '../arguments/setting-options.ts';
import { describeSummary } from '../output/crawl-summary.ts';
import { writeText } from '../output/write-text.ts';
import { crawlAndIndex, exitCodeOf } from './run-crawl.ts';
import type { Shown } from './supervise-crawl.ts';

/** Crawls the built-in demo web. True: there is something to search. */
export async function runDemo(command: Command, folder: string, version: string, shown: Shown): Promise<boolean> {
  await using web = await startDemoWeb({ port: DEMO_PORT, fallbackPort: true });
  // As if they stood in a settings file, so that flags beat them. The environment is meant for other crawls.
  const ofDemo = { scope: 'any', delay: '100ms', 'delay-factor': 0, 'allow-private': true, hosts: web.hostsMap() };
  const { settings } = resolveSettings({ flags: givenSettings(command), file: ofDemo });
  await forgetOldDemo(folder);
  process.stdout.write(`Crawling the demo web (${web.web.hosts.count} hosts on this machine) into ${folder}/\n`);
  const handOver = openHandOver(settings);
  await using crawl = await openCrawl({ folder, settings, version, ...(handOver === undefined ? {} : { handOver }) });
  await crawl.addSeeds(web.origins.slice(0, 1));
  const summary = await crawlAndIndex(crawl, folder, settings, shown, handOver);
  writeText(describeSummary(summary, folder));
  process.stdout.write(whatNext(web.origins[0], folder));
  process.exitCode = exitCodeOf(summary);
  return settings.index && summary.pages > 0;
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
